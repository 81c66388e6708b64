import { AgentModuleError } from '../../src/agentModuleError.ts'

/** Why `onReload` could start nothing, or `useXChat` could show nothing. */
export type XChatErrorCode = 'unknown_message' | 'unknown_input' | 'invalid_conversation_key' | 'provider_kind_changed'

/** A refusal of `useXChat`: nothing was sent. */
export class XChatError extends AgentModuleError<XChatErrorCode> {
  constructor(code: XChatErrorCode, message: string) {
    super({ name: 'XChatError', code, message })
  }
}

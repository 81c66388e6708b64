import { AgentModuleError } from '../../src/agentModuleError.ts'

/** Why `onReload` could start nothing. */
export type XChatErrorCode = 'unknown_message' | 'unknown_input'

/** A refusal of `useXChat`: nothing was sent. */
export class XChatError extends AgentModuleError<XChatErrorCode> {
  constructor(code: XChatErrorCode, message: string) {
    super({ name: 'XChatError', code, message })
  }
}

import { AgentModuleError } from '../../src/agentModuleError.ts'

/** By this assistant-ui knows, in whichever version, that nothing of a message was sent. */
const notSent: unique symbol = Symbol.for('assistant-ui.message-not-sent')

/** A message that was not sent; its cause says why. */
export class MessageNotSentError extends AgentModuleError<'message_not_sent'> {
  readonly [notSent] = true

  constructor(cause: unknown) {
    const message = 'Nothing of the message was sent; its cause says why.'
    super({ name: 'MessageNotSentError', code: 'message_not_sent', message, cause })
  }
}

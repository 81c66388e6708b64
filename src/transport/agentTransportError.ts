import { AgentModuleError } from '../agentModuleError.ts'

/** Why a wire could not be opened, or broke. */
export type AgentTransportErrorCode =
  /** The app's own function that makes the request, or its headers, failed. */
  | 'request_failed'
  /** The server answered with another status than 200. */
  | 'http_status'
  /** The answer is not an event stream. */
  | 'content_type'
  /** No byte came for too long. */
  | 'idle_timeout'
  /** A line or a message grew past `maxBufferSize`. */
  | 'buffer_overflow'
  /** The connection could not be made, or was cut. */
  | 'network'
  /** The stream ended before it said so. */
  | 'incomplete'
  /** A message is not what it should be. */
  | 'invalid_frame'
  /** The server cannot go on after the cursor. */
  | 'resume_unavailable'

/** What a transport's error can tell besides its code. */
export interface AgentTransportErrorOptions {
  retryable?: boolean | undefined
  status?: number | undefined
  /** What the server asked to wait, in milliseconds. */
  retryAfter?: number | undefined
  /** The literal code of the server's own error, where its answer had one. */
  serverCode?: string | undefined
  /** Whose wire it is; stands in the message as well. */
  adapter?: string | undefined
  /** The number, from 0, of the chunk that it is about, or after which the wire broke. */
  chunk?: number | undefined
  cause?: unknown
}

/** What a transport throws: it holds no header and nothing of a body but the server's literal error code. */
export class AgentTransportError extends AgentModuleError<AgentTransportErrorCode> {
  /** Whether the same request, or a resume, may succeed later. */
  readonly retryable: boolean
  readonly status: number | undefined
  readonly retryAfter: number | undefined
  readonly serverCode: string | undefined
  readonly adapter: string | undefined
  readonly chunk: number | undefined

  constructor(code: AgentTransportErrorCode, message: string, options: AgentTransportErrorOptions = {}) {
    super({ name: 'AgentTransportError', code, message, cause: options.cause })
    this.retryable = options.retryable ?? false
    this.status = options.status
    this.retryAfter = options.retryAfter
    this.serverCode = options.serverCode
    this.adapter = options.adapter
    this.chunk = options.chunk
  }
}

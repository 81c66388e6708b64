import type { AgentConnectionError } from 'redux-agent'

/** Why a message started no run, and what the person can do. */
export interface SendFailure {
  readonly kind: 'unreachable' | 'busy' | 'stopped' | 'refused'
  readonly title: string
  readonly advice: string
}

/** Puts in words why a message started no run; without an error, the person closed the wire themselves. */
export function describeSendFailure(error: AgentConnectionError | undefined): SendFailure {
  if (!error) {
    return {
      kind: 'stopped',
      title: 'Stopped before the server answered',
      advice: 'It may have the message all the same. Your text is back in the field below.',
    }
  }
  if (error.code === 'network' || error.code === 'idle_timeout') {
    return {
      kind: 'unreachable',
      title: 'The server cannot be reached',
      advice: 'Your message was not lost: it is back in the field below. Check the connection and send it again.',
    }
  }
  if (error.message.includes('thread_busy')) {
    return {
      kind: 'busy',
      title: 'An earlier run is still at work',
      advice: 'The server does one thing at a time in a conversation. Cancel that run, or start a new conversation.',
    }
  }
  return {
    kind: 'refused',
    title: 'The server did not take the message',
    advice: `${error.message} Your text is back in the field below.`,
  }
}

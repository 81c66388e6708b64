import type { AgentConnectionError } from 'redux-agent'
import { assistantLocale } from './assistantLocale.ts'

/** Why a message started no run, and what the person can do. */
export interface SendFailure {
  readonly kind: 'unreachable' | 'busy' | 'stopped' | 'refused'
  readonly title: string
  readonly advice: string
}

const isBack = 'Your text is back in the field below.'

/** Puts in words why a message started no run; without an error, the person closed the wire themselves. */
export function describeSendFailure(error: AgentConnectionError | undefined): SendFailure {
  if (!error) {
    return {
      kind: 'stopped',
      title: 'Stopped before the server answered',
      advice: `It may have the message all the same. ${isBack}`,
    }
  }
  const { code, message } = error
  if (code === 'network' || code === 'idle_timeout') {
    return {
      kind: 'unreachable',
      title: 'The server cannot be reached',
      advice: 'Your message was not lost: it is back in the field below. Check the connection and send it again.',
    }
  }
  if (message.includes('thread_busy')) {
    return {
      kind: 'busy',
      title: 'An earlier run is still at work',
      advice: 'The server does one thing at a time in a conversation. Cancel that run, or start a new conversation.',
    }
  }
  const { reasons } = assistantLocale.command
  const { title, advice } = describeStatus(message) ?? {
    title: 'The message was not sent',
    advice: Object.hasOwn(reasons, code) ? reasons[code]! : message,
  }
  return { kind: 'refused', title, advice: `${advice} ${isBack}` }
}

/** What the answer's status means to a person; state keeps an error's words, and these name the status. */
function describeStatus(message: string): Pick<SendFailure, 'title' | 'advice'> | undefined {
  const status = Number(/ status (\d{3})\b/.exec(message)?.[1])
  if (Number.isNaN(status)) return undefined
  const said = `It answered with status ${status}.`
  if (status === 404) {
    return {
      title: 'The server does not know where the message belongs',
      advice: `${said} It may be another version than this page: reload the page, or start a new conversation.`,
    }
  }
  if (status === 409) {
    return {
      title: 'The conversation has moved on at the server',
      advice: `${said} Reload the page, or start a new conversation.`,
    }
  }
  if (status === 429) {
    return {
      title: 'The server has enough to do for you',
      advice: `${said} Wait for the end of another run, answer it or cancel it, then send again.`,
    }
  }
  if (status >= 500) {
    return { title: 'The server met an error', advice: `${said} Send it again in a moment.` }
  }
  return { title: 'The server did not take the message', advice: message }
}

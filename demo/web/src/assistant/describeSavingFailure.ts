import type { AgentConnectionError } from 'redux-agent'

/** Why this device does not keep a conversation, or what it kept is not used, and what the person can do. */
export interface SavingFailure {
  readonly words: string
  /** Whether what was kept stands in the way, so that the person may want it gone. */
  readonly isInTheWay: boolean
}

/** Puts in words why a checkpoint is not written, or was not used. */
export function describeSavingFailure({ code }: AgentConnectionError): SavingFailure {
  switch (code) {
    case 'invalid_checkpoint':
    case 'foreign_session':
      return { words: 'What this device kept of this conversation is damaged and is not used.', isInTheWay: true }
    case 'unsupported_version':
      return {
        words: 'What this device kept of this conversation is of another version of this page and is not used.',
        isInTheWay: true,
      }
    case 'load_failed':
      return {
        words: 'What this device kept of this conversation could not be read. Reload the page to try again.',
        isInTheWay: true,
      }
    case 'unavailable':
      return {
        words: `${notSaved}: the browser blocks its storage. After a reload, look under Conversations.`,
        isInTheWay: false,
      }
    case 'quota_exceeded':
      return { words: `${notSaved}: its storage is full. Saving goes on once there is room.`, isInTheWay: false }
    default:
      return { words: `${notSaved} just now. The next change tries again.`, isInTheWay: false }
  }
}

const notSaved = 'This conversation is not being saved on this device'

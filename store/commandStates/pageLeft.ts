import { freeze } from '@reduxjs/toolkit'
import type { AgentCommandError } from './agentCommandState.ts'

/** What a command failed with whose page is gone: it may be sent again, by a person alone (RFC, section 12.1). */
export const pageLeft: AgentCommandError = freeze({
  code: 'interrupted',
  message: 'The page was left before the answer came; what became of it is not known. Try again.',
  retryable: true,
})

import type { Page } from 'playwright-core'
import { createAgentRuntime, replayAgentEvents, selectMessages } from 'redux-agent'
import { expect } from 'vitest'
import { waitForEnding } from './watchStore.ts'
import { serverOf } from './serverOf.ts'

const { selectors } = createAgentRuntime({ reducerPath: 'agent' })

/** Markdown's marks are not shown, so that text is compared by what remains in any case. */
const lettersOf = (text: string) => text.replace(/[^\p{Letter}\p{Number}]/gu, '')

/**
 * Waits for the end of a conversation's only run, and expects that it was completed, that the page, which uses
 * `watchStore`, ended with the state that the server's log folds to, and that it shows each message of it, whole and
 * once.
 */
export const expectWhole = async (page: Page, runId: string): Promise<void> => {
  const agent = await waitForEnding(page, runId)
  await page.getByText('Run completed').waitFor()
  const { status, events } = await serverOf(page).log(runId)
  expect(status).toBe('completed')
  const log = events.map(({ event }) => event)
  expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_event, index) => index + 1))
  const folded = replayAgentEvents(log)
  expect(folded.issues).toEqual([])
  expect(selectors.selectAgentState({ agent }, log[0]!.sessionId)).toEqual(folded)

  const shown = await page.locator('.agent-message-content').allTextContents()
  const said = selectMessages(folded).map(({ message }) => String(message.content))
  expect(shown.map(lettersOf)).toEqual(said.map(lettersOf))
}

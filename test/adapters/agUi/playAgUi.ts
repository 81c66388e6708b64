import type { AgUiProviderOptions } from 'redux-agent/adapters/ag-ui'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { expect } from 'vitest'
import { createConversation, started } from './runAgUi.ts'

export const toolResult = (toolCallId: string, content: unknown = 'ok', more: object = {}) => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${toolCallId}-m`,
  toolCallId,
  content,
  ...more,
})

/** Runs one stream, which must keep the contract. */
export async function play(events: readonly object[], options: Partial<AgUiProviderOptions> = {}) {
  const chat = createConversation([[started(), ...events]], options)
  const failures = await chat.run()
  expect(failures).toEqual([])
  expect(chat.state().issues).toEqual([])
  if (chat.state().runs.r1?.status !== 'running') {
    expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
  }
  return chat
}

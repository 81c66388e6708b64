import { streamText } from '../openAI/createWire.ts'
import { loseAfter } from './runAgUi.ts'

export const content = (messageId: string, delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
export const begin = (messageId: string) => ({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
export const end = (messageId: string) => ({ type: 'TEXT_MESSAGE_END', messageId })
export const result = (toolCallId: string, text = '{"ok":true}', messageId = `${toolCallId}-result`) => ({
  type: 'TOOL_CALL_RESULT',
  messageId,
  toolCallId,
  content: text,
})

/** Frames under ids that a resume can name. */
export const withIds = (events: readonly object[], from = 1) =>
  streamText(events.map((event, index) => `id: ${from + index}\ndata: ${JSON.stringify(event)}\n\n`).join(''))

/** How a run is taken up again. */
export const resume = (replay?: 'after' | 'all') => ({
  resume: {
    replay,
    request: ({ runId, cursor }: { runId: string; cursor: string }) => ({
      url: `https://agent.example.com/runs/${runId}?after=${cursor}`,
    }),
  },
})

/** The state of a run whose wire was lost after these events, and which may be taken up again. */
export const lostAfter = async (events: readonly object[]) => (await loseAfter(events)).state()

import type { BrowserContext } from 'playwright-core'

/** Serves a conversation named "long" in place of the server's: questions and answers by turns, a run for each pair. */
export const serveLongConversation = async (
  context: BrowserContext,
  { messages }: { messages: number },
): Promise<void> => {
  const messageAt = (index: number) => {
    const turn = Math.floor(index / 2) + 1
    const isAnswer = index % 2 === 1
    return {
      id: isAnswer ? 'a' : 'q',
      runId: `run-${turn}`,
      role: isAnswer ? 'assistant' : 'user',
      content: isAnswer ? `Answer ${turn}.${'\n\nIt goes on for a while.'.repeat(turn % 4)}` : `Question ${turn}?`,
      status: 'completed',
      createdAt: turn,
    }
  }
  const runAt = (turn: number) => ({
    ...{ runId: `run-${turn}`, conversationId: 'long', status: 'completed', lastSeq: 6 },
    ...{ createdAt: turn, updatedAt: turn },
  })

  await context.route('**/api/agent/conversations/long?*', (route) => {
    const query = new URL(route.request().url()).searchParams
    const end = Number(query.get('before') ?? messages)
    // The newest as many as asked for; what was before in large pages, so that a test gets through them all.
    const begin = Math.max(0, end - (query.has('before') ? 500 : Number(query.get('limit'))))
    const indices = Array.from({ length: end - begin }, (_, at) => begin + at)
    const turns = [...new Set(indices.map((index) => Math.floor(index / 2) + 1))]
    return route.fulfill({
      json: {
        ...{ id: 'long', title: 'A long conversation', createdAt: 1, updatedAt: 2 },
        messages: indices.map(messageAt),
        runs: turns.map(runAt),
        nextCursor: begin > 0 ? String(begin) : null,
      },
    })
  })
  await context.route('**/api/agent/runs/run-*/events?*', (route) => {
    const runId = /runs\/(run-\d+)\//.exec(route.request().url())![1]!
    const turn = Number(runId.slice(4))
    const question = messageAt(turn * 2 - 2)
    const answer = messageAt(turn * 2 - 1)
    const say = (sequence: number, type: string, payload: object) => ({
      seq: sequence,
      event: {
        ...{ protocolVersion: '0.1', type, eventId: `${runId}:${sequence}:${type}`, sessionId: 'long', runId },
        ...{ sequence, timestamp: turn, payload },
      },
    })
    return route.fulfill({
      json: {
        events: [
          say(1, 'run.started', {}),
          say(2, 'message.started', { messageId: 'q', role: 'user', content: question.content }),
          say(3, 'message.completed', { messageId: 'q' }),
          say(4, 'message.started', { messageId: 'a', role: 'assistant', content: answer.content }),
          say(5, 'message.completed', { messageId: 'a' }),
          say(6, 'run.completed', {}),
        ],
        lastSeq: 6,
        status: 'completed',
      },
    })
  })
}

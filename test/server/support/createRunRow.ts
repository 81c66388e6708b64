import type { RunRow } from '../../../demo/server/store/rows.ts'

/** A run that has just begun, of owner `o1` in conversation `c1`. */
export function createRunRow(more: Partial<RunRow> = {}): RunRow {
  return {
    runId: 'r1',
    ownerId: 'o1',
    conversationId: 'c1',
    threadId: 't1',
    configurationId: 'k1',
    resumesRunId: null,
    assistantMessageId: 'a1',
    status: 'running',
    firstSeq: 1,
    lastSeq: 0,
    model: 'm',
    mode: 'chat',
    enableThinking: true,
    currentDocumentId: null,
    currentDocumentHash: null,
    waitingSince: null,
    interruption: null,
    createdAt: 1,
    updatedAt: 1,
    expiresAt: 1_001,
    ...more,
  }
}

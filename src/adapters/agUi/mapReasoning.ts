import { readAgUiMeta } from './agUiMeta.ts'
import type { AgUiProgress } from './agUiProgress.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { createTextEntities, type TextEntities } from './createTextEntities.ts'
import { ofWireRun } from './ofWireRun.ts'

/** The run's reasoning. */
export interface ReasoningMapper {
  readonly texts: TextEntities
  start(wireId: string, begun?: { subagentRunId?: string | undefined }): void
  append(wireId: string, delta: string): void
  /** Ends a stretch once something else comes: an encrypted value that follows at once still belongs to it. */
  end(wireId: string): void
  /** Ends what only waited for its encrypted value. */
  settle(): void
  /** Keeps an encrypted value with the reasoning that it belongs to; says whether it could. */
  encrypt(wireId: string, encryptedValue: string): boolean
  /** States reasoning of which there is nothing but its encrypted value. */
  addOpaque(wireId: string, encryptedValue: string): void
  /** The stretch that only waits for its encrypted value. */
  getEnding(): string | undefined
  close(ending: AgUiEnding): void
}

export function createReasoningMapper(scope: AgUiScope, progress: AgUiProgress): ReasoningMapper {
  const { emit, runId } = scope
  let { ending } = progress
  const texts = createTextEntities({
    replaysAll: scope.replaysAll,
    getWireRunId: () => scope.wireRunId,
    begin(entity, { meta }) {
      entity.meta = { ...meta, ...entity.meta, ...ofWireRun(scope) }
      const isOpaque = meta.encryptedValue !== undefined
      const payload = { reasoningId: entity.id, ...(isOpaque && { redacted: true }) }
      emit('reasoning.started', payload, { meta: entity.meta })
    },
    append: ({ id }, delta) => emit('reasoning.delta', { reasoningId: id, delta }),
    finish: ({ id }, content) =>
      emit('reasoning.completed', { reasoningId: id, ...(content !== undefined && { content }) }),
  })

  for (const reasoning of Object.values(scope.getAgentState()?.reasoning ?? {})) {
    if (reasoning.runId !== runId) continue
    const { id, content, status } = reasoning
    const seeded = { id, text: content, isOpen: status === 'streaming', meta: readAgUiMeta(reasoning) }
    texts.seed(seeded, scope.isOfEarlierRun('reasoning', reasoning))
  }

  texts.restore(progress.reasoning ?? [])

  function settle() {
    if (ending === undefined) return
    const wireId = ending
    ending = undefined
    texts.end(wireId)
  }

  return {
    texts,
    settle,
    getEnding: () => ending,

    start(wireId, begun) {
      // Chunks may have ended it with this very event.
      settle()
      texts.start(wireId, { meta: begun ?? {} })
    },

    append(wireId, delta) {
      if (!texts.append(wireId, delta)) scope.fail('holds content of reasoning that is not open')
    },

    end(wireId) {
      if (texts.find(wireId)) ending = wireId
    },

    encrypt(wireId, encryptedValue) {
      const entity = texts.find(wireId)
      if (!entity?.isOpen) return entity?.meta.encryptedValue === encryptedValue
      entity.meta = { ...entity.meta, encryptedValue }
      emit('reasoning.delta', { reasoningId: entity.id, delta: '' }, { meta: entity.meta })
      return true
    },

    addOpaque(wireId, encryptedValue) {
      if (texts.find(wireId)) return
      texts.start(wireId, { meta: { encryptedValue } })
      texts.end(wireId)
    },

    close(end) {
      settle()
      for (const entity of texts.all()) {
        if (!entity.isOpen) continue
        if (end.status === 'completed') {
          texts.close(entity)
          continue
        }
        entity.isOpen = false
        if (end.status === 'failed') emit('reasoning.failed', { reasoningId: entity.id, error: end.error })
        else emit('reasoning.cancelled', { reasoningId: entity.id, reason: end.reason })
      }
    },
  }
}

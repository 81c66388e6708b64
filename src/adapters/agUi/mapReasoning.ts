import { readAgUiMeta } from './agUiMeta.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { isOfEarlierRun, ofWireRun } from './wireRunOf.ts'
import { createTextEntities, type TextEntities } from './createTextEntities.ts'

/** The run's reasoning. */
export interface ReasoningMapper {
  readonly texts: TextEntities
  start(wireId: string, begun?: { subagentRunId?: string | undefined; isChunked?: boolean }): void
  append(wireId: string, delta: string): void
  /** Ends a stretch once something else comes: an encrypted value that follows at once still belongs to it. */
  end(wireId: string): void
  /** Ends what only waited for its encrypted value. */
  settle(): void
  /** Ends what an earlier connection left open, as the stretch that it is of is over. */
  endRestored(wireId: string): void
  /** Keeps an encrypted value with the reasoning that it belongs to; says whether it could. */
  encrypt(wireId: string, encryptedValue: string): boolean
  /** States reasoning of which there is nothing but its encrypted value. */
  addOpaque(wireId: string, encryptedValue: string): void
  close(ending: AgUiEnding): void
}

export function createReasoningMapper(scope: AgUiScope): ReasoningMapper {
  const { emit, runId } = scope
  let ending: string | undefined
  const texts = createTextEntities({
    replaysAll: scope.replaysAll,
    append: ({ id }, delta) => emit('reasoning.delta', { reasoningId: id, delta }),
    finish: ({ id }, content) =>
      emit('reasoning.completed', { reasoningId: id, ...(content !== undefined && { content }) }),
  })

  for (const reasoning of Object.values(scope.getAgentState()?.reasoning ?? {})) {
    if (reasoning.runId !== runId) continue
    const { id, content, status } = reasoning
    const meta = readAgUiMeta(reasoning)
    texts.seed({ id, wireId: meta.messageId ?? id, text: content, isOpen: status === 'streaming', meta }, isOfEarlierRun(scope, reasoning))
  }

  function settle() {
    if (ending === undefined) return
    const wireId = ending
    ending = undefined
    texts.end(wireId)
  }

  return {
    texts,
    settle,

    endRestored(wireId) {
      if (texts.find(wireId)?.isRestored) texts.end(wireId)
    },

    start(wireId, { subagentRunId, isChunked } = {}) {
      texts.start(wireId, (entity) => {
        entity.meta = {
          ...(subagentRunId !== undefined && { subagentRunId }),
          ...(isChunked && { isChunked }),
          ...entity.meta,
          ...ofWireRun(scope),
        }
        emit('reasoning.started', { reasoningId: entity.id }, { meta: entity.meta })
      })
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
      texts.start(wireId, (entity) => {
        entity.meta = { ...entity.meta, encryptedValue }
        emit('reasoning.started', { reasoningId: entity.id, redacted: true }, { meta: entity.meta })
      })
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

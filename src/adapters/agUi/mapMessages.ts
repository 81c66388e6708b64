import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiProgress } from './agUiProgress.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { createTextEntities, type TextEntities, type TextEntity, type TextStart } from './createTextEntities.ts'
import { readWireRecords } from './mapRecord.ts'
import { ofWireRun } from './ofWireRun.ts'

/** The run's messages. */
export interface MessageMapper {
  readonly texts: TextEntities
  start(wireId: string, start: TextStart): TextEntity
  append(wireId: string, delta: string): void
  end(wireId: string): void
  /** Keeps something with a message that is open; says whether it could. */
  note(entity: TextEntity, meta: AgUiMeta): boolean
  close(ending: AgUiEnding): void
}

export function createMessageMapper(scope: AgUiScope, progress: AgUiProgress): MessageMapper {
  const { emit, runId } = scope
  const texts = createTextEntities({
    replaysAll: scope.replaysAll,
    getWireRunId: () => scope.wireRunId,
    begin(entity, { role = 'assistant', meta }) {
      entity.meta = { ...meta, ...entity.meta, ...ofWireRun(scope) }
      emit('message.started', { messageId: entity.id, role }, { meta: entity.meta })
    },
    append: ({ id }, delta) => emit('message.delta', { messageId: id, delta }),
    finish: ({ id }, content) =>
      emit('message.completed', { messageId: id, ...(content !== undefined && { content }) }),
  })

  const state = scope.getAgentState()
  const record = state ? readWireRecords(state) : { aliases: new Map<string, string>() }
  for (const message of Object.values(state?.messages ?? {})) {
    if (message.runId !== runId) continue
    const { id, content, status } = message
    const text = typeof content === 'string' ? content : ''
    const seeded = { id, text, isOpen: status === 'streaming', meta: readAgUiMeta(message) }
    const entity = texts.seed(seeded, scope.isOfEarlierRun('message', message))
    const alias = record.aliases.get(entity.wireId)
    if (alias !== undefined) texts.alias(entity, alias)
  }

  texts.restore(progress.messages ?? [])

  return {
    texts,
    start: texts.start,

    append(wireId, delta) {
      if (!texts.append(wireId, delta)) scope.fail('holds content of a message that is not open')
    },

    end: texts.end,

    note(entity, meta) {
      if (!entity.isOpen) return false
      entity.meta = { ...entity.meta, ...meta }
      emit('message.delta', { messageId: entity.id, delta: '' }, { meta: entity.meta })
      return true
    },

    close(ending) {
      for (const entity of texts.all()) {
        if (!entity.isOpen) continue
        if (ending.status === 'completed') {
          texts.close(entity)
          continue
        }
        entity.isOpen = false
        if (ending.status === 'failed') emit('message.failed', { messageId: entity.id, error: ending.error })
        else emit('message.cancelled', { messageId: entity.id, reason: ending.reason })
      }
    },
  }
}

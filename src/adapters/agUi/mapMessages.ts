import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { isOfEarlierRun, ofWireRun } from './wireRunOf.ts'
import { createTextEntities, type TextEntities, type TextEntity } from './createTextEntities.ts'

/** The run's messages. */
export interface MessageMapper {
  readonly texts: TextEntities
  start(message: { wireId: string; role?: string | undefined; meta?: AgUiMeta | undefined }): TextEntity
  append(wireId: string, delta: string): void
  end(wireId: string): void
  /** Keeps something with a message that is open; says whether it could. */
  note(entity: TextEntity, meta: AgUiMeta): boolean
  close(ending: AgUiEnding): void
}

export function createMessageMapper(scope: AgUiScope): MessageMapper {
  const { emit, runId } = scope
  const texts = createTextEntities({
    replaysAll: scope.replaysAll,
    append: ({ id }, delta) => emit('message.delta', { messageId: id, delta }),
    finish: ({ id }, content) =>
      emit('message.completed', { messageId: id, ...(content !== undefined && { content }) }),
  })

  for (const message of Object.values(scope.getAgentState()?.messages ?? {})) {
    if (message.runId !== runId) continue
    const { id, content, status } = message
    const meta = readAgUiMeta(message)
    const text = typeof content === 'string' ? content : ''
    texts.seed({ id, wireId: meta.messageId ?? id, text, isOpen: status === 'streaming', meta }, isOfEarlierRun(scope, message))
  }

  return {
    texts,

    start({ wireId, role = 'assistant', meta = {} }) {
      return texts.start(wireId, (entity) => {
        entity.meta = { ...meta, ...entity.meta, ...ofWireRun(scope) }
        emit('message.started', { messageId: entity.id, role }, { meta: entity.meta })
      })
    },

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

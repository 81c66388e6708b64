import type { AgUiMeta } from './agUiMeta.ts'
import type { AgUiProgress } from './agUiProgress.ts'
import type { MessageMapper } from './mapMessages.ts'
import type { ReasoningMapper } from './mapReasoning.ts'
import type { RecordMapper } from './mapRecord.ts'
import type { ToolMapper } from './mapTools.ts'

/** Encrypted values: never read, never shown, and sent back with what they belong to. */
export interface OpaqueValues {
  /** Keeps a value with what it belongs to, which may be yet to come, or over. */
  note(entityId: string, encryptedValue: string): void
  /** Gives the value that came before what it belongs to. */
  take(entityId: string): Pick<AgUiMeta, 'encryptedValue'>
  openSpan(id: string): void
  /** Gives what of this no entity shows, and takes it back on the next connection. */
  save(): Pick<AgUiProgress, 'early' | 'spans'>
  /** States reasoning of which nothing but its value came. */
  settle(): void
}

export function createOpaqueValues(
  parts: { messages: MessageMapper; reasoning: ReasoningMapper; tools: ToolMapper; record: RecordMapper },
  saved: AgUiProgress = {},
): OpaqueValues {
  const { messages, reasoning, tools, record } = parts
  const early = new Map<string, string>(saved.early)
  const spans = new Set<string>(saved.spans)

  return {
    note(entityId, encryptedValue) {
      if (reasoning.encrypt(entityId, encryptedValue)) return
      const message = messages.texts.find(entityId)
      const tool = tools.find(entityId)
      if (message?.meta.encryptedValue === encryptedValue || tool?.meta.encryptedValue === encryptedValue) return
      if (message && messages.note(message, { encryptedValue })) return
      if (tool && tools.note(tool, { encryptedValue })) return
      if (message || tool || reasoning.texts.find(entityId)) return record.note('encrypted', entityId, encryptedValue)
      if (spans.has(entityId)) reasoning.addOpaque(entityId, encryptedValue)
      else early.set(entityId, encryptedValue)
    },

    take(entityId) {
      const encryptedValue = early.get(entityId)
      early.delete(entityId)
      return { encryptedValue }
    },

    openSpan: (id) => void spans.add(id),
    save: () => ({ early: [...early], spans: [...spans].filter((id) => !reasoning.texts.find(id)) }),

    settle() {
      for (const [entityId, encryptedValue] of early) reasoning.addOpaque(entityId, encryptedValue)
      early.clear()
    },
  }
}

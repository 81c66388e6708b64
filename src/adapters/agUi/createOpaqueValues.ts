import type { AgUiMeta } from './agUiMeta.ts'
import type { AgUiProgress, SavedProgress } from './agUiProgress.ts'
import { createSavedEntries } from './createSavedEntries.ts'
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
  save(): SavedProgress<'early' | 'spans'>
  /** States reasoning of which nothing but its value came. */
  settle(): void
}

export function createOpaqueValues(
  parts: { messages: MessageMapper; reasoning: ReasoningMapper; tools: ToolMapper; record: RecordMapper },
  saved: AgUiProgress = {},
): OpaqueValues {
  const { messages, reasoning, tools, record } = parts
  const early = new Map<string, string>()
  const savedEarly = createSavedEntries()
  const spans = new Set<string>()
  const savedSpans = createSavedEntries()
  /** Spans of which no words were seen among the first so many texts of reasoning. */
  const silent = new Set<string>()
  let seen = 0

  function keepEarly(entityId: string, encryptedValue: string) {
    early.set(entityId, encryptedValue)
    savedEarly.set(entityId, JSON.stringify([entityId, encryptedValue]))
  }

  function dropEarly(entityId: string) {
    if (early.delete(entityId)) savedEarly.set(entityId, undefined)
  }

  function openSpan(id: string) {
    spans.add(id)
    if (reasoning.texts.find(id)) return
    silent.add(id)
    savedSpans.set(id, JSON.stringify(id))
  }

  function saveSpans(): string | undefined {
    const texts = reasoning.texts.all()
    for (; seen < texts.length; seen += 1) {
      const { wireId } = texts[seen]!
      if (silent.has(wireId) && reasoning.texts.find(wireId) && silent.delete(wireId)) savedSpans.set(wireId, undefined)
    }
    return savedSpans.toJson()
  }

  for (const [entityId, encryptedValue] of saved.early ?? []) keepEarly(entityId, encryptedValue)
  for (const id of saved.spans ?? []) openSpan(id)

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
      else keepEarly(entityId, encryptedValue)
    },

    take(entityId) {
      const encryptedValue = early.get(entityId)
      dropEarly(entityId)
      return { encryptedValue }
    },

    openSpan,
    save: () => ({ early: savedEarly.toJson(), spans: saveSpans() }),

    settle() {
      for (const [entityId, encryptedValue] of early) {
        reasoning.addOpaque(entityId, encryptedValue)
        dropEarly(entityId)
      }
    },
  }
}

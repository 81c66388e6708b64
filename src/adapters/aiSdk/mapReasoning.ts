import { toMeta } from './aiSdkMeta.ts'
import type { AiSdkRun, OpenReasoning } from './aiSdkRun.ts'
import type { UIMessageChunkOf } from './uiMessageChunk.ts'

/** Begins a stretch of reasoning; its wire's id may come again in another step. */
export function startReasoning(
  run: AiSdkRun,
  { id, providerMetadata }: Pick<UIMessageChunkOf<'reasoning-start'>, 'id' | 'providerMetadata'>,
): OpenReasoning {
  // As with texts: what was open under this id cannot be named any more.
  endReasoning(run, { id }, { mayResetSteps: true })
  const meta = { ...run.place(), id, providerMetadata: providerMetadata ?? undefined }
  const reasoning: OpenReasoning = { id: run.claim('reasoning', `${run.messageId}:${run.step}:${id}`), meta }
  run.reasoning.set(id, reasoning)
  run.emit('reasoning.started', { reasoningId: reasoning.id }, { meta: toMeta(meta) })
  return reasoning
}

/** Adds to it; a signature may come with any delta. */
export function addReasoning(run: AiSdkRun, chunk: UIMessageChunkOf<'reasoning-delta'>): void {
  const { id, delta, providerMetadata } = chunk
  const reasoning = run.reasoning.get(id) ?? startReasoning(run, { id })
  if (providerMetadata) reasoning.meta = { ...reasoning.meta, providerMetadata }
  const options = providerMetadata ? { meta: toMeta(reasoning.meta) } : undefined
  run.emit('reasoning.delta', { reasoningId: reasoning.id, delta }, options)
}

/** Ends it; where the step may yet be taken back it stays open until the step ends, as what is over stands. */
export function endReasoning(
  run: AiSdkRun,
  chunk: Pick<UIMessageChunkOf<'reasoning-end'>, 'id' | 'providerMetadata'>,
  options: { mayResetSteps: boolean },
): void {
  const reasoning = run.reasoning.get(chunk.id)
  if (!reasoning) return
  run.reasoning.delete(chunk.id)
  const providerMetadata = chunk.providerMetadata ?? reasoning.meta.providerMetadata
  const meta = toMeta({ ...reasoning.meta, providerMetadata, done: true })
  const { id: reasoningId } = reasoning
  if (options.mayResetSteps) run.emit('reasoning.delta', { reasoningId, delta: '' }, { meta })
  else run.emit('reasoning.completed', { reasoningId }, { meta })
}

import type { AiSdkRun, OpenMessage, OpenText } from './aiSdkRun.ts'
import { textKey, toMeta, type AiSdkTextMeta } from './aiSdkMeta.ts'
import { omitUndefined } from '../../state/omitUndefined.ts'
import type { UIMessageChunkOf } from './uiMessageChunk.ts'

/** Begins a text: in the step's message, or in one of its own while another text of that one is open. */
export function startText(run: AiSdkRun, chunk: Pick<UIMessageChunkOf<'text-start'>, 'id' | 'providerMetadata'>) {
  // Nobody can name the one that was open under this id any more: left open, a later end would be its own after a reload.
  endText(run, { id: chunk.id })
  const providerMetadata = chunk.providerMetadata ?? undefined
  const { message, part } = addEntry(run, { id: chunk.id, providerMetadata })
  message.texts += 1
  const text: OpenText = { message, part, length: 0, providerMetadata }
  run.texts.set(chunk.id, text)
  return text
}

/** Adds to a text; one that was never begun, as some servers have it, begins here. */
export function addText(run: AiSdkRun, chunk: UIMessageChunkOf<'text-delta'>): void {
  const { id, delta } = chunk
  const text = run.texts.get(id) ?? startText(run, { id })
  const { message, part } = text
  text.length += delta.length
  if (!chunk.providerMetadata) return run.emit('message.delta', { messageId: message.id, delta })
  text.providerMetadata = chunk.providerMetadata
  const meta = { [textKey(part)]: { id, providerMetadata: chunk.providerMetadata } }
  run.emit('message.delta', { messageId: message.id, delta }, { meta })
}

/** Ends a text, not its message: the step may have more to say. */
export function endText(run: AiSdkRun, chunk: Omit<UIMessageChunkOf<'text-end'>, 'type'>): void {
  const text = run.texts.get(chunk.id)
  if (!text) return
  run.texts.delete(chunk.id)
  text.message.texts -= 1
  const entry: AiSdkTextMeta = {
    length: text.length,
    providerMetadata: chunk.providerMetadata ?? text.providerMetadata,
    citations: chunk.citations ?? undefined,
  }
  const meta = { [textKey(text.part)]: omitUndefined(entry) }
  run.emit('message.delta', { messageId: text.message.id, delta: '' }, { meta })
}

/** Adds what only one vendor's models say as a content part of that name. */
export function addCustom(run: AiSdkRun, chunk: UIMessageChunkOf<'custom'>): void {
  const { kind } = chunk
  const type = (/^[^.]+\..+/.test(kind) ? kind : 'ai-sdk.custom') as `${string}.${string}`
  const { message } = addEntry(run, { custom: true })
  const data = omitUndefined({ kind, providerMetadata: chunk.providerMetadata ?? undefined })
  run.emit('message.delta', { messageId: message.id, delta: [{ type, data }] })
}

function addEntry(run: AiSdkRun, entry: AiSdkTextMeta): { message: OpenMessage; part: number } {
  const place = run.place()
  const part = place.part!
  const meta = { [textKey(part)]: omitUndefined(entry) }
  const current = run.message
  if (current && current.texts === 0 && run.messages.has(current.id)) {
    run.emit('message.delta', { messageId: current.id, delta: '' }, { meta })
    return { message: current, part }
  }
  const id = run.claim('message', `${run.messageId}:${run.step}`)
  const message: OpenMessage = { id, texts: 0 }
  run.messages.set(id, message)
  run.message = message
  run.emit('message.started', { messageId: id, role: 'assistant' }, { meta: { ...toMeta(place), ...meta } })
  return { message, part }
}

/** Completes the messages of which no text is open. */
export function completeMessages(run: AiSdkRun): void {
  for (const [id, { texts }] of run.messages) {
    if (texts > 0) continue
    run.messages.delete(id)
    run.emit('message.completed', { messageId: id })
  }
}

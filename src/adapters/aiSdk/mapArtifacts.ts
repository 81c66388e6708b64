import type { AgentContentPart } from '../../protocol/agentMessageContent.ts'
import { isRecord } from '../../protocol/predicates.ts'
import { omitUndefined } from '../../state/omitUndefined.ts'
import { toMeta, type AiSdkMeta } from './aiSdkMeta.ts'
import type { AiSdkRun } from './aiSdkRun.ts'
import type { DataChunk, UIMessageChunkOf } from './uiMessageChunk.ts'

/** Takes a part of the app's own data: under an id it takes the place of the one before it. */
export function addData(run: AiSdkRun, { name, id, data }: DataChunk): void {
  const type = `data-${name}`
  const content = data ?? null
  const key = dataKey(type, id ?? undefined)
  const known = id == null ? undefined : run.data.get(key)
  if (known !== undefined && run.open.has(`artifact:${known}`)) {
    return run.emit('artifact.updated', { artifactId: known, content })
  }
  const place = run.place()
  const artifactId = run.claim('artifact', id == null ? `${type}:${place.part}` : `${type}:${id}`)
  if (id != null) run.data.set(key, artifactId)
  const meta = toMeta({ ...place, type, id: id ?? undefined })
  run.emit('artifact.created', { artifactId, name: name || 'data', content }, { meta })
}

/** The key of a data part in `run.data`; no two pairs of type and id share one. */
export const dataKey = (type: string, id: unknown) => JSON.stringify([type, id])

/** Takes a source that the model names. */
export function addSource(run: AiSdkRun, chunk: UIMessageChunkOf<'source-url' | 'source-document'>): void {
  const { type, sourceId, providerMetadata } = chunk
  const isDocument = type === 'source-document'
  const title = chunk.title ?? undefined
  const stated = isDocument
    ? { mediaType: chunk.mediaType, title, filename: chunk.filename ?? undefined }
    : { url: chunk.url, title }
  createPart(run, {
    wish: `source:${sourceId}`,
    name: title || (isDocument ? chunk.filename : chunk.url) || sourceId || 'source',
    mediaType: isDocument ? chunk.mediaType : undefined,
    content: omitUndefined({ sourceId, ...stated }),
    meta: { type, providerMetadata: providerMetadata ?? undefined },
  })
}

/** Takes a file that the model made; `url` is what stands for it in state. */
export function addFile(
  run: AiSdkRun,
  { type, mediaType, providerMetadata }: UIMessageChunkOf<'file' | 'reasoning-file'>,
  { url, isStored }: { url: string; isStored: boolean },
): void {
  createPart(run, {
    wish: `file:${run.nextPart}`,
    name: mediaType || 'file',
    mediaType,
    content: { url, mediaType },
    meta: { type, providerMetadata: providerMetadata ?? undefined, isStored: isStored || undefined },
  })
}

function createPart(
  run: AiSdkRun,
  part: { wish: string; name: string; mediaType: string | undefined; content: unknown; meta: AiSdkMeta },
): void {
  const { wish, name, mediaType, content } = part
  const meta = toMeta({ ...run.place(), ...part.meta })
  const artifactId = run.claim('artifact', wish)
  run.emit('artifact.created', { artifactId, name, ...(mediaType && { mediaType }), content }, { meta })
}

/** Completes what nothing more comes of once its step is over: sources and files, not data that is updated. */
export function completeArtifacts(run: AiSdkRun): void {
  for (const { kind, id, meta } of run.open.values()) {
    const isOver = kind === 'artifact' && /^(source-|file$|reasoning-file$)/.test(meta.type ?? '')
    if (isOver) run.emit('artifact.completed', { artifactId: id })
  }
}

/** Takes what a person said to the model while it worked. */
export function addSteering(run: AiSdkRun, { id, parts }: UIMessageChunkOf<'steering-message'>): void {
  const content = parts.map(
    (part): AgentContentPart =>
      part.type === 'text'
        ? { type: 'text', text: part.text ?? '' }
        : {
            type: 'file',
            ...omitUndefined({
              url: part.url ?? undefined,
              mediaType: part.mediaType ?? undefined,
              name: part.filename ?? undefined,
            }),
          },
  )
  const messageId = run.claim('message', `steering:${id}`)
  const meta = toMeta({ ...run.place(), type: 'steering-message', id, parts })
  run.emit('message.started', { messageId, role: 'user', content }, { meta })
  run.emit('message.completed', { messageId })
}

const recordId = 'ui-message'

/** Keeps what the message has besides its parts, in an artifact that no timeline shows. */
export function keepRecord(run: AiSdkRun, change: Partial<AiSdkRun['record']>): void {
  const next = { ...run.record, ...change }
  if (JSON.stringify(next) === JSON.stringify(run.record)) return
  run.record = next
  const content = omitUndefined({ ...next, messageId: run.messageId })
  if (run.hasRecord) return run.emit('artifact.updated', { artifactId: recordId, content })
  run.hasRecord = true
  const meta = { hidden: true, ...toMeta({ type: recordId }) }
  run.emit('artifact.created', { artifactId: recordId, name: recordId, content }, { meta })
}

/** Merges metadata as the AI SDK's client does: records deeply, anything else by the later value. */
export function mergeMetadata(base: unknown, added: unknown): unknown {
  if (!isRecord(base) || !isRecord(added)) return added
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(added)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') continue
    merged[key] = Object.hasOwn(merged, key) ? mergeMetadata(merged[key], value) : value
  }
  return merged
}

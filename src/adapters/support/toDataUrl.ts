import { getMediaType } from './getMediaType.ts'

/** Where an image or a file is: its URL, or its bytes as one; nothing where it has neither. */
export function toDataUrl(part: {
  readonly type: string
  readonly url?: string | undefined
  readonly data?: unknown
  readonly mediaType?: string | undefined
}): string | undefined {
  const { url, data } = part
  if (url !== undefined) return url
  if (typeof data !== 'string') return undefined
  return data.startsWith('data:') ? data : `data:${getMediaType(part)};base64,${data}`
}

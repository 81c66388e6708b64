/** Where an image or a file is: its URL, or its bytes as one; nothing where it has neither. */
export function toDataUrl(part: {
  readonly url?: string | undefined
  readonly data?: unknown
  readonly mediaType?: string | undefined
}): string | undefined {
  const { url, data, mediaType = 'application/octet-stream' } = part
  if (url !== undefined) return url
  if (typeof data !== 'string') return undefined
  return data.startsWith('data:') ? data : `data:${mediaType};base64,${data}`
}

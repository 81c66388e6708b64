import { createUuid } from '../../protocol/createUuid.ts'

/** Where large files that a model made are kept instead of the state. */
export interface AiSdkFiles {
  /** Takes a `data:` URL and gives what stands for it in state: an address to show it by, or any name. */
  put(url: string, file: { mediaType: string }): string
  /** Gives back what was put, for a request that sends it on; `undefined` where it is gone. */
  get(reference: string): string | undefined
}

const defaultMaxSize = 64 * 1024 * 1024

/**
 * Keeps files in memory, as long as the page lives and there is room: beyond `maxSize` characters (64 Mi by default)
 * those that were used longest ago go, but for the latest. A file that is gone, as those of a page before are, is left
 * out of later requests, and its address shows nothing any more.
 *
 * @experimental
 * @example
 * const files = createMemoryAiSdkFiles({ maxSize: 16 * 1024 * 1024 })
 */
export function createMemoryAiSdkFiles(options: { maxSize?: number | undefined } = {}): AiSdkFiles {
  const { maxSize = defaultMaxSize } = options
  // Put last whenever they are used, as a map is read in the order in which its keys came.
  const urls = new Map<string, string>()
  const references = new Map<string, string>()
  let size = 0

  function keep(reference: string, url: string): void {
    urls.delete(reference)
    urls.set(reference, url)
  }

  function makeRoom(): void {
    for (const [reference, url] of urls) {
      if (size <= maxSize || urls.size === 1) return
      urls.delete(reference)
      references.delete(url)
      size -= url.length
      // Its bytes are kept as long as it has an address.
      if (reference.startsWith('blob:')) URL.revokeObjectURL(reference)
    }
  }

  return {
    put(url) {
      // Unlike those of a page before, whose names may stand in a restored state.
      const reference = references.get(url) ?? toObjectUrl(url) ?? `ai-sdk-file:${createUuid()}`
      if (!references.has(url)) size += url.length
      references.set(url, reference)
      keep(reference, url)
      makeRoom()
      return reference
    },
    get(reference) {
      const url = urls.get(reference)
      if (url !== undefined) keep(reference, url)
      return url
    },
  }
}

/** An address that an image can be shown by, where the host makes such and the URL is base64. */
function toObjectUrl(url: string): string | undefined {
  const parts = /^data:([^;,]*);base64,/.exec(url)
  if (!parts || typeof URL.createObjectURL !== 'function') return undefined
  try {
    const bytes = Uint8Array.from(atob(url.slice(parts[0].length)), (character) => character.charCodeAt(0))
    return URL.createObjectURL(new Blob([bytes], { type: parts[1] }))
  } catch {
    // What is no base64 is kept all the same.
    return undefined
  }
}

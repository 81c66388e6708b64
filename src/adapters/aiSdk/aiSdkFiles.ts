import { createUuid } from '../../protocol/createUuid.ts'

/** Where large files that a model made are kept instead of the state. */
export interface AiSdkFiles {
  /** Takes a `data:` URL and gives what stands for it in state: an address to show it by, or any name. */
  put(url: string, file: { mediaType: string }): string
  /** Gives back what was put, for a request that sends it on; `undefined` where it is gone. */
  get(reference: string): string | undefined
}

/**
 * Keeps files in memory, as long as the page lives: a file of a page before is left out of later requests.
 *
 * @experimental
 * @example
 * const files = createMemoryAiSdkFiles()
 */
export function createMemoryAiSdkFiles(): AiSdkFiles {
  const urls = new Map<string, string>()
  const references = new Map<string, string>()
  return {
    put(url) {
      const known = references.get(url)
      if (known !== undefined) return known
      // Unlike those of a page before, whose names may stand in a restored state.
      const reference = toObjectUrl(url) ?? `ai-sdk-file:${createUuid()}`
      urls.set(reference, url)
      references.set(url, reference)
      return reference
    },
    get: (reference) => urls.get(reference),
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

const prefix = '#/documents/'

/** The address of a document: `#/documents/ID`. */
export const documentHash = {
  format: (documentId: string) => prefix + encodeURIComponent(documentId),
  parse(hash: string): string | null {
    if (!hash.startsWith(prefix)) return null
    try {
      return decodeURIComponent(hash.slice(prefix.length)) || null
    } catch {
      return null
    }
  },
}

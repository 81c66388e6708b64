/** The cache tag of one document; prefixed, as RTK Query keeps tags in plain objects, which `__proto__` would break. */
export const documentTag = (documentId: string) => ({ type: 'Document' as const, id: `id:${documentId}` })

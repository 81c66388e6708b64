import { documentsApi } from './documentsApi.ts'

const emptyDocument = { title: 'Untitled', content: '' }

/** Makes an empty document; the workspace then opens it by itself. */
export function useCreateDocument() {
  const [create, { isLoading }] = documentsApi.useCreateDocumentMutation()
  return { createDocument: () => void create(emptyDocument), isCreating: isLoading }
}

import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
import { encodePathSegment } from 'redux-agent'
import * as z from 'zod/mini'
import { documentSchema, type WorkspaceDocument } from './documentSchema.ts'
import { documentSummarySchema, type DocumentSummary } from './documentSummarySchema.ts'
import { documentTag } from './documentTag.ts'

export interface DocumentUpdate {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly expectedVersion: number
}

const path = (id: string) => `/documents/${encodePathSegment(id)}`
const listSchema = z.object({ documents: z.array(documentSummarySchema) })

/** The documents of the server. Whoever else changes them invalidates its `documentTag` and `DocumentList`. */
export const documentsApi = createApi({
  reducerPath: 'documentsApi',
  baseQuery: fetchBaseQuery({ baseUrl: '/api' }),
  tagTypes: ['Document', 'DocumentList'],
  refetchOnFocus: true,
  refetchOnReconnect: true,
  endpoints: (build) => ({
    listDocuments: build.query<DocumentSummary[], void>({
      query: () => '/documents',
      rawResponseSchema: listSchema,
      transformResponse: (response: z.infer<typeof listSchema>) => response.documents,
      providesTags: ['DocumentList'],
    }),

    getDocument: build.query<WorkspaceDocument, string>({
      query: path,
      responseSchema: documentSchema,
      providesTags: (_document, _error, id) => [documentTag(id)],
    }),

    createDocument: build.mutation<WorkspaceDocument, { title: string; content: string }>({
      query: (body) => ({ url: '/documents', method: 'POST', body }),
      responseSchema: documentSchema,
      invalidatesTags: (document) => (document ? ['DocumentList'] : []),
    }),

    updateDocument: build.mutation<WorkspaceDocument, DocumentUpdate>({
      query: ({ id, ...body }) => ({ url: path(id), method: 'PATCH', body }),
      responseSchema: documentSchema,
      // After a conflict too: the editor then shows what it conflicts with.
      invalidatesTags: (_document, _error, { id }) => [documentTag(id), 'DocumentList'],
      async onQueryStarted({ id, title, content }, { dispatch, queryFulfilled }) {
        const patches = [
          dispatch(
            documentsApi.util.updateQueryData('getDocument', id, (document) => {
              document.title = title
              document.content = content
            }),
          ),
          dispatch(
            documentsApi.util.updateQueryData('listDocuments', undefined, (documents) => {
              const summary = documents.find((document) => document.id === id)
              if (summary) summary.title = title
            }),
          ),
        ]
        try {
          const { data } = await queryFulfilled
          dispatch(documentsApi.util.updateQueryData('getDocument', id, () => data))
        } catch {
          for (const patch of patches) patch.undo()
        }
      },
    }),

    deleteDocument: build.mutation<void, string>({
      query: (id) => ({ url: path(id), method: 'DELETE', responseHandler: 'text' }),
      transformResponse: () => undefined,
      invalidatesTags: ['DocumentList'],
      async onQueryStarted(id, { dispatch, queryFulfilled }) {
        const patch = dispatch(
          documentsApi.util.updateQueryData('listDocuments', undefined, (documents) =>
            documents.filter((document) => document.id !== id),
          ),
        )
        try {
          await queryFulfilled
        } catch {
          patch.undo()
        }
      },
    }),
  }),
})

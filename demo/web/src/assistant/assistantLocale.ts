import { enUS, type AgentLocale } from 'redux-agent/react'

/** The components' words, with what this workspace's tools do. */
export const assistantLocale: AgentLocale = {
  ...enUS,
  tool: {
    ...enUS.tool,
    names: {
      document_search: 'Search documents',
      document_read: 'Read a document',
      document_write: 'Write a document',
      document_update: 'Change a document',
      publish_document: 'Publish a document',
      memory_write: 'Remember something',
      ask_user: 'Ask a question',
    },
  },
}

import { withEnglishWords } from '../glossary.ts'
import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import { speak } from '../speak.ts'
import { cleanTarget } from './cleanTarget.ts'
import { getMatches } from './getMatches.ts'
import { sayOnly } from './sayOnly.ts'

/** A document as it was read in this turn. */
export interface ReadDocument {
  documentId: string
  title: string
  content: string
}

const deictic = [
  /^(?:it|this|that)$/i,
  /^(?:this|that|the|the current|the open) (?:document|doc|page|text|one)$/i,
  /^(?:它|(?:这篇|这个|当前|本)(?:文档|文章|页面)?)$/,
]

/** Finds and reads the document that a person means: a step on the way there, or the document. */
export function locateDocument(
  context: TurnContext,
  target: string,
): { step: PlannedStep } | { document: ReadDocument } {
  const read = context.calls.find((call) => call.name === 'document_read')
  if (read !== undefined) {
    if (read.result.kind === 'done') return { document: read.result.result as unknown as ReadDocument }
    return { step: sayOnly(context, 'notFound', { target }) }
  }
  const search = context.calls.find((call) => call.name === 'document_search')
  if (search !== undefined) {
    const found = getMatches(search)[0]
    if (found === undefined) return { step: sayOnly(context, 'notFound', { target }) }
    return { step: readStep(found.id, speak(context, 'readThought', { title: found.title })) }
  }
  if (target === '' || deictic.some((pattern) => pattern.test(cleanTarget(target)))) {
    const documentId = context.currentDocumentId ?? context.lastDocumentId
    if (documentId === undefined) return { step: sayOnly(context, 'whichDocument') }
    return { step: readStep(documentId, speak(context, 'readOpenThought')) }
  }
  const name = cleanTarget(target)
  return {
    step: {
      reasoning: speak(context, 'searchThought', { target: name }),
      text: speak(context, 'search', { target: name }),
      toolCalls: [{ name: 'document_search', arguments: { query: withEnglishWords(name) } }],
    },
  }
}

function readStep(documentId: string, reasoning: string): PlannedStep {
  return { reasoning, text: '', toolCalls: [{ name: 'document_read', arguments: { documentId } }] }
}

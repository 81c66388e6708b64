import { withEnglishWords } from '../glossary.ts'
import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import { speak } from '../speak.ts'
import { splitBlocks } from '../splitBlocks.ts'
import { cleanTarget } from './cleanTarget.ts'
import { getMatches } from './getMatches.ts'
import type { ReadDocument } from './locateDocument.ts'
import { sayOnly } from './sayOnly.ts'

/** Sets two documents side by side; both are looked for, then read, at the same time. */
export function planCompare(intent: { one: string; other: string }, context: TurnContext): PlannedStep {
  const targets = [cleanTarget(intent.one), cleanTarget(intent.other)]
  const searches = context.calls.filter((call) => call.name === 'document_search')
  if (searches.length < 2) {
    return {
      reasoning: speak(context, 'compareThought'),
      text: '',
      toolCalls: targets.map((target) => ({
        name: 'document_search',
        arguments: { query: withEnglishWords(target) },
      })),
    }
  }
  const found = searches.map((search) => getMatches(search)[0])
  const missing = found.findIndex((match) => match === undefined)
  if (missing >= 0) return sayOnly(context, 'notFound', { target: targets[missing] ?? '' })
  const reads = context.calls.filter((call) => call.name === 'document_read')
  if (reads.length < 2) {
    return {
      reasoning: speak(context, 'compareReadThought'),
      text: '',
      toolCalls: found.map((match) => ({ name: 'document_read', arguments: { documentId: match!.id } })),
    }
  }
  const [one, other] = reads.map((read) =>
    read.result.kind === 'done' ? describe(read.result.result as unknown as ReadDocument) : undefined,
  )
  if (one === undefined || other === undefined) return sayOnly(context, 'notFound', { target: targets.join(', ') })
  const values = {
    one: one.title,
    oneWords: one.words,
    oneSections: one.sections,
    oneHeadings: one.headings,
    other: other.title,
    otherWords: other.words,
    otherSections: other.sections,
    otherHeadings: other.headings,
  }
  return { reasoning: speak(context, 'compareSameThought'), text: speak(context, 'compare', values), toolCalls: [] }
}

function describe({ title, content }: ReadDocument) {
  const headings = [...new Set(splitBlocks(content).map((block) => block.heading))].filter((heading) => heading !== '')
  const words = content.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu)?.length ?? 0
  return { title, words: String(words), sections: String(headings.length), headings: headings.join(', ') }
}

import { withEnglishWords } from '../glossary.ts'
import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import { quoteLines } from '../quoteLines.ts'
import { speak } from '../speak.ts'
import { summarize } from '../summarize.ts'
import { getMatches } from './getMatches.ts'
import { locateDocument } from './locateDocument.ts'
import { sayOnly } from './sayOnly.ts'

const summary = /^(?:summari[sz]e|give me a summary of) +|^(?:总结|概括)(?:一下)?/i

/** Answers from the documents, in their own words. */
export function planAnswer(intent: { question: string }, context: TurnContext): PlannedStep {
  const question = intent.question.replace(/[?？]+$/, '')
  const search = context.calls.find((call) => call.name === 'document_search')
  if (search !== undefined && getMatches(search).length === 0) return sayOnly(context, 'noAnswer')
  const isSummary = summary.test(question)
  const located = locateDocument(context, isSummary ? question.replace(summary, '') : question)
  if ('step' in located) return located.step
  const { title, content } = located.document
  const reasoning = speak(context, 'answerThought', { title })
  if (isSummary) {
    const points = summarize(content).map((point) => `- ${point}`)
    return { reasoning, text: speak(context, 'summary', { title, points: points.join('\n') }), toolCalls: [] }
  }
  const quotes = quoteLines(content, withEnglishWords(question)).map((line) => `> ${line}`)
  if (quotes.length === 0) return { ...sayOnly(context, 'noAnswer'), reasoning }
  return { reasoning, text: speak(context, 'answer', { title, quotes: quotes.join('\n>\n') }), toolCalls: [] }
}

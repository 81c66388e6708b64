import { listLimits, type Limit } from '../listLimits.ts'
import type { PlannedStep, TurnCall, TurnContext } from '../plannedStep.ts'
import type { PhraseKey } from '../phrases.ts'
import { speak } from '../speak.ts'
import { locateDocument } from './locateDocument.ts'
import { proposeCall } from './proposeCall.ts'
import { sayOnly } from './sayOnly.ts'

const maxOptions = 20

/** Changes a limit that only the person can name: find and read the document, ask which, ask what instead, propose. */
export function planChoice(intent: { target: string }, context: TurnContext): PlannedStep {
  const located = locateDocument(context, intent.target)
  if ('step' in located) return located.step
  const { documentId, title, content } = located.document
  const limits = listLimits(content).slice(0, maxOptions)
  if (limits.length === 0) return sayOnly(context, 'noLimits', { title })
  const [which, instead] = context.calls.filter(({ name }) => name === 'ask_user')

  if (which === undefined) {
    const options = limits.map(({ label }) => label)
    return ask(context, { thought: 'whichThought', question: 'whichLimit', values: { title }, options })
  }
  const answer = readAnswer(context, which)
  if (typeof answer !== 'string') return answer
  const limit = findLimit(limits, answer)
  if (limit === undefined) return sayOnly(context, 'limitUnclear', { title, answer })

  if (instead === undefined) {
    return ask(context, { thought: 'insteadThought', question: 'insteadOfLimit', values: { limit: limit.label } })
  }
  const given = readAnswer(context, instead)
  if (typeof given !== 'string') return given
  // A bare number keeps the unit.
  const to = /^[\d.,]+$/.test(given) ? limit.amount.replace(/\d[\d.,]*/, () => given) : given
  const { start, amount } = limit
  return proposeCall(context, {
    name: 'document_update',
    arguments: { documentId, content: content.slice(0, start) + to + content.slice(start + amount.length) },
    thought: 'changeThought',
    say: 'replaceSay',
    plan: 'replacePlan',
    done: 'replaceDone',
    values: { title, from: amount, to },
  })
}

function ask(
  context: TurnContext,
  options: { thought: PhraseKey; question: PhraseKey; values: Record<string, string>; options?: string[] },
): PlannedStep {
  const question = speak(context, options.question, options.values)
  // Where nobody can be asked, the question is the answer.
  if (!context.tools.has('ask_user')) return sayOnly(context, options.question, options.values)
  const offered = options.options && { options: options.options }
  return {
    reasoning: speak(context, options.thought, options.values),
    text: '',
    toolCalls: [{ name: 'ask_user', arguments: { question, ...offered } }],
  }
}

/** What the person said, or the step that ends the turn where they said nothing. */
function readAnswer(context: TurnContext, { result }: TurnCall): string | PlannedStep {
  if (result.kind === 'rejected') return sayOnly(context, 'rejected')
  if (result.kind === 'failed') return sayOnly(context, 'failed', { message: result.message })
  return String(result.result.answer ?? '').trim()
}

/** The limit that an answer names: by its label, its amount (the longest of several that end alike), or some words. */
function findLimit(limits: readonly Limit[], answer: string): Limit | undefined {
  const said = answer.toLowerCase()
  return (
    limits.find(({ label }) => label.toLowerCase() === said) ??
    limits
      .filter(({ amount }) => said.includes(amount.toLowerCase()))
      .sort((one, other) => other.amount.length - one.amount.length)[0] ??
    limits.find(({ label }) => said !== '' && label.toLowerCase().includes(said))
  )
}

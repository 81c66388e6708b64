import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import type { Intent } from '../intent.ts'
import { shorten } from '../shorten.ts'
import { speak } from '../speak.ts'
import { cleanTarget } from './cleanTarget.ts'
import { locateDocument, type ReadDocument } from './locateDocument.ts'
import { sayOnly } from './sayOnly.ts'
import { proposeCall, type Proposal } from './proposeCall.ts'

type Change = Extract<Intent, { kind: 'add' | 'shorten' | 'rename' | 'replace' }>

/** Changes a document: find it, read it, propose the whole new text. */
export function planChange(intent: Change, context: TurnContext): PlannedStep {
  const { target, body } = intent.kind === 'add' ? splitBody(intent) : { target: intent.target, body: undefined }
  const located = locateDocument(context, target)
  if ('step' in located) return located.step
  const { document } = located
  const proposal = describeChange(context, intent, document, body)
  return 'say' in proposal ? proposeCall(context, proposal) : proposal
}

/** "… about parking to the guide: There are ten spaces." carries the words of the section. */
function splitBody({ target }: { target: string }): { target: string; body: string | undefined } {
  const found = /^([^:：]+?)[:：] *(.+)$/.exec(target)
  return found === null ? { target, body: undefined } : { target: found[1]!, body: found[2] }
}

function describeChange(
  context: TurnContext,
  intent: Change,
  document: ReadDocument,
  body: string | undefined,
): Proposal | PlannedStep {
  const { documentId, title, content } = document
  const base = { name: 'document_update', thought: 'changeThought' as const }
  switch (intent.kind) {
    case 'add': {
      const topic = cleanTopic(intent.topic)
      const heading = topic.charAt(0).toUpperCase() + topic.slice(1)
      const text = body ?? speak(context, 'sectionBody', { topic })
      return {
        ...base,
        arguments: { documentId, content: `${content.trimEnd()}\n\n## ${heading}\n\n${text}\n` },
        say: 'addSay',
        plan: 'addPlan',
        done: 'addDone',
        values: { title, heading },
      }
    }
    case 'shorten': {
      // Once the change was proposed, the text that was read is still the old one, so that it is only looked at before.
      const shorter = shorten(content)
      if (shorter.trim() === content.trim()) return sayOnly(context, 'nothingToShorten', { title })
      const words = { say: 'shortenSay', plan: 'shortenPlan', done: 'shortenDone' } as const
      return { ...base, ...words, arguments: { documentId, content: shorter }, values: { title } }
    }
    case 'rename': {
      const name = cleanTarget(intent.title)
      const heading = `# ${title}\n`
      const renamed = content.startsWith(heading) ? { content: `# ${name}\n${content.slice(heading.length)}` } : {}
      const words = { say: 'renameSay', plan: 'renamePlan', done: 'renameDone' } as const
      return { ...base, ...words, arguments: { documentId, title: name, ...renamed }, values: { title, name } }
    }
    case 'replace': {
      const { from, to } = intent
      if (!content.includes(from)) return sayOnly(context, 'textNotThere', { title, from })
      const changed = content.replaceAll(from, () => to)
      const words = { say: 'replaceSay', plan: 'replacePlan', done: 'replaceDone' } as const
      return { ...base, ...words, arguments: { documentId, content: changed }, values: { title, from, to } }
    }
    default:
      return intent satisfies never
  }
}

function cleanTopic(topic: string): string {
  return cleanTarget(topic)
    .replace(/^(?:a|an|some) +/i, '')
    .replace(/ (?:section|paragraph|chapter)$/i, '')
}

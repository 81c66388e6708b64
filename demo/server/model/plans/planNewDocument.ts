import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import { speak } from '../speak.ts'
import { cleanTarget } from './cleanTarget.ts'
import { proposeCall } from './proposeCall.ts'

/** Drafts a new document about a topic. */
export function planNewDocument(intent: { topic: string }, context: TurnContext): PlannedStep {
  const topic = cleanTarget(intent.topic)
  const title = topic.charAt(0).toUpperCase() + topic.slice(1)
  return proposeCall(context, {
    name: 'document_write',
    arguments: { title, content: speak(context, 'documentBody', { title, topic }) },
    thought: 'writeThought',
    say: 'writeSay',
    plan: 'writePlan',
    done: 'writeDone',
    values: { title, topic },
  })
}

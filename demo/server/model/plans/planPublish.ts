import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import { locateDocument } from './locateDocument.ts'
import { proposeCall } from './proposeCall.ts'

/** Publishes a document: find it, read it, ask. */
export function planPublish(intent: { target: string }, context: TurnContext): PlannedStep {
  const located = locateDocument(context, intent.target)
  if ('step' in located) return located.step
  const { documentId, title } = located.document
  const published = context.calls.findLast((call) => call.name === 'publish_document')
  const version = published?.result.kind === 'done' ? String(published.result.result.version) : ''
  return proposeCall(context, {
    name: 'publish_document',
    arguments: { documentId },
    thought: 'publishThought',
    say: 'publishSay',
    plan: 'publishPlan',
    done: 'publishDone',
    failed: 'publishFailed',
    values: { title, version },
  })
}

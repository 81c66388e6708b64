import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import type { PhraseKey } from '../phrases.ts'
import { speak } from '../speak.ts'
import { sayOnly } from './sayOnly.ts'

/** A tool call that a person has to confirm, with all that may be said around it. */
export interface Proposal {
  name: string
  arguments: Record<string, unknown>
  thought: PhraseKey
  say: PhraseKey
  plan: PhraseKey
  done: PhraseKey
  rejected?: PhraseKey
  failed?: PhraseKey
  values: Record<string, string>
}

/** Proposes it, or, once it was proposed, says what came of it. */
export function proposeCall(context: TurnContext, proposal: Proposal): PlannedStep {
  const { name, values } = proposal
  const call = context.calls.findLast((made) => made.name === name)
  if (call === undefined) {
    if (!context.tools.has(name)) {
      return sayOnly(context, 'planOnly', { plan: speak(context, proposal.plan, values) })
    }
    return {
      reasoning: speak(context, proposal.thought, values),
      text: speak(context, proposal.say, values),
      toolCalls: [{ name, arguments: proposal.arguments }],
    }
  }
  const { result } = call
  if (result.kind === 'rejected') return sayOnly(context, proposal.rejected ?? 'rejected')
  if (result.kind === 'failed') return sayOnly(context, proposal.failed ?? 'failed', { message: result.message })
  // After an edit only the tool's answer says what is true now.
  if (result.edited !== undefined) return sayOnly(context, 'edited')
  return sayOnly(context, proposal.done, values)
}

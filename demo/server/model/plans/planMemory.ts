import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import type { Intent } from '../intent.ts'
import { speak } from '../speak.ts'
import { sayOnly } from './sayOnly.ts'
import { proposeCall } from './proposeCall.ts'

/** Keeps something for later, or says what was kept. */
export function planMemory(
  intent: Extract<Intent, { kind: 'remember' | 'recall' }>,
  context: TurnContext,
): PlannedStep {
  if (intent.kind === 'recall') {
    const list = context.memories.map((memory) => `- ${memory}`).join('\n')
    const said = list === '' ? sayOnly(context, 'recallNothing') : sayOnly(context, 'recall', { list })
    return { ...said, reasoning: speak(context, 'recallThought') }
  }
  return proposeCall(context, {
    name: 'memory_write',
    arguments: { text: intent.text },
    thought: 'rememberThought',
    say: 'rememberSay',
    plan: 'rememberPlan',
    done: 'rememberDone',
    rejected: 'rememberRejected',
    values: { text: intent.text },
  })
}

import type { PhraseKey } from '../phrases.ts'
import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import { speak } from '../speak.ts'

/** A step that ends the turn with words. */
export function sayOnly(
  context: TurnContext,
  key: PhraseKey,
  values: Record<string, string> = {},
): PlannedStep {
  return { reasoning: '', text: speak(context, key, values), toolCalls: [] }
}

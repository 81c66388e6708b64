import type { ChatRequest } from './chatRequest.ts'
import { readIntent } from './readIntent.ts'
import { readTurn } from './readTurn.ts'
import type { PlannedStep, TurnContext } from './plannedStep.ts'
import { planAnswer } from './plans/planAnswer.ts'
import { planChange } from './plans/planChange.ts'
import { planChoice } from './plans/planChoice.ts'
import { planCompare } from './plans/planCompare.ts'
import { planList } from './plans/planList.ts'
import { planMemory } from './plans/planMemory.ts'
import { planNewDocument } from './plans/planNewDocument.ts'
import { planPublish } from './plans/planPublish.ts'
import { speak } from './speak.ts'

/** Decides the next step from nothing but the messages, as a model does: the same messages give the same step. */
export function planStep(request: ChatRequest): PlannedStep {
  const context: TurnContext = readTurn(request)
  const intent = readIntent(context.prompt)
  switch (intent.kind) {
    case 'remember':
    case 'recall':
      return planMemory(intent, context)
    case 'publish':
      return planPublish(intent, context)
    case 'write':
      return planNewDocument(intent, context)
    case 'add':
    case 'shorten':
    case 'rename':
    case 'replace':
      return planChange(intent, context)
    case 'choose':
      return planChoice(intent, context)
    case 'list':
      return planList(context)
    case 'compare':
      return planCompare(intent, context)
    case 'ask':
      return planAnswer(intent, context)
    case 'unknown':
      return { reasoning: speak(context, 'unknownThought'), text: speak(context, 'help'), toolCalls: [] }
    default:
      return intent satisfies never
  }
}

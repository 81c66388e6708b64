import type { PlannedStep, TurnContext } from '../plannedStep.ts'
import { speak } from '../speak.ts'
import { getMatches } from './getMatches.ts'
import { sayOnly } from './sayOnly.ts'

/** Lists the documents. */
export function planList(context: TurnContext): PlannedStep {
  const search = context.calls.find((call) => call.name === 'document_search')
  if (search === undefined) {
    return {
      reasoning: speak(context, 'listThought'),
      text: '',
      toolCalls: [{ name: 'document_search', arguments: { query: '' } }],
    }
  }
  const list = getMatches(search).map(({ title }) => `- ${title}`)
  return sayOnly(context, 'list', { list: list.join('\n') })
}

import type { PlannedStep } from './plannedStep.ts'

/** A piece of a choice, as the wire carries it. */
export type StepDelta = Record<string, unknown>

/** Cuts a step into the pieces in which a model would send it. */
export function splitStep(
  step: PlannedStep,
  options: { thinking: boolean; createCallId(index: number): string },
): StepDelta[] {
  const deltas: StepDelta[] = [{ role: 'assistant', content: null }]
  if (options.thinking) for (const token of tokenize(step.reasoning)) deltas.push({ reasoning_content: token })
  for (const token of tokenize(step.text)) deltas.push({ content: token })
  for (const [index, call] of step.toolCalls.entries()) {
    const id = options.createCallId(index)
    deltas.push({ tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] })
    // A whole document word by word would keep the person waiting.
    for (const piece of JSON.stringify(call.arguments).match(/[^]{1,12}/gu) ?? []) {
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  return deltas
}

/** Words with the space before them, and single Chinese characters: about what a real tokenizer makes. */
function tokenize(text: string): string[] {
  return text.match(/\s*(?:\p{Script=Han}|[\p{L}\p{N}]{1,8}|[^\p{L}\p{N}\s]{1,3})|\s+/gu) ?? []
}

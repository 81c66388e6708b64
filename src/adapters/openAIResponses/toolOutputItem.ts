import type { OpenAIFields } from '../openAI/openAIProviderOptions.ts'
import { notRun, toToolText } from '../openAI/toolText.ts'

/**
 * The item that answers a call, by the call's own kind; a call that nobody answered is answered by that, since the wire
 * takes no further input without. A result that names the kind of its own item goes as it is.
 */
export function toolOutputItem(
  call: { readonly id: string; readonly type: string },
  answer: { readonly result: unknown } | undefined,
): OpenAIFields {
  const { id, type } = call
  const outputType = `${type}_output`
  const result = answer?.result
  if (isItem(result, outputType)) return { call_id: id, ...result }
  const stated = { type: outputType, call_id: id }
  switch (type) {
    case 'shell_call':
      return { ...stated, output: answer && Array.isArray(result) ? result : toShellOutput(answer) }
    case 'local_shell_call':
      return { type: outputType, id, output: answer ? toToolText(result) : notRun }
    case 'apply_patch_call':
      return { ...stated, status: answer ? 'completed' : 'failed', output: answer ? toToolText(result) : notRun }
    default:
      return { ...stated, output: answer ? toToolText(result) : notRun }
  }
}

function toShellOutput(answer: { readonly result: unknown } | undefined): OpenAIFields[] {
  const outcome = { type: 'exit', exit_code: answer ? 0 : 1 }
  return [{ stdout: answer ? toToolText(answer.result) : '', stderr: answer ? '' : notRun, outcome }]
}

const isItem = (result: unknown, type: string): result is OpenAIFields =>
  typeof result === 'object' && result !== null && 'type' in result && result.type === type

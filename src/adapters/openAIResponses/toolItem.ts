import type { AgentError } from '../../protocol/agentError.ts'
import { toJsonStringPiece } from '../openAI/toJsonStringPiece.ts'
import { readName, readText, type WireFields } from './responseFields.ts'

/** What became of a call: its result, its error, or that it is the app's to run. */
export type ToolOutcome =
  | { readonly kind: 'completed'; readonly result?: unknown }
  | { readonly kind: 'failed'; readonly error: AgentError }
  | { readonly kind: 'handed' }

/** How the pieces of a call's arguments, as they stream, become one JSON text. */
export interface ArgumentsFrame {
  readonly before: string
  /** Makes a piece of the JSON text of what streams. */
  toPiece(text: string): string
  /** What streams, whole. */
  getText(item: WireFields): string
  after(item: WireFields): string
}

/** How a kind of call is read; `item` is the output item as the wire has it. */
interface ToolItemKind {
  readonly name?: string
  /** Whether the app runs it and answers by `call_id`. */
  readonly isApps?: boolean
  readonly frame?: ArgumentsFrame
  getArguments?(item: WireFields): unknown
  getResult?(item: WireFields): unknown
}

/** Of text that stands inside a JSON string. */
const ofText = (field: string, before: string, after: ArgumentsFrame['after']): ArgumentsFrame => ({
  before,
  toPiece: toJsonStringPiece,
  getText: (item) => readText(item[field]) ?? '',
  after,
})

const plain: ArgumentsFrame = {
  before: '',
  toPiece: (text) => text,
  getText: (item) => readText(item.arguments) ?? '',
  after: () => '',
}

const kinds: ReadonlyMap<string, ToolItemKind> = new Map<string, ToolItemKind>([
  ['function_call', { isApps: true }],
  ['custom_tool_call', { isApps: true, frame: ofText('input', '"', () => '"'), getArguments: ({ input }) => input }],
  ['local_shell_call', { name: 'local_shell', isApps: true, getArguments: ({ action }) => action }],
  ['shell_call', { name: 'shell', isApps: true, getArguments: ({ action }) => action }],
  ['apply_patch_call', { name: 'apply_patch', isApps: true, getArguments: ({ operation }) => operation }],
  ['computer_call', { name: 'computer', isApps: true, getArguments: ({ action, actions }) => actions ?? action }],
  [
    'web_search_call',
    {
      name: 'web_search',
      getArguments: ({ action }) => action,
      getResult: ({ action, results }) => results ?? (action as WireFields | undefined)?.sources,
    },
  ],
  [
    'file_search_call',
    {
      name: 'file_search',
      getArguments: ({ queries }) => (queries === undefined ? undefined : { queries }),
      getResult: ({ results }) => results,
    },
  ],
  [
    'code_interpreter_call',
    {
      name: 'code_interpreter',
      frame: ofText('code', '{"code":"', (item) => {
        const container = readName(item.container_id)
        return container === undefined ? '"}' : `","container_id":${JSON.stringify(container)}}`
      }),
      getArguments: ({ code, container_id: container }) =>
        code == null ? undefined : { code, ...(readName(container) !== undefined && { container_id: container }) },
      getResult: ({ outputs }) => outputs,
    },
  ],
  [
    'image_generation_call',
    {
      name: 'image_generation',
      getArguments: ({ revised_prompt: prompt }) => (readName(prompt) === undefined ? undefined : { prompt }),
    },
  ],
  ['mcp_call', { getResult: ({ output }) => output }],
])

/** Whether an output item is a tool's call; kinds that are not known yet are told by their name. */
export const isToolItem = (type: string): boolean => kinds.has(type) || type.endsWith('_call')

export const getArgumentsFrame = (type: string): ArgumentsFrame => kinds.get(type)?.frame ?? plain

/** The id under which the call is answered, where the app may answer it, else the item's own. */
export function getToolCallId(type: string, item: WireFields): string | undefined {
  return isApps(type, item) ? readName(item.call_id) : undefined
}

export function getToolName(type: string, item: WireFields): string {
  return kinds.get(type)?.name ?? readName(item.name) ?? type.replace(/_call$/, '')
}

/** The whole arguments as JSON text; nothing where the item has none. */
export function getArguments(type: string, item: WireFields): string {
  const kind = kinds.get(type)
  if (!kind?.getArguments) return readText(item.arguments) ?? ''
  const value = kind.getArguments(item)
  return value == null ? '' : JSON.stringify(value)
}

/** Reads what became of a call whose item is done. */
export function getOutcome(type: string, item: WireFields): ToolOutcome {
  if (isApps(type, item)) return { kind: 'handed' }
  const { status, error } = item
  // What a tool's own error says may hold anything; that it failed is what counts.
  if (status === 'failed' || error != null) {
    return { kind: 'failed', error: { code: 'tool_failed', message: 'The tool failed.' } }
  }
  if (status === 'incomplete') {
    return { kind: 'failed', error: { code: 'tool_incomplete', message: 'The tool did not come to its end.' } }
  }
  const result = kinds.get(type)?.getResult?.(item)
  return { kind: 'completed', ...(result != null && { result }) }
}

const isApps = (type: string, item: WireFields) => kinds.get(type)?.isApps ?? (!kinds.has(type) && item.call_id != null)

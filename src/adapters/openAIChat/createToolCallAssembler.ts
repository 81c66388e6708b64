import { append } from '../../append.ts'
import { parseJson } from '../../parseJson.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import { customToolType } from '../openAI/customToolType.ts'
import { toJsonStringPiece } from '../openAI/toJsonStringPiece.ts'
import type { ChatToolCallDelta } from './chatChunk.ts'

/** A tool call that the model asked for. */
export interface RequestedCall {
  readonly toolCallId: string
  readonly arguments: string
}

interface OpenCall {
  /** Absent until the call is told, which waits for its whole name. */
  toolCallId: string | undefined
  name: string
  /** JSON, also of a custom tool: its text as a string that is open until the call is over. */
  arguments: string
  readonly isCustom: boolean
  /** Whether the last piece of them ends as whole arguments do: then it is worth reading them. */
  isClosed: boolean
  readonly index: number | undefined
  wireId: string | undefined
}

/** Puts tool calls together from their pieces, whether or not these carry an id or an index. */
export interface ToolCallAssembler {
  push(delta: ChatToolCallDelta): AgentEvent[]
  /** Takes a call of a message, which is all of it so far, or a piece like any other. */
  pushWhole(call: ChatToolCallDelta): AgentEvent[]
  /** Ends the calls: tells those of which nothing but a name has come, and what a custom tool's text still lacks. */
  settle(options: { isLastWhole: boolean }): AgentEvent[]
  /** The calls that were told, in their order. */
  getCalls(): readonly RequestedCall[]
}

export function createToolCallAssembler(events: AgentEventFactory, runId: string): ToolCallAssembler {
  const calls: OpenCall[] = []
  const taken = new Set<string>()

  function find({ index, id, name, arguments: text, place }: ChatToolCallDelta): OpenCall | undefined {
    const isNext = (call: OpenCall) => name !== undefined && text !== '' && isOver(call)
    if (index !== undefined) {
      const same = calls.filter((call) => call.index === index)
      const last = same.at(-1)
      if (id === undefined) return last && isNext(last) ? undefined : last
      // Some gateways number every parallel call 0: then another id that comes with a name is another call.
      const known = same.find(({ wireId }) => wireId === undefined || wireId === id)
      return known ?? (name === undefined ? last : undefined)
    }
    if (id !== undefined) return calls.find(({ wireId }) => wireId === id)
    const last = calls.at(-1)
    if (!last || name === undefined) return last
    // Without id and index a name begins a call, unless it is more of the name before, or that again.
    if (last.toolCallId === undefined) return place > 0 ? undefined : last
    return last.name !== name || isNext(last) ? undefined : last
  }

  /** The wire's own id where it is free in this run: what the model is told of the call is made of the state. */
  function claimId(wireId: string | undefined): string {
    let id = wireId ?? `${runId}:call:${taken.size}`
    while (taken.has(id)) id += `:${taken.size}`
    taken.add(id)
    return id
  }

  function tell(call: OpenCall): AgentEvent[] {
    if (call.toolCallId !== undefined || call.name === '') return []
    const index = taken.size
    call.toolCallId = claimId(call.wireId)
    const { toolCallId, name } = call
    const options = call.isCustom ? { meta: { openai: { type: customToolType } } } : {}
    return [events.create('tool.requested', { toolCallId, name, index }, options)]
  }

  /** Tells the calls that wait for more of their names, but for the one that goes on. */
  const tellOthers = (current: OpenCall | undefined) =>
    calls.flatMap((call) => (call === current ? [] : tell(call)))

  function add(call: OpenCall, { id, name = '' }: ChatToolCallDelta, text: string): AgentEvent[] {
    call.wireId ??= id
    // A name may come in pieces, or again with each piece of the arguments.
    if (call.toolCallId === undefined) call.name = name.startsWith(call.name) ? name : call.name + name
    call.arguments += text
    if (text.trim() !== '') call.isClosed = text.trimEnd().endsWith('}')
    const pushed = tellOthers(call)
    if (call.arguments === '' || call.name === '') return pushed
    const told = tell(call)
    const delta = told.length > 0 ? call.arguments : text
    append(pushed, told)
    if (delta !== '') pushed.push(events.create('tool.arguments_delta', { toolCallId: call.toolCallId!, delta }))
    return pushed
  }

  /** Ends the text of a custom tool, so that its arguments are JSON. */
  function close(call: OpenCall): AgentEvent[] {
    if (!call.isCustom || call.toolCallId === undefined) return []
    const delta = call.arguments === '' ? '""' : '"'
    call.arguments += delta
    return [events.create('tool.arguments_delta', { toolCallId: call.toolCallId, delta })]
  }

  function begin({ index, isCustom }: ChatToolCallDelta): OpenCall {
    const state = { toolCallId: undefined, name: '', arguments: '', isClosed: false, wireId: undefined }
    const call: OpenCall = { ...state, isCustom, index }
    calls.push(call)
    return call
  }

  return {
    push(delta) {
      const call = find(delta) ?? begin(delta)
      return add(call, delta, toArgumentsPiece(delta, { isFirst: call.arguments === '' }))
    },
    pushWhole(whole) {
      const { id, name, place } = whole
      const text = toArgumentsPiece(whole, { isFirst: true })
      const isSame = ({ wireId, name: known }: OpenCall) =>
        (wireId === undefined || id === undefined || wireId === id) && (name === undefined || name.startsWith(known))
      const placed = calls[place]
      const call = (id !== undefined && calls.find(({ wireId }) => wireId === id)) || (placed && isSame(placed) && placed)
      if (!call) return add(begin(whole), whole, text)
      const isKnown = text.startsWith(call.arguments)
      return add(call, whole, isKnown ? text.slice(call.arguments.length) : isOver(call) ? '' : text)
    },
    settle({ isLastWhole }) {
      const told = tellOthers(undefined)
      return [...told, ...(isLastWhole ? calls : calls.slice(0, -1)).flatMap(close)]
    },
    getCalls: () =>
      calls.flatMap(({ toolCallId, arguments: text }) =>
        toolCallId === undefined ? [] : [{ toolCallId, arguments: text }],
      ),
  }
}

/** A custom tool's text becomes a JSON string, a piece at a time. */
function toArgumentsPiece({ arguments: text, isCustom }: ChatToolCallDelta, { isFirst }: { isFirst: boolean }): string {
  if (!isCustom || text === '') return text
  return (isFirst ? '"' : '') + toJsonStringPiece(text)
}

/** Whether a call's arguments are whole, so that what comes next is another's. */
const isOver = ({ toolCallId, isClosed, arguments: text }: OpenCall) =>
  toolCallId !== undefined && isClosed && parseJson(text) !== undefined

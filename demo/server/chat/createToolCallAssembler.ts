import type { DeltaDraft, EventDraft } from '../runs/eventDraft.ts'
import type { ChatToolCallDelta } from './chatCompletionChunk.ts'

/** A tool call that the model asked for, once its stream has ended. */
export interface RequestedToolCall {
  toolCallId: string
  name: string
  arguments: string
}

interface OpenCall extends RequestedToolCall {
  index: number | undefined
  wireId: string | undefined
  requested: boolean
}

/** Puts tool calls together from their pieces, whether or not these carry an id or an index. */
export interface ToolCallAssembler {
  push(delta: ChatToolCallDelta): (EventDraft | DeltaDraft)[]
  /** The calls in the order in which they began; one that never got a name is none. */
  getCalls(): RequestedToolCall[]
}

/** `claimId` gives an id that is free in the run: the wire's own, or a new one where that is missing or taken. */
export function createToolCallAssembler(claimId: (wireId: string | undefined) => string): ToolCallAssembler {
  const calls: OpenCall[] = []

  const find = ({ index, id, function: called }: ChatToolCallDelta): OpenCall | undefined => {
    const wireId = id || undefined
    if (index != null) {
      // Some gateways number every parallel call 0: then another id is another call.
      const same = calls.filter((call) => call.index === index)
      if (wireId === undefined) return same[same.length - 1]
      return same.find((call) => call.wireId === undefined || call.wireId === wireId)
    }
    if (wireId !== undefined) return calls.find((call) => call.wireId === wireId)
    const last = calls[calls.length - 1]
    // Without id and index a name begins a call, unless the one before still waits for its own.
    return called?.name && last?.name !== '' ? undefined : last
  }

  return {
    push(delta) {
      let call = find(delta)
      if (call === undefined) {
        const wireId = delta.id || undefined
        call = { toolCallId: '', name: '', arguments: '', index: delta.index ?? undefined, wireId, requested: false }
        calls.push(call)
      }
      call.wireId ??= delta.id || undefined
      const piece = delta.function?.arguments ?? ''
      call.arguments += piece
      if (call.name === '') call.name = delta.function?.name ?? ''
      if (call.name === '') return []
      const drafts: (EventDraft | DeltaDraft)[] = []
      let text = piece
      if (!call.requested) {
        call.requested = true
        call.toolCallId = claimId(call.wireId)
        text = call.arguments
        const { toolCallId, name } = call
        const index = calls.filter((other) => other.requested).length - 1
        drafts.push({ type: 'tool.requested', payload: { toolCallId, name, index, attempt: 1 } })
      }
      if (text !== '') {
        drafts.push({ type: 'tool.arguments_delta', payload: { toolCallId: call.toolCallId, delta: text } })
      }
      return drafts
    },
    getCalls: () =>
      calls
        .filter((call) => call.requested)
        .map(({ toolCallId, name, arguments: text }) => ({ toolCallId, name, arguments: text })),
  }
}

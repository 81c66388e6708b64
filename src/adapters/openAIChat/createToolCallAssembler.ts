import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { ChatToolCallDelta } from './chatChunk.ts'

/** A tool call that the model asked for. */
export interface RequestedCall {
  readonly toolCallId: string
  readonly arguments: string
}

interface OpenCall {
  toolCallId: string | undefined
  name: string | undefined
  arguments: string
  readonly index: number | undefined
  wireId: string | undefined
}

/** Puts tool calls together from their pieces, whether or not these carry an id or an index. */
export interface ToolCallAssembler {
  push(delta: ChatToolCallDelta): AgentEvent[]
  /** The calls so far, in their order; one that has no name yet is none. */
  getCalls(): readonly RequestedCall[]
}

export function createToolCallAssembler(events: AgentEventFactory, runId: string): ToolCallAssembler {
  const calls: OpenCall[] = []
  const taken = new Set<string>()

  function find({ index, id, name }: ChatToolCallDelta): OpenCall | undefined {
    if (index !== undefined) {
      // Some gateways number every parallel call 0: then another id is another call.
      const same = calls.filter((call) => call.index === index)
      return id === undefined ? same.at(-1) : same.find(({ wireId }) => wireId === undefined || wireId === id)
    }
    if (id !== undefined) return calls.find(({ wireId }) => wireId === id)
    const last = calls.at(-1)
    // Without id and index a name begins a call, unless the one before still waits for its own.
    return name !== undefined && last?.name !== undefined ? undefined : last
  }

  /** The wire's own id where it is free in this run: what the model is told of the call is made of the state. */
  function claimId(wireId: string | undefined): string {
    let id = wireId ?? `${runId}:call:${taken.size}`
    while (taken.has(id)) id += `:${taken.size}`
    taken.add(id)
    return id
  }

  return {
    push(delta) {
      let call = find(delta)
      if (!call) {
        call = { toolCallId: undefined, name: undefined, arguments: '', index: delta.index, wireId: undefined }
        calls.push(call)
      }
      call.wireId ??= delta.id
      call.name ??= delta.name
      call.arguments += delta.arguments
      if (call.name === undefined) return []
      const pushed: AgentEvent[] = []
      let text = delta.arguments
      if (call.toolCallId === undefined) {
        const index = taken.size
        call.toolCallId = claimId(call.wireId)
        text = call.arguments
        pushed.push(events.create('tool.requested', { toolCallId: call.toolCallId, name: call.name, index }))
      }
      if (text !== '') {
        pushed.push(events.create('tool.arguments_delta', { toolCallId: call.toolCallId, delta: text }))
      }
      return pushed
    },
    getCalls: () =>
      calls.flatMap(({ toolCallId, arguments: text }) =>
        toolCallId === undefined ? [] : [{ toolCallId, arguments: text }],
      ),
  }
}

import { assertNever } from '../../assertNever.ts'
import { closeEntity } from '../support/closeEntity.ts'
import type { ItemContext } from './itemContext.ts'
import { readName, readRecords, type WireFields } from './responseFields.ts'
import type { OpenItem } from './responseState.ts'
import { takePiece, takeRest } from './takeText.ts'
import { getArguments, getArgumentsFrame, getOutcome, getToolCallId, getToolName, isToolItem } from './toolItem.ts'

/** Makes the events of a response's calls: the app's, the service's own, those of MCP servers, and what these ask. */
export interface ToolItems {
  /** Begins a call; gives what is known of its item from then on. */
  begin(item: WireFields, own: NewItem): NewItem & Partial<OpenItem>
  addArguments(item: OpenItem, delta: string): void
  setRunning(item: OpenItem): void
  showImage(item: OpenItem, data: string, fields: WireFields): void
  finish(item: OpenItem, stated: WireFields): void
  finishList(item: OpenItem, stated: WireFields): void
  finishRequest(item: OpenItem, stated: WireFields): void
  /** Takes the output of a call that the service ran itself, which comes as an item of its own. */
  takeOutput(stated: WireFields): void
}

type NewItem = Pick<OpenItem, 'key' | 'index' | 'type' | 'id'>

/** The artifact of a call that makes a picture. */
export const getImageId = ({ id }: Pick<OpenItem, 'id'>): string => `${id}:image`

export function createToolItems({ events, getState, push, claim, noteOf, mayLack, fail }: ItemContext): ToolItems {
  function setRunning(item: OpenItem): void {
    if (item.isRunning) return
    if (item.type === 'mcp_list_tools') push(events.create('task.updated', { taskId: item.id }))
    else if (isToolItem(item.type)) push(events.create('tool.running', { toolCallId: item.id }))
    else return
    item.isRunning = true
  }

  function showImage(item: OpenItem, data: string, { output_format: format }: WireFields): void {
    const artifactId = getImageId(item)
    const mediaType = `image/${readName(format) ?? 'png'}`
    const content = `data:${mediaType};base64,${data}`
    if (item.hasArtifact) return push(events.create('artifact.updated', { artifactId, content }))
    item.hasArtifact = true
    push(events.create('artifact.created', { artifactId, name: 'image', mediaType, content }, { parentId: item.id }))
  }

  /** Gives the picture as an artifact of its call, and the call the artifact's id for its result. */
  function finishImage(item: OpenItem, stated: WireFields): unknown {
    const data = readName(stated.result)
    if (data !== undefined) showImage(item, data, stated)
    if (!item.hasArtifact) return undefined
    push(closeEntity(events, { kind: 'artifact', id: getImageId(item) }, { status: 'completed' }))
    return { artifactId: getImageId(item) }
  }

  function finishArguments(item: OpenItem, stated: WireFields): void {
    if (item.isApproved) return
    const { id, type } = item
    const frame = getArgumentsFrame(type)
    let rest = getArguments(type, stated)
    if (item.lengths.arguments !== undefined) {
      const lacking = takeRest(item, 'arguments', frame.getText(stated), mayLack())
      // Arguments that were told cannot be taken back, and a call must not be made with them.
      if (lacking === undefined) return fail('tells of arguments of which a part did not come')
      rest = frame.toPiece(lacking) + frame.after(stated)
    }
    if (rest !== '') push(events.create('tool.arguments_delta', { toolCallId: id, delta: rest }))
  }

  return {
    setRunning,
    showImage,

    begin(item, own) {
      const state = getState()
      const { type, index } = own
      const request = readName(item.approval_request_id)
      const server = readName(item.server_label)
      const openai = {
        type,
        itemId: own.key,
        ...(state.responseId !== undefined && { responseId: state.responseId }),
        ...(server !== undefined && { server }),
        ...(request !== undefined && { request }),
      }
      // A call that a person approved is the one that was asked for.
      const approved = state.awaited.find((entry) => entry.request === request)
      if (approved) {
        state.awaited = state.awaited.filter((entry) => entry !== approved)
        push(events.create('tool.running', { toolCallId: approved.id }, { meta: { openai } }))
        return { ...own, id: approved.id, isRunning: true, isApproved: true }
      }
      const callId = getToolCallId(type, item) ?? own.id
      const id = claim('tool', callId)
      const name = getToolName(type, item)
      const note = noteOf({ ...openai, ...(id !== callId && { callId }) })
      push(events.create('tool.requested', { toolCallId: id, name, index }, note))
      return { ...own, id, ...(id !== callId && { callId }) }
    },

    addArguments(item, delta) {
      if (delta === '' || item.isApproved) return
      const frame = getArgumentsFrame(item.type)
      const before = takePiece(item, 'arguments', delta) ? frame.before : ''
      push(events.create('tool.arguments_delta', { toolCallId: item.id, delta: before + frame.toPiece(delta) }))
    },

    finish(item, stated) {
      const { id, type } = item
      finishArguments(item, stated)
      const outcome = getOutcome(type, stated)
      switch (outcome.kind) {
        case 'handed':
          getState().handed.push({ id, type, ...(item.callId !== undefined && { callId: item.callId }) })
          return
        case 'failed': {
          const ending = { status: 'failed', error: outcome.error } as const
          if (item.hasArtifact) push(closeEntity(events, { kind: 'artifact', id: getImageId(item) }, ending))
          return push(closeEntity(events, { kind: 'tool', id }, ending))
        }
        case 'completed': {
          const result = type === 'image_generation_call' ? finishImage(item, stated) : outcome.result
          return push(events.create('tool.completed', { toolCallId: id, ...(result !== undefined && { result }) }))
        }
        default:
          return assertNever(outcome)
      }
    },

    finishList(item, { tools, error }) {
      if (error == null) {
        const names = readRecords(tools).flatMap(({ name }) => readName(name) ?? [])
        return push(events.create('task.completed', { taskId: item.id, result: { tools: names } }))
      }
      const failed = { code: 'mcp_list_failed', message: 'The tools of the server could not be listed.' }
      push(closeEntity(events, { kind: 'task', id: item.id }, { status: 'failed', error: failed }))
    },

    // The call is there at once; what is asked can be answered only once its response is complete.
    finishRequest({ id: request, index }, stated) {
      const id = claim('tool', request)
      const name = getToolName('mcp_call', stated)
      const text = getArguments('mcp_call', stated)
      const server = readName(stated.server_label) ?? ''
      const call = { toolCallId: id, name, index, ...(text !== '' && { arguments: text }) }
      push(events.create('tool.requested', call, noteOf({ type: 'mcp_approval_request', server })))
      getState().approvals.push({ id, ...(id !== request && { request }), name, arguments: text, server })
    },

    takeOutput(stated) {
      const state = getState()
      const id = readName(stated.call_id)
      const call = state.handed.find((entry) => (entry.callId ?? entry.id) === id)
      if (!call) return
      state.handed = state.handed.filter((entry) => entry !== call)
      const { output } = stated
      push(events.create('tool.completed', { toolCallId: call.id, ...(output !== undefined && { result: output }) }))
    },
  }
}

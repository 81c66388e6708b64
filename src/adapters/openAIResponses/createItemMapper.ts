import type { OpenEntity } from '../support/closeEntity.ts'
import { createMessageItems } from './createMessageItems.ts'
import { createReasoningItems, type Stretch } from './createReasoningItems.ts'
import { createToolItems, getImageId } from './createToolItems.ts'
import type { ItemContext } from './itemContext.ts'
import { readIndex, readName, readRecord, readText, type WireFields } from './responseFields.ts'
import { createOpenItem, type OpenItem } from './responseState.ts'
import { isToolItem } from './toolItem.ts'

/** Makes events of a response's output items, begun, streaming and done; each takes the fields of a wire event. */
export interface ItemMapper {
  begin(fields: WireFields): void
  finish(fields: WireFields): void
  /** A piece of a message's text. */
  say(fields: WireFields, delta: string): void
  /** The whole text of a message's part, of which nothing may have streamed. */
  said(fields: WireFields, text: string): void
  reason(fields: WireFields, stretch: Stretch, delta: string): void
  reasoned(fields: WireFields, stretch: Stretch, text: string): void
  addArguments(fields: WireFields, delta: string): void
  setRunning(fields: WireFields): void
  showImage(fields: WireFields, data: string): void
  /** Finishes what the whole response holds, as far as it is not done. */
  finishAll(output: readonly WireFields[]): void
  getOpen(): OpenEntity[]
}

interface Place {
  readonly key: string
  readonly index: number
}

export function createItemMapper(context: ItemContext): ItemMapper {
  const { events, getState, push, claim, noteOf } = context
  const messages = createMessageItems(context)
  const reasoning = createReasoningItems(context)
  const tools = createToolItems(context)

  /** The id of an item that an event is about, or its place where it has none. */
  const keyOf = ({ item_id: itemId, output_index: index }: WireFields) =>
    readName(itemId) ?? `#${readIndex(index) ?? getState().count}`

  const placeOf = (item: WireFields, fields: WireFields): Place => {
    const index = readIndex(fields.output_index) ?? getState().count
    return { key: readName(item.id) ?? `#${index}`, index }
  }

  function find(fields: WireFields): OpenItem | undefined {
    const { items } = getState()
    const key = keyOf(fields)
    const index = readIndex(fields.output_index)
    return items.find((item) => item.key === key) ?? items.find((item) => item.index === index)
  }

  /** An item that is not known yet is begun by its first piece, as some services announce none. */
  function findOrBegin(fields: WireFields, type: 'message' | 'reasoning'): OpenItem | undefined {
    const known = find(fields)
    if (known) return known.type === type ? known : undefined
    const key = keyOf(fields)
    if (getState().done.includes(key)) return undefined
    return begin({ type }, { key, index: readIndex(fields.output_index) ?? getState().count })
  }

  function begin(item: WireFields, place: Place): OpenItem | undefined {
    const state = getState()
    const type = readName(item.type) ?? ''
    const own = { ...place, type, id: place.key }
    const begun = announce(item, own)
    if (!begun) return undefined
    const open = { ...createOpenItem(own), ...begun }
    state.items.push(open)
    state.count = Math.max(state.count, place.index + 1)
    return open
  }

  /** Tells that an item has begun, where that is told before it is done; kinds that are not known are passed over. */
  function announce(item: WireFields, own: Pick<OpenItem, 'key' | 'index' | 'type' | 'id'>) {
    const { id, type } = own
    switch (type) {
      case 'message': {
        const messageId = claim('message', id)
        push(events.create('message.started', { messageId, role: readName(item.role) ?? 'assistant' }, noteOf()))
        return { ...own, id: messageId }
      }
      case 'mcp_list_tools': {
        const taskId = claim('task', id)
        const title = `Tools of ${readName(item.server_label) ?? 'MCP'}`
        push(events.create('task.created', { taskId, title }, noteOf()))
        return { ...own, id: taskId }
      }
      case 'reasoning':
      case 'compaction':
        return { ...own, id: claim('reasoning', id) }
      case 'mcp_approval_request':
        return own
      default:
        return isToolItem(type) ? tools.begin(item, own) : undefined
    }
  }

  function finish(item: WireFields, place: Place, known?: OpenItem): void {
    const state = getState()
    if (state.done.includes(place.key)) return
    const open = known ?? begin(item, place)
    state.done.push(place.key)
    state.count = Math.max(state.count, place.index + 1)
    // It is open until it is finished: what is wrong with its end ends it with the run.
    if (open) finishOpen(open, item)
    state.items = state.items.filter((entry) => entry !== open)
    if (open) return
    if (readText(item.type)?.endsWith('_call_output')) tools.takeOutput(item)
  }

  function finishOpen(open: OpenItem, item: WireFields): void {
    switch (open.type) {
      case 'message':
        return messages.finish(open, item)
      case 'reasoning':
      case 'compaction':
        return reasoning.finish(open, item)
      case 'mcp_list_tools':
        return tools.finishList(open, item)
      case 'mcp_approval_request':
        return tools.finishRequest(open, item)
      default:
        return tools.finish(open, item)
    }
  }

  return {
    begin(fields) {
      const item = readRecord(fields.item)
      const place = placeOf(item, fields)
      const { items, done } = getState()
      if (!done.includes(place.key) && !items.some(({ key }) => key === place.key)) begin(item, place)
    },
    finish(fields) {
      const item = readRecord(fields.item)
      const place = placeOf(item, fields)
      finish(item, place, find({ item_id: place.key, output_index: fields.output_index }))
    },
    say(fields, delta) {
      const item = findOrBegin(fields, 'message')
      if (item) messages.say(item, readIndex(fields.content_index) ?? 0, delta)
    },
    said(fields, text) {
      const item = findOrBegin(fields, 'message')
      if (item) messages.said(item, readIndex(fields.content_index) ?? 0, text)
    },
    reason(fields, stretch, delta) {
      const item = findOrBegin(fields, 'reasoning')
      if (item) reasoning.reason(item, stretch, delta)
    },
    reasoned(fields, stretch, text) {
      const item = findOrBegin(fields, 'reasoning')
      if (item) reasoning.reasoned(item, stretch, text)
    },
    addArguments(fields, delta) {
      const item = find(fields)
      if (item && isToolItem(item.type)) tools.addArguments(item, delta)
    },
    setRunning(fields) {
      const item = find(fields)
      if (item) tools.setRunning(item)
    },
    showImage(fields, data) {
      const item = find(fields)
      if (item?.type === 'image_generation_call') tools.showImage(item, data, fields)
    },
    finishAll(output) {
      const { count } = getState()
      for (const [index, item] of output.entries()) {
        const key = readName(item.id) ?? `#${index}`
        const open = find({ item_id: key, output_index: index })
        // Some services give their items other ids in the end: what came at its place has come.
        if (open || index >= count) finish(item, { key, index }, open)
      }
    },
    getOpen: () => getState().items.flatMap(listOpen),
  }
}

function listOpen({ id, type, open, hasArtifact }: OpenItem): OpenEntity[] {
  if (type === 'message') return [{ kind: 'message', id }]
  if (type === 'mcp_list_tools') return [{ kind: 'task', id }]
  if (!isToolItem(type)) return open.map((stretch) => ({ kind: 'reasoning', id: `${id}:${stretch}` }))
  const tool: OpenEntity = { kind: 'tool', id }
  return hasArtifact ? [{ kind: 'artifact', id: getImageId({ id }) }, tool] : [tool]
}

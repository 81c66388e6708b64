import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentProcessedEvents } from './agentProcessedEvents.ts'
import { defaultIdSequence } from './defaultIdSequence.ts'
import { eventTypeCode } from './eventTypeCode.ts'
import { emptyIdTree } from './emptyIdTree.ts'
import { idTreeAdd } from './idTreeAdd.ts'
import { idTreeHas } from './idTreeHas.ts'
import { isDefaultEventId } from './isDefaultEventId.ts'
import { parseDefaultEventId } from './parseDefaultEventId.ts'

const maxGap = 64
// One list of a whole log's events would be moved each time it grows, and be too long for the young generation.
const listSize = 512

/** Notes the processed events of one run during a batch. */
export interface ProcessedWriter {
  /** Says exactly whether an event of this id has been taken. */
  has(event: AgentEvent): boolean
  /** Notes the event that `has` was asked about last. */
  add(event: AgentEvent, accepted: boolean): void
  commit(): AgentProcessedEvents
}

/** Takes up a run's record of processed events. */
export function createProcessedWriter(runId: string, base: AgentProcessedEvents | undefined): ProcessedWriter {
  const others = base?.others ?? emptyIdTree
  let added: Set<string> | undefined
  let first = base?.first ?? 0
  let types = base?.types ?? ''
  let last = types === '' ? -1 : first + types.length - 1
  // Events whose id holds their own, ever higher sequence differ from each other: they need not be looked into before
  // somebody asks for another kind of id, or the batch ends; of a run that ends with the batch, never.
  let unread: AgentEvent[] = []
  let unreadLists: AgentEvent[][] = []
  // Whether the event that was asked about last is one of these.
  let isNext = false

  const addOther = (id: string) => void (added ??= new Set()).add(id)
  const hasOther = (id: string) => added?.has(id) || (others.length > 0 && idTreeHas(others, id))

  function read() {
    // Events come in rows of one type: a row's codes are made at once, as a string of pieces is many small objects.
    let codes = ''
    let rowType: AgentEvent['type'] | undefined
    let rowCode = ''
    let rowLength = 0
    let next = types === '' ? -1 : first + types.length

    const endRow = () => {
      codes += rowCode.repeat(rowLength)
      rowLength = 0
    }

    for (const event of unreadLists.length > 0 ? [...unreadLists.flat(), ...unread] : unread) {
      const { sequence, type } = event
      const gap = next === -1 ? 0 : sequence - next
      if (gap > maxGap || !isDefaultEventId(event)) {
        addOther(event.eventId)
        continue
      }
      if (next === -1) first = sequence
      if (gap > 0 || type !== rowType) {
        endRow()
        codes += ' '.repeat(gap)
        rowType = type
        rowCode = eventTypeCode(type)!
      }
      rowLength += 1
      next = sequence + 1
    }
    endRow()
    types += codes
    unread = []
    unreadLists = []
  }

  return {
    has(event) {
      isNext = event.sequence > last && defaultIdSequence(event.eventId, runId.length) === event.sequence
      if (isNext) return hasOther(event.eventId)
      read()
      if (hasOther(event.eventId)) return true
      const stated = parseDefaultEventId(runId, event.eventId)
      return stated !== undefined && types[stated.sequence - first] === eventTypeCode(stated.type)
    },
    add(event, accepted) {
      if (!accepted || !isNext) {
        addOther(event.eventId)
        return
      }
      last = event.sequence
      if (unread.length === listSize) {
        unreadLists.push(unread)
        unread = []
      }
      unread.push(event)
    },
    commit() {
      read()
      return { first, types, others: added ? idTreeAdd(others, [...added]) : others }
    },
  }
}

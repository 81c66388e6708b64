import type { AgentEvent } from '../protocol/agentEvent.ts'
import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import { isFilled, isRecord } from '../protocol/predicates.ts'
import {
  recordOfKind,
  type AgentEntityByKind,
  type AgentEntityKind,
  type AgentProtocolIssue,
  type AgentState,
} from './agentState.ts'
import { appendContent } from './appendContent.ts'
import type { AgentEntityBase } from './entities/agentEntityBase.ts'
import type { EventWriter, Mutable } from './eventWriter.ts'
import { eventHandlers, type EventHandler } from './handlers/eventHandlers.ts'
import { isTerminal } from './isTerminal.ts'
import { omitUndefined } from './omitUndefined.ts'
import { getOwn, setOwn } from './ownRecord.ts'
import { createRunDraft } from './createRunDraft.ts'
import { recallEntity } from './recallEntity.ts'
import { rememberEntity } from './rememberEntity.ts'
import { takeEvent } from './takeEvent.ts'
import type { RunDraft } from './runDraft.ts'
import { maxIssues, withIssues } from './withIssues.ts'

type Records = { -readonly [Key in keyof AgentState]: Mutable<AgentState[Key]> }

/** Folds events into a state: what it touches it copies once, then writes into its own copy. */
export interface BatchWriter {
  /**
   * Applies one event; never throws, whatever the event: a refusal becomes an issue, and what is no event becomes one
   * where it has ids. That its fields are what they should be is `isAgentEvent`'s to say.
   */
  apply(event: AgentEvent): void
  /** The refusals of this batch so far. */
  readonly issues: readonly AgentProtocolIssue[]
  /** Runs that ended in this batch. */
  readonly endedRuns: readonly string[]
  /** Gives the new state, or the base itself where nothing changed. The writer is spent then. */
  commit(): AgentState
}

/** Begins a batch on a state; `settled` holds the session's ended runs, which are only looked at. */
export function createBatchWriter(base: AgentState, settled?: AgentState): BatchWriter {
  const draft = copyState(base) as Records
  const runs = new Map<string, RunDraft>()
  let owned: WeakSet<object> | undefined
  let hasChanged = false
  const issues: AgentProtocolIssue[] = []
  const endedRuns: string[] = []
  let current: RunDraft | undefined
  // Events come in rows of one type, whose string is hashed anew for each that JSON brought: it is looked up once a row.
  let rowType: string | undefined
  let rowHandler: EventHandler = refuseType
  // What the event at hand changes, and says when once it is taken: one that is refused half way has moved nothing.
  let opened: Mutable<AgentEntityBase> | undefined

  function own<Name extends keyof AgentState>(name: Name): Records[Name] {
    if (draft[name] === base[name]) {
      hasChanged = true
      const value: unknown = base[name]
      draft[name] = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Records[Name]
    }
    return draft[name]
  }

  function runOf(runId: string): RunDraft {
    if (current?.id === runId) return current
    if (!isFilled(runId)) throw new TypeError('The event has no run.')
    current = runs.get(runId)
    if (!current) {
      current = createRunDraft({ id: runId, base, settled })
      runs.set(runId, current)
    }
    return current
  }

  function applyEvent(event: AgentEvent): void {
    const run = runOf(event.runId)
    if (!isFilled(event.eventId)) return
    const hasEnded = run.state !== undefined && !run.isRunning
    if (hasEnded ? event.sequence <= run.lastSequence : run.processed.has(event)) return
    opened = undefined
    const isAccepted = isInOrder(writer, run, event) && handlerOf(event.type)(writer, event)
    if (isAccepted) stamp(event)
    takeEvent(run, event, isAccepted)
  }

  function stamp({ timestamp, meta }: AgentEvent): void {
    if (!opened) return
    opened.updatedAt = timestamp
    if (isRecord(meta)) opened.meta = { ...opened.meta, ...meta }
  }

  function handlerOf(type: string): EventHandler {
    if (type !== rowType) {
      rowType = type
      rowHandler = eventHandlers.get(type) ?? refuseType
    }
    return rowHandler
  }

  /** Notes what could not be read as an event, unless not even its ids can be. */
  function refuseBroken(event: AgentEvent): void {
    try {
      const { runId, eventId } = event
      if (!isFilled(runId) || !isFilled(eventId)) return
      writer.reject({ ...event, runId, eventId }, 'invalid_transition', 'This is no AgentEvent 0.1; see isAgentEvent.')
      const run = runs.get(runId)
      if (run) takeEvent(run, event, false)
    } catch {
      // No object at all, or one that throws when it is read: nothing is known of it.
    }
  }

  /** Looks among the issues that the state would hold if the batch ended here, so that any split gives the same. */
  function isKnownIssue({ runId, eventId }: AgentEvent): boolean {
    const isIt = (issue: AgentProtocolIssue) => issue.eventId === eventId && issue.runId === runId
    const dropped = Math.max(0, base.issues.length + issues.length - maxIssues)
    return base.issues.slice(dropped).some(isIt) || issues.slice(-maxIssues).some(isIt)
  }

  const writer: EventWriter = {
    add(event, kind, entity) {
      if (!isFilled(entity.id)) throw new TypeError(`The ${kind} has no id.`)
      assertWhole(event)
      const key = getAgentEntityKey(event.runId, entity.id)
      const record = draft[recordOfKind[kind]]
      if (Object.hasOwn(record, key)) {
        return writer.reject(event, 'duplicate_entity', `The ${kind} "${entity.id}" already exists.`)
      }
      const { runId, timestamp, parentId, meta } = event
      const created = {
        ...entity,
        runId,
        ...(parentId !== undefined && { parentId }),
        createdAt: timestamp,
        updatedAt: timestamp,
        ...(meta !== undefined && { meta }),
      }
      ;(own(recordOfKind[kind]) as Record<string, AgentEntityBase>)[key] = created
      own('order').push({ kind, id: entity.id, runId })
      rememberEntity(runOf(runId), kind, entity.id, created)
      return true
    },

    open<Kind extends AgentEntityKind>(event: AgentEvent, kind: Kind, id: string) {
      const run = runOf(event.runId)
      let entity = recallEntity(run, kind, id) as Mutable<AgentEntityByKind[Kind]> | undefined
      if (!entity) {
        const key = getAgentEntityKey(event.runId, id)
        const found = getOwn<AgentEntityBase>(draft[recordOfKind[kind]], key)
        if (!found) {
          writer.reject(event, 'missing_entity', `The ${kind} "${id}" does not exist.`)
          return undefined
        }
        if (!isTerminal(found.status)) {
          entity = { ...found } as Mutable<AgentEntityByKind[Kind]>
          ;(own(recordOfKind[kind]) as Record<string, AgentEntityBase>)[key] = entity
          rememberEntity(run, kind, id, entity)
        }
      }
      if (!entity || isTerminal(entity.status)) {
        writer.reject(event, 'invalid_transition', `The ${kind} "${id}" has already ended.`)
        return undefined
      }
      if (typeof event.timestamp !== 'number') throw new TypeError('The event has no time.')
      opened = entity
      return entity
    },

    append(content, delta) {
      if (typeof content === 'string' && typeof delta === 'string') return content + delta
      return appendContent(content, delta, (owned ??= new WeakSet()))
    },

    addRun(event, { input }) {
      assertWhole(event)
      const run = runOf(event.runId)
      if (run.state) return writer.reject(event, 'duplicate_entity', `The run "${event.runId}" already exists.`)
      run.state = {
        id: event.runId,
        sessionId: event.sessionId,
        status: 'running',
        ...(input !== undefined && { input }),
        createdAt: event.timestamp,
        updatedAt: event.timestamp,
      }
      run.isRunning = true
      setOwn(own('runs'), event.runId, run.state)
      return true
    },

    endRun(event, end) {
      assertWhole(event)
      const run = runOf(event.runId)
      run.state = Object.assign({ ...run.state! }, omitUndefined(end), { updatedAt: event.timestamp })
      run.isRunning = false
      setOwn(own('runs'), event.runId, run.state)
      endedRuns.push(event.runId)
      return true
    },

    addSession(event, { title }) {
      assertWhole(event)
      const id = event.sessionId
      if (Object.hasOwn(draft.sessions, id)) {
        return writer.reject(event, 'duplicate_entity', `The session "${id}" already exists.`)
      }
      setOwn(own('sessions'), id, { id, ...(title !== undefined && { title }), createdAt: event.timestamp })
      return true
    },

    reject(event, code, message) {
      // Only a running run remembers what it refused: elsewhere the bounded list of issues has to do.
      if (!isKnownIssue(event)) issues.push({ code, eventId: event.eventId, runId: event.runId, message })
      return false
    },
  }

  return {
    issues,
    endedRuns,
    apply(event) {
      try {
        applyEvent(event)
      } catch {
        refuseBroken(event)
      }
    },
    commit() {
      for (const run of runs.values()) {
        if (!run.hasChanged) continue
        setOwn(own('lastSequenceByRun'), run.id, run.lastSequence)
        if (run.state && !run.isRunning) delete own('processedEvents')[run.id]
        else setOwn(own('processedEvents'), run.id, run.processed.commit())
      }
      if (issues.length === 0) return hasChanged ? draft : base
      return withIssues(draft, issues)
    },
  }
}

/** Field by field, as a spread of a state that was spread before costs several times as much. */
function copyState(state: AgentState): AgentState {
  return {
    sessions: state.sessions,
    runs: state.runs,
    messages: state.messages,
    reasoning: state.reasoning,
    toolCalls: state.toolCalls,
    approvals: state.approvals,
    tasks: state.tasks,
    artifacts: state.artifacts,
    order: state.order,
    issues: state.issues,
    droppedIssues: state.droppedIssues,
    lastSequenceByRun: state.lastSequenceByRun,
    processedEvents: state.processedEvents,
  }
}

/** What is no event must not become an entity without the fields that all have. */
function assertWhole({ sessionId, timestamp }: AgentEvent): void {
  if (!isFilled(sessionId) || !Number.isFinite(timestamp)) throw new TypeError('The event has no session or no time.')
}

function refuseType(writer: EventWriter, event: AgentEvent): boolean {
  return writer.reject(event, 'invalid_transition', 'Its type is none of AgentEvent 0.1.')
}

/** The rules that hold for every event, whatever its type. */
function isInOrder(writer: EventWriter, run: RunDraft, event: AgentEvent): boolean {
  const { runId, sequence } = event
  if (!(Number.isSafeInteger(sequence) && sequence > run.lastSequence)) {
    const message = `Sequence ${sequence} must be greater than ${run.lastSequence} in run "${runId}".`
    return writer.reject(event, 'invalid_sequence', message)
  }
  if (run.isRunning && run.state?.sessionId === event.sessionId) return true
  const { type } = event
  if (!run.state) {
    const isStart = type === 'session.started' || type === 'run.started'
    return isStart || writer.reject(event, 'missing_run', `Run "${runId}" must start before "${type}".`)
  }
  if (run.state.sessionId !== event.sessionId) {
    return writer.reject(event, 'invalid_transition', `Run "${runId}" belongs to another session than this event.`)
  }
  if (type === 'run.started') return true
  return writer.reject(event, 'invalid_transition', `Run "${runId}" has already ended: it is ${run.state.status}.`)
}

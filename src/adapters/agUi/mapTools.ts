import type { ApprovalDecision } from '../../protocol/payloads/approvalPayloads.ts'
import { isTerminal } from '../../state/isTerminal.ts'
import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiProgress, SavedProgress } from './agUiProgress.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { classifyToolResult } from './classifyToolResult.ts'
import { createSavedEntries } from './createSavedEntries.ts'
import { ofWireRun } from './ofWireRun.ts'

/** One call of a tool. */
export interface ToolEntry {
  readonly id: string
  readonly name: string
  arguments: string
  /** Whether its arguments are whole. */
  isWhole: boolean
  isOpen: boolean
  isRunning: boolean
  meta: AgUiMeta
  /** Whether it was there before this connection, which has not begun it yet. */
  isRestored: boolean
  /** Whether it is of an AG-UI run before the one that is under way. */
  readonly isEarlier: boolean
  /** How much of the arguments came again. */
  replayed?: number | undefined
}

/** A tool's result as the wire brings it. */
export interface WireResult {
  readonly toolCallId: string
  readonly messageId?: string | undefined
  readonly content: string | readonly unknown[]
  readonly error?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** The run's tool calls. */
export interface ToolMapper {
  find(id: string): ToolEntry | undefined
  start(call: {
    id: string
    name: string
    arguments?: string | undefined
    meta: AgUiMeta
    /** Whether this is no beginning where the AG-UI run has begun the call. */
    isGoingOn?: boolean | undefined
  }): ToolEntry
  append(id: string, delta: string): void
  end(id: string): void
  /** Takes what the runtime says the whole arguments are. */
  reconcile(entry: ToolEntry, whole: string): void
  /** Takes a result; one of a call that is not known waits for it. */
  result(result: WireResult): void
  /** Says that a call is being carried out. */
  run(id: string): void
  /** Notes what a person last decided of a call: where it was declined, what comes of it is no result. */
  noteDecision(id: string, decision: ApprovalDecision): void
  /** Ends a call with what the page itself gave. */
  answer(id: string, answer: { isGranted: boolean; data?: unknown; meta: AgUiMeta }): void
  note(entry: ToolEntry, meta: AgUiMeta): boolean
  /** Calls that wait for a result, in their order. */
  unanswered(): readonly ToolEntry[]
  /** Who runs a tool, as far as that is known. */
  ownerOf(name: string): 'client' | 'server' | undefined
  /** States results whose call never came. */
  settle(): void
  /** Gives what of them no entity shows, for the next connection. */
  save(): SavedProgress<'calls' | 'results'>
  close(ending: AgUiEnding): void
}

export function createToolMapper(
  scope: AgUiScope,
  run: {
    offered: ReadonlySet<string>
    parentOf: (wireMessageId: string) => string | undefined
    progress: AgUiProgress
  },
): ToolMapper {
  const { emit, runId, options } = scope
  const entries = new Map<string, ToolEntry>()
  const { offered, parentOf, progress } = run
  const orphans = new Map<string, WireResult>()
  const savedOrphans = createSavedEntries()
  const declined = new Set<string>()
  /** Those that come again. */
  const again = createSavedEntries()

  for (const tool of Object.values(scope.getAgentState()?.toolCalls ?? {})) {
    if (tool.runId !== runId) continue
    const { id, name, status } = tool
    entries.set(id, {
      id,
      name,
      arguments: tool.arguments,
      // What streamed when the wire was lost goes on.
      isWhole: false,
      isRestored: true,
      isEarlier: scope.isOfEarlierRun('tool', tool),
      isOpen: !isTerminal(status),
      isRunning: status === 'running',
      meta: readAgUiMeta(tool),
    })
  }

  for (const { id, at } of progress.calls ?? []) {
    const entry = entries.get(id)
    if (entry) replay(Object.assign(entry, { isRestored: false }), at)
  }
  for (const result of progress.results ?? []) keepOrphan(result)
  for (const { runId: home, toolCallId, decision, meta } of Object.values(scope.getAgentState()?.approvals ?? {})) {
    if (home !== runId || toolCallId === undefined || readAgUiMeta({ meta }).kind === 'tool') continue
    if (decision) noteDecision(toolCallId, decision)
  }

  const ownerOf: ToolMapper['ownerOf'] = (name) => {
    const stated = options.getToolOwner?.(name)
    if (stated !== undefined || offered.size === 0) return stated
    return offered.has(name) ? 'client' : 'server'
  }

  function noteDecision(id: string, decision: ApprovalDecision) {
    if (decision === 'rejected' || decision === 'expired') declined.add(id)
    else declined.delete(id)
  }

  /** Notes how much of a call came again. */
  function replay(entry: ToolEntry, at: number) {
    entry.replayed = at
    again.set(entry.id, JSON.stringify({ id: entry.id, at }))
  }

  function keepOrphan(result: WireResult) {
    const { toolCallId } = result
    if (orphans.has(toolCallId)) return
    orphans.set(toolCallId, result)
    savedOrphans.set(toolCallId, JSON.stringify(result))
  }

  function carryOut(id: string) {
    const entry = entries.get(id)
    if (!entry?.isOpen || entry.isRunning) return
    entry.isRunning = true
    emit('tool.running', { toolCallId: id })
  }

  function start({ id, name, arguments: text = '', meta, isGoingOn }: Parameters<ToolMapper['start']>[0]): ToolEntry {
    const known = entries.get(id)
    if (known) {
      const isOfOthers = known.isRestored && (scope.replaysAll || known.isEarlier)
      // A call that was there comes again, as some runtimes do after an answer; one of this AG-UI run goes on.
      if (isOfOthers || (!isGoingOn && (known.isRestored || known.isWhole))) {
        replay(known, 0)
      }
      known.isRestored = false
      known.isWhole = false
      return known
    }
    const isNew = { isWhole: false, isOpen: true, isRunning: false, isRestored: false, isEarlier: false }
    const kept = { ...meta, ...ofWireRun(scope) }
    const entry: ToolEntry = { id, name, arguments: text, ...isNew, meta: kept }
    entries.set(id, entry)
    const parentId = meta.parentMessageId === undefined ? undefined : parentOf(meta.parentMessageId)
    emit('tool.requested', { toolCallId: id, name, ...(text !== '' && { arguments: text }) }, { parentId, meta: kept })
    return entry
  }

  function grow(entry: ToolEntry, delta: string) {
    if (!entry.isOpen || delta === '') return
    entry.arguments += delta
    emit('tool.arguments_delta', { toolCallId: entry.id, delta })
  }

  /** Ends a call by its first result, which may have come before it; one that is over stays as it is. */
  function settleEntry(entry: ToolEntry, latest: WireResult) {
    const { id: toolCallId } = entry
    const result = orphans.get(toolCallId) ?? latest
    if (orphans.delete(toolCallId)) savedOrphans.set(toolCallId, undefined)
    if (!entry.isOpen) return
    const { content, messageId } = result
    entry.isOpen = false
    entry.meta = { ...entry.meta, ...(messageId !== undefined && { resultMessageId: messageId }) }
    const { meta } = entry
    const stated = { toolName: entry.name, content, error: result.error, metadata: result.metadata }
    const verdict = options.classifyToolResult?.(stated) ?? classifyToolResult(stated)
    if (declined.has(toolCallId)) {
      const reason = typeof content === 'string' && content !== '' ? content : 'Declined.'
      emit('tool.cancelled', { toolCallId, reason }, { meta })
    } else if (verdict.status === 'completed') emit('tool.completed', { toolCallId, result: content }, { meta })
    else if (verdict.status === 'cancelled') emit('tool.cancelled', { toolCallId, reason: verdict.reason }, { meta })
    else {
      const error = { message: verdict.message || 'The tool failed.', code: 'tool_failed', details: content }
      emit('tool.failed', { toolCallId, error }, { meta })
    }
  }

  /** A result whose call is of another run of the conversation, or of none: the call is stated with it. */
  function adopt(result: WireResult) {
    const calls = Object.values(scope.getAgentState()?.toolCalls ?? {})
    const elsewhere = calls.findLast((call) => call.id === result.toolCallId && call.runId !== runId)
    const { name = 'unknown', arguments: text } = elsewhere ?? {}
    settleEntry(start({ id: result.toolCallId, name, arguments: text, meta: {} }), result)
  }

  return {
    find: (id) => entries.get(id),
    ownerOf,
    run: carryOut,
    start,
    unanswered: () => [...entries.values()].filter(({ isOpen }) => isOpen),
    noteDecision,

    append(id, delta) {
      const entry = entries.get(id)
      if (!entry) scope.fail('holds arguments of a tool call that has not begun')
      entry.isRestored = false
      let rest = delta
      if (entry.replayed !== undefined) {
        rest = delta.slice(Math.max(0, entry.arguments.length - entry.replayed))
        replay(entry, entry.replayed + delta.length)
      }
      if (entry.isWhole && entry.isOpen && rest !== '') scope.fail('holds arguments of a tool call after their end')
      grow(entry, rest)
    },

    reconcile(entry, whole) {
      // Also after the end of a call that lacks something: a connection that came later could not tell it from one that streams.
      if (entry.isOpen && whole.startsWith(entry.arguments)) {
        grow(entry, whole.slice(entry.arguments.length))
      }
    },

    end(id) {
      const entry = entries.get(id)
      if (!entry) return
      entry.isWhole = true
      const orphan = orphans.get(id)
      if (orphan) settleEntry(entry, orphan)
      else if (ownerOf(entry.name) === 'server') carryOut(id)
    },

    result(result) {
      const known = entries.get(result.toolCallId)
      // A replay has not come to the call yet.
      const isToCome = scope.replaysAll && known?.isRestored && !known.isEarlier
      const entry = isToCome ? undefined : known
      if (entry?.isOpen) settleEntry(entry, result)
      else if (!entry) keepOrphan(result)
    },

    answer(id, { isGranted, data, meta }) {
      const entry = entries.get(id)
      if (!entry?.isOpen) return
      entry.isOpen = false
      entry.meta = { ...entry.meta, ...meta }
      if (isGranted) {
        emit('tool.completed', { toolCallId: id, ...(data !== undefined && { result: data }) }, { meta: entry.meta })
      } else emit('tool.cancelled', { toolCallId: id, reason: 'Declined.' }, { meta: entry.meta })
    },

    note(entry, meta) {
      if (!entry.isOpen) return false
      entry.meta = { ...entry.meta, ...meta }
      emit('tool.arguments_delta', { toolCallId: entry.id, delta: '' }, { meta: entry.meta })
      return true
    },

    settle() {
      for (const orphan of [...orphans.values()]) {
        const entry = entries.get(orphan.toolCallId)
        if (entry) settleEntry(entry, orphan)
        else adopt(orphan)
      }
    },

    save: () => ({ calls: again.toJson(), results: savedOrphans.toJson() }),

    close(ending) {
      for (const entry of entries.values()) {
        if (!entry.isOpen) continue
        entry.isOpen = false
        const toolCallId = entry.id
        switch (ending.status) {
          case 'failed':
            emit('tool.failed', { toolCallId, error: ending.error })
            break
          case 'cancelled':
            emit('tool.cancelled', { toolCallId, reason: ending.reason })
            break
          default:
            emit('tool.cancelled', { toolCallId, reason: 'The run ended without a result.' })
        }
      }
    },
  }
}

import { isFilled, isRecord } from '../../protocol/predicates.ts'
import type { ApprovalDecision } from '../../protocol/payloads/approvalPayloads.ts'
import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiScope } from './agUiScope.ts'
import { fitsState } from '../support/fitsState.ts'
import type { ToolEntry, ToolMapper } from './mapTools.ts'
import { fromSnakeCase } from './fromSnakeCase.ts'
import type { AgUiInterrupt } from './parseAgUiEvent.ts'

/** The questions of the run: interrupts, and calls of tools that the page itself runs. */
export interface ApprovalMapper {
  interrupt(interrupt: AgUiInterrupt, tool: ToolEntry | undefined): void
  /** Asks what LangGraph's adapters ask by a CUSTOM event. */
  askLegacy(value: unknown): void
  /** Asks for the result of a call of the page's own tool. */
  askResult(tool: ToolEntry): void
  resolve(approvalId: string, decision: ApprovalDecision, data?: unknown): void
  /** Takes the answers that a run states to have begun with: they were given elsewhere, or replayed. */
  takeAnswers(entries: readonly unknown[]): void
  /** The question about a tool call that waits, whose answer was given elsewhere once its result is there. */
  waitingFor(toolCallId: string): string | undefined
  hasWaiting(): boolean
  /** No answer can be given any more. */
  close(): void
}

interface Entry {
  readonly id: string
  readonly interruptId: string
  readonly wireRunId: string
  readonly toolCallId: string | undefined
  isWaiting: boolean
}

export function createApprovalMapper(scope: AgUiScope, tools: Pick<ToolMapper, 'noteDecision'>): ApprovalMapper {
  const { emit, runId } = scope
  const entries = new Map<string, Entry>()

  for (const approval of Object.values(scope.getAgentState()?.approvals ?? {})) {
    if (approval.runId !== runId) continue
    const { id, toolCallId, status } = approval
    const { interruptId = id, wireRunId = runId } = readAgUiMeta(approval)
    entries.set(id, { id, interruptId, wireRunId, toolCallId, isWaiting: status === 'waiting' })
  }

  /** Adds a question; nothing where this AG-UI run has asked it, which a replay does again, or where it still waits. */
  function add(interruptId: string, toolCallId: string | undefined): Entry | undefined {
    const { wireRunId } = scope
    for (const entry of entries.values()) {
      if (entry.interruptId === interruptId && (entry.isWaiting || entry.wireRunId === wireRunId)) return undefined
    }
    let id = interruptId
    for (let count = 2; entries.has(id); count += 1) id = `${interruptId}#${count}`
    const entry = { id, interruptId, wireRunId, toolCallId, isWaiting: true }
    entries.set(id, entry)
    return entry
  }

  const metaOf = ({ interruptId, wireRunId }: Entry, meta: AgUiMeta): AgUiMeta => ({
    ...meta,
    interruptId,
    wireRunId,
    usage: scope.usage,
  })

  function resolve(approvalId: string, decision: ApprovalDecision, data?: unknown) {
    const entry = entries.get(approvalId)
    // Where there is no state to tell, who answers it knows that it waits.
    if (entry ? !entry.isWaiting : scope.getAgentState()) return
    if (entry) entry.isWaiting = false
    emit('approval.resolved', { approvalId, decision, ...(data !== undefined && { data }) })
  }

  return {
    resolve,
    hasWaiting: () => [...entries.values()].some(({ isWaiting }) => isWaiting),
    waitingFor: (toolCallId) =>
      [...entries.values()].find((entry) => entry.isWaiting && entry.toolCallId === toolCallId)?.id,

    interrupt({ id, reason = '', message, toolCallId, responseSchema, expiresAt, metadata }, tool) {
      const entry = add(id, tool?.id)
      if (!entry) return
      const data = tool && parseObject(tool.arguments)
      const expires = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt)
      const description = message || reason
      // The call's own id stays with it, as the call may be of an earlier run.
      const elsewhere = tool || toolCallId === undefined ? {} : { toolCallId }
      emit(
        'approval.requested',
        {
          approvalId: entry.id,
          ...(tool && { toolCallId: tool.id }),
          ...(description !== '' && { description }),
          ...(data && { data }),
          editable: data !== undefined || responseSchema !== undefined,
          ...(Number.isFinite(expires) && { expiresAt: expires }),
        },
        { meta: metaOf(entry, { kind: 'interrupt', reason, responseSchema, metadata, ...elsewhere }) },
      )
    },

    askLegacy(value) {
      const count = [...entries.values()].filter(({ wireRunId }) => wireRunId === scope.wireRunId).length
      const entry = add(`${scope.wireRunId}:interrupt:${count + 1}`, undefined)
      if (!entry) return
      const data = typeof value === 'string' ? (parseObject(value) ?? value) : value
      const stated = isRecord(data) ? [data.message, data.question] : [data]
      const description = stated.find(isFilled)
      emit(
        'approval.requested',
        {
          approvalId: entry.id,
          ...(description !== undefined && { description }),
          ...(data !== undefined && { data }),
          editable: true,
        },
        { meta: metaOf(entry, { kind: 'legacy', reason: 'on_interrupt' }) },
      )
    },

    askResult(tool) {
      const entry = add(`result:${tool.id}`, tool.id)
      if (!entry) return
      emit(
        'approval.requested',
        { approvalId: entry.id, toolCallId: tool.id, description: tool.name, editable: true },
        { meta: metaOf(entry, { kind: 'tool', reason: 'tool_result' }) },
      )
    },

    takeAnswers(answers) {
      for (const answer of answers.map(fromSnakeCase)) {
        if (!isRecord(answer)) continue
        const entry = [...entries.values()].find((known) => known.isWaiting && known.interruptId === answer.interruptId)
        if (!entry) continue
        const payload = isRecord(answer.payload) ? answer.payload : {}
        const isDeclined = answer.status === 'cancelled' || payload.approved === false
        const isEdited = !isDeclined && payload.editedArgs !== undefined
        const decision = isDeclined ? 'rejected' : isEdited ? 'modified' : 'approved'
        resolve(entry.id, decision, isEdited ? payload.editedArgs : undefined)
        if (entry.toolCallId !== undefined) tools.noteDecision(entry.toolCallId, decision)
      }
    },

    close() {
      for (const entry of entries.values()) resolve(entry.id, 'expired')
    },
  }
}

function parseObject(text: string): Record<string, unknown> | unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null
    return isObject && fitsState(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    // Arguments that are not whole, or words.
    return undefined
  }
}

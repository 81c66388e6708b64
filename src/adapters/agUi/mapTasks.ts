import { isTerminal } from '../../state/isTerminal.ts'
import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { ofWireRun } from './ofWireRun.ts'

/** Steps and subagents, as tasks. */
export interface TaskMapper {
  startStep(stepName: string, owner: string | undefined): void
  finishStep(stepName: string, owner: string | undefined): void
  startSubagent(subagent: {
    id: string
    name: string
    description?: string | undefined
    parentSubagentRunId?: string | undefined
    parentToolCallId?: string | undefined
  }): void
  finishSubagent(id: string, ending: { result?: unknown; isSuspended: boolean }): void
  failSubagent(id: string, error: { message: string; code?: string | undefined }): void
  close(ending: AgUiEnding): void
}

export function createTaskMapper(scope: AgUiScope): TaskMapper {
  const { emit, runId, replaysAll, mayReplayAll, getLeg } = scope
  /** Whether a task is open, by its id, as far as this connection has come in what it tells, replayed or new. */
  const tasks = new Map<string, boolean>()
  /** What is known of each, whatever is told again: whether it is open, and what is kept with it. */
  const held = new Map<string, { isOpen: boolean; readonly meta: AgUiMeta }>()
  /** What this AG-UI run has begun and not yet finished, by step or subagent. */
  const current = new Map<string, string[]>()
  /** What an AG-UI run before it has begun. */
  const earlier = new Set<string>()
  /** What of it an earlier connection has begun. */
  const restored = new Set<string>()

  const idOf = (key: string, occurrence: number) => (occurrence === 1 ? key : `${key}#${occurrence}`)
  const stepKey = (stepName: string, owner = '') => `step:${owner}:${stepName}`
  const subagentKey = (id: string) => `subagent:${id}`

  for (const task of Object.values(scope.getAgentState()?.tasks ?? {})) {
    if (task.runId !== runId) continue
    const { id, status } = task
    const meta = readAgUiMeta(task)
    const isOpen = !isTerminal(status)
    held.set(id, { isOpen, meta })
    const isEarlier = scope.isOfEarlierRun('task', task)
    // A replay begins where its AG-UI run did: what that has finished since was open.
    if (isEarlier) {
      earlier.add(id)
      tasks.set(id, isOpen || (replaysAll && meta.endedIn === getLeg()))
    }
    else if (!replaysAll) {
      tasks.set(id, isOpen)
      if (isOpen) restored.add(id)
    }
  }

  /** All occurrences of a step or subagent that there are, in their order. */
  function listOf(key: string): string[] {
    const ids: string[] = []
    for (let occurrence = 1; tasks.has(idOf(key, occurrence)); occurrence += 1) ids.push(idOf(key, occurrence))
    return ids
  }

  const openOf = (key: string) => listOf(key).find((id) => tasks.get(id))
  const currentOf = (key: string) => current.get(key) ?? listOf(key).filter((id) => restored.has(id))
  const enter = (key: string, taskId: string) => void current.set(key, [...currentOf(key), taskId])

  function begin(
    key: string,
    title: string,
    options: { description?: string | undefined; parentId?: string | undefined; meta: AgUiMeta },
  ) {
    const taskId = idOf(key, listOf(key).length + 1)
    enter(key, taskId)
    tasks.set(taskId, true)
    if (held.has(taskId)) return
    const { description, parentId } = options
    const meta = { ...options.meta, ...ofWireRun(scope) }
    held.set(taskId, { isOpen: true, meta })
    emit('task.created', { taskId, title, ...(description !== undefined && { description }) }, { parentId, meta })
    emit('task.updated', { taskId })
  }

  /** Closes what a finish means; nothing where that is closed already. */
  function take(key: string): { taskId: string; meta: AgUiMeta } | undefined {
    const begun = currentOf(key)
    const taskId = begun.find((id) => tasks.get(id)) ?? openOf(key)
    if (taskId === undefined) return undefined
    current.set(key, begun.slice(begun.indexOf(taskId) + 1))
    tasks.set(taskId, false)
    const known = held.get(taskId)
    if (!known?.isOpen) return undefined
    held.set(taskId, { ...known, isOpen: false })
    return { taskId, meta: mayReplayAll && earlier.has(taskId) ? { ...known.meta, endedIn: getLeg() } : {} }
  }

  const ownerOf = (owner: string | undefined) => (owner === undefined ? undefined : openOf(subagentKey(owner)))

  return {
    startStep(stepName, owner) {
      const meta = owner === undefined ? {} : { subagentRunId: owner }
      begin(stepKey(stepName, owner), stepName, { parentId: ownerOf(owner), meta })
    },

    finishStep(stepName, owner) {
      const { taskId, meta } = take(stepKey(stepName, owner)) ?? {}
      if (taskId !== undefined) emit('task.completed', { taskId }, { meta })
    },

    startSubagent({ id, name, description, parentSubagentRunId, parentToolCallId }) {
      const key = subagentKey(id)
      // One that was suspended goes on under its id.
      const open = openOf(key)
      if (open !== undefined) return enter(key, open)
      const parentId = parentToolCallId ?? ownerOf(parentSubagentRunId)
      begin(key, name, { description, parentId, meta: { subagentRunId: id } })
    },

    finishSubagent(id, { result, isSuspended }) {
      if (isSuspended) return void current.set(subagentKey(id), currentOf(subagentKey(id)).slice(1))
      const { taskId, meta } = take(subagentKey(id)) ?? {}
      if (taskId !== undefined) emit('task.completed', { taskId, ...(result !== undefined && { result }) }, { meta })
    },

    failSubagent(id, { message, code }) {
      const { taskId, meta } = take(subagentKey(id)) ?? {}
      const error = { message: message || 'The subagent failed.', ...(code !== undefined && { code }) }
      if (taskId !== undefined) emit('task.failed', { taskId, error }, { meta })
    },

    close(ending) {
      for (const [taskId, known] of held) {
        if (!known.isOpen) continue
        known.isOpen = false
        if (ending.status === 'failed') emit('task.failed', { taskId, error: ending.error })
        else {
          const reason = ending.status === 'cancelled' ? ending.reason : 'The run ended before it was finished.'
          emit('task.cancelled', { taskId, ...(reason !== undefined && { reason }) })
        }
      }
    },
  }
}

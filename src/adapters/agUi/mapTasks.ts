import { isTerminal } from '../../state/isTerminal.ts'
import type { AgUiMeta } from './agUiMeta.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { isOfEarlierRun, ofWireRun } from './wireRunOf.ts'

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
  const { emit, runId, replaysAll } = scope
  /** Whether a task is open, by its id. */
  const tasks = new Map<string, boolean>()
  /** How often each step, or subagent, has begun. */
  const begun = new Map<string, number>()
  /** What has begun and not yet finished as this connection tells it, replayed or new. */
  const current = new Map<string, string[]>()

  /** Those that no replay tells again. */
  const earlier = new Set<string>()

  for (const task of Object.values(scope.getAgentState()?.tasks ?? {})) {
    if (task.runId !== runId) continue
    tasks.set(task.id, !isTerminal(task.status))
    if (!replaysAll || isOfEarlierRun(scope, task)) earlier.add(task.id)
  }

  const idOf = (key: string, occurrence: number) => (occurrence === 1 ? key : `${key}#${occurrence}`)
  const stepKey = (stepName: string, owner = '') => `step:${owner}:${stepName}`
  const subagentKey = (id: string) => `subagent:${id}`

  /** The latest occurrence that is known, whether it began on this connection or before. */
  function countOf(key: string): number {
    let count = begun.get(key) ?? 0
    // A replay begins with its AG-UI run's first occurrence again.
    while (earlier.has(idOf(key, count + 1))) count += 1
    return count
  }

  function openOf(key: string): string | undefined {
    for (let occurrence = 1; tasks.has(idOf(key, occurrence)); occurrence += 1) {
      if (tasks.get(idOf(key, occurrence))) return idOf(key, occurrence)
    }
    return undefined
  }

  function begin(
    key: string,
    title: string,
    options: { description?: string | undefined; parentId?: string | undefined; meta: AgUiMeta },
  ) {
    const occurrence = countOf(key) + 1
    begun.set(key, occurrence)
    const taskId = idOf(key, occurrence)
    enter(key, taskId)
    if (tasks.has(taskId)) return
    tasks.set(taskId, true)
    const { description, parentId } = options
    const meta = { ...options.meta, ...ofWireRun(scope) }
    emit('task.created', { taskId, title, ...(description !== undefined && { description }) }, { parentId, meta })
    emit('task.updated', { taskId })
  }

  const enter = (key: string, taskId: string) => void current.set(key, [...(current.get(key) ?? []), taskId])

  /** Closes what a finish means; nothing where that is closed already. */
  function take(key: string): string | undefined {
    const taskId = current.get(key)?.shift() ?? (replaysAll ? undefined : openOf(key))
    if (taskId === undefined || !tasks.get(taskId)) return undefined
    tasks.set(taskId, false)
    return taskId
  }

  const ownerOf = (owner: string | undefined) => (owner === undefined ? undefined : openOf(subagentKey(owner)))

  return {
    startStep(stepName, owner) {
      const meta = owner === undefined ? {} : { subagentRunId: owner }
      begin(stepKey(stepName, owner), stepName, { parentId: ownerOf(owner), meta })
    },

    finishStep(stepName, owner) {
      const taskId = take(stepKey(stepName, owner))
      if (taskId !== undefined) emit('task.completed', { taskId })
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
      if (isSuspended) return void current.get(subagentKey(id))?.shift()
      const taskId = take(subagentKey(id))
      if (taskId !== undefined) emit('task.completed', { taskId, ...(result !== undefined && { result }) })
    },

    failSubagent(id, { message, code }) {
      const taskId = take(subagentKey(id))
      const error = { message: message || 'The subagent failed.', ...(code !== undefined && { code }) }
      if (taskId !== undefined) emit('task.failed', { taskId, error })
    },

    close(ending) {
      for (const [taskId, isOpen] of tasks) {
        if (!isOpen) continue
        tasks.set(taskId, false)
        if (ending.status === 'failed') emit('task.failed', { taskId, error: ending.error })
        else {
          const reason = ending.status === 'cancelled' ? ending.reason : 'The run ended before it was finished.'
          emit('task.cancelled', { taskId, ...(reason !== undefined && { reason }) })
        }
      }
    },
  }
}

import { isTerminal } from '../../state/isTerminal.ts'
import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiScope } from './agUiScope.ts'
import { applyJsonPatch } from './applyJsonPatch.ts'
import { createChangeCount, type ChangeCount } from './createChangeCount.ts'
import { fitsState } from '../support/fitsState.ts'
import { ofWireRun } from './ofWireRun.ts'

const prefix = 'activity:'

/** What the runtime shows of its doings, as artifacts. */
export interface ActivityMapper {
  replace(activity: {
    messageId: string
    activityType: string
    content: unknown
    replace: boolean
    subagentRunId?: string | undefined
  }): void
  has(messageId: string): boolean
  /** Changes an activity that is known; a patch that does not fit fails it, until it is sent whole again. */
  patch(messageId: string, patch: readonly unknown[]): void
  close(): void
}

interface Activity {
  readonly id: string
  content: unknown
  isOpen: boolean
  readonly meta: AgUiMeta
}

export function createActivityMapper(scope: AgUiScope): ActivityMapper {
  const { emit, runId } = scope
  const activities = new Map<string, Activity>()
  const ids = new Set<string>()
  /** Those that an AG-UI run before this one has told. */
  const earlier = new Set<string>()
  const counts = new Map<string, ChangeCount>()

  for (const artifact of Object.values(scope.getAgentState()?.artifacts ?? {})) {
    const { id, status, content } = artifact
    const meta = readAgUiMeta(artifact)
    const { messageId } = meta
    if (artifact.runId !== runId || !id.startsWith(prefix) || messageId === undefined) continue
    ids.add(id)
    activities.set(messageId, { id, content, isOpen: !isTerminal(status), meta })
    if (scope.isOfEarlierRun('artifact', artifact)) earlier.add(messageId)
  }

  function countOf(messageId: string): ChangeCount {
    const count = counts.get(messageId) ?? createChangeCount(scope, activities.get(messageId)?.meta)
    counts.set(messageId, count)
    return count
  }

  return {
    // A replay knows what it has told.
    has: (id) => activities.has(id) && (!scope.replaysAll || earlier.has(id) || countOf(id).hasBegun()),

    replace({ messageId, activityType, content, replace, subagentRunId }) {
      const changes = countOf(messageId)
      if (!changes.take()) return
      const known = activities.get(messageId)
      if (known?.isOpen) {
        if (!replace) return
        known.content = content
        return emit('artifact.updated', { artifactId: known.id, content }, { meta: changes.toMeta(known.meta) })
      }
      let id = `${prefix}${messageId}`
      for (let count = 2; ids.has(id); count += 1) id = `${prefix}${messageId}#${count}`
      ids.add(id)
      const own = { messageId, activityType, ...(subagentRunId !== undefined && { subagentRunId }) }
      const meta = { ...own, ...ofWireRun(scope), ...changes.toMeta() }
      activities.set(messageId, { id, content, isOpen: true, meta })
      emit('artifact.created', { artifactId: id, name: activityType, mediaType: 'application/json', content }, { meta })
    },

    patch(messageId, patch) {
      const changes = countOf(messageId)
      if (!changes.take()) return
      const known = activities.get(messageId)
      // There is nothing to change before it was sent whole, as theirs has it.
      if (!known?.isOpen) return
      const meta = changes.toMeta(known.meta)
      const patched = applyJsonPatch(known.content, patch)
      if (patched && fitsState(patched.value)) {
        known.content = patched.value
        return emit('artifact.updated', { artifactId: known.id, content: known.content }, { meta })
      }
      known.isOpen = false
      const message = 'A change of this activity does not fit it; what is shown is older.'
      emit('artifact.failed', { artifactId: known.id, error: { message, code: 'state_diverged' } }, { meta })
    },

    close() {
      for (const activity of activities.values()) {
        if (activity.isOpen) emit('artifact.completed', { artifactId: activity.id })
        activity.isOpen = false
      }
    },
  }
}

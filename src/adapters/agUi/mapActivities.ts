import { isTerminal } from '../../state/isTerminal.ts'
import { readAgUiMeta } from './agUiMeta.ts'
import type { AgUiScope } from './agUiScope.ts'
import { applyJsonPatch } from './applyJsonPatch.ts'
import { fitsState } from '../support/fitsState.ts'

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
}

export function createActivityMapper(scope: AgUiScope): ActivityMapper {
  const { emit, runId } = scope
  const activities = new Map<string, Activity>()
  const ids = new Set<string>()

  for (const artifact of Object.values(scope.getAgentState()?.artifacts ?? {})) {
    const { id, status, content } = artifact
    const { messageId } = readAgUiMeta(artifact)
    if (artifact.runId !== runId || !id.startsWith(prefix) || messageId === undefined) continue
    ids.add(id)
    activities.set(messageId, { id, content, isOpen: !isTerminal(status) })
  }

  return {
    has: (messageId) => activities.has(messageId),

    replace({ messageId, activityType, content, replace, subagentRunId }) {
      const known = activities.get(messageId)
      if (known?.isOpen) {
        if (!replace) return
        known.content = content
        return emit('artifact.updated', { artifactId: known.id, content })
      }
      let id = `${prefix}${messageId}`
      for (let count = 2; ids.has(id); count += 1) id = `${prefix}${messageId}#${count}`
      ids.add(id)
      activities.set(messageId, { id, content, isOpen: true })
      const meta = { messageId, activityType, ...(subagentRunId !== undefined && { subagentRunId }) }
      emit('artifact.created', { artifactId: id, name: activityType, mediaType: 'application/json', content }, { meta })
    },

    patch(messageId, patch) {
      const known = activities.get(messageId)
      // There is nothing to change before it was sent whole, as theirs has it.
      if (!known?.isOpen) return
      const patched = applyJsonPatch(known.content, patch)
      if (patched && fitsState(patched.value)) {
        known.content = patched.value
        return emit('artifact.updated', { artifactId: known.id, content: known.content })
      }
      known.isOpen = false
      const message = 'A change of this activity does not fit it; what is shown is older.'
      emit('artifact.failed', { artifactId: known.id, error: { message, code: 'state_diverged' } })
    },

    close() {
      for (const activity of activities.values()) {
        if (activity.isOpen) emit('artifact.completed', { artifactId: activity.id })
        activity.isOpen = false
      }
    },
  }
}

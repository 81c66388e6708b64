import { isTerminal } from '../../state/isTerminal.ts'
import type { AgUiScope } from './agUiScope.ts'
import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import { applyJsonPatch } from './applyJsonPatch.ts'
import { createChangeCount } from './createChangeCount.ts'
import { fitsState } from '../support/fitsState.ts'

/** The id of the shared state's artifact; after a patch that did not fit the next one has a number. */
const sharedStateId = 'state'

/** The state that agent and page share, as an artifact. */
export interface StateMapper {
  replace(snapshot: unknown): void
  patch(delta: readonly unknown[]): void
  close(): void
}

export function createStateMapper(scope: AgUiScope, baseline: unknown): StateMapper {
  const { emit, runId } = scope
  let content = baseline
  let artifactId: string | undefined
  let count = 0
  let hasDiverged = false
  let known: AgUiMeta = {}

  for (const artifact of Object.values(scope.getAgentState()?.artifacts ?? {})) {
    if (artifact.runId !== runId || !isSharedState(artifact.id)) continue
    count += 1
    content = artifact.content
    artifactId = isTerminal(artifact.status) ? undefined : artifact.id
    hasDiverged = artifact.status === 'failed'
    known = readAgUiMeta(artifact)
  }
  const changes = createChangeCount(scope, known)

  function state(next: unknown) {
    content = next
    const meta = changes.toMeta()
    if (artifactId !== undefined) return emit('artifact.updated', { artifactId, content }, { meta })
    count += 1
    artifactId = count === 1 ? sharedStateId : `${sharedStateId}#${count}`
    emit('artifact.created', { artifactId, name: 'state', mediaType: 'application/json', content }, { meta })
  }

  return {
    replace(snapshot) {
      if (!changes.take()) return
      hasDiverged = false
      state(snapshot)
    },

    patch(delta) {
      if (!changes.take() || hasDiverged) return
      const patched = applyJsonPatch(content, delta)
      if (patched && fitsState(patched.value)) return state(patched.value)
      hasDiverged = true
      // The state that is known stays; that it is no longer the runtime's is the fact.
      if (artifactId === undefined) state(content)
      const message = 'A change of the shared state does not fit it; what is shown is older, until all of it is sent.'
      emit('artifact.failed', { artifactId: artifactId!, error: { message, code: 'state_diverged' } }, { meta: changes.toMeta() })
      artifactId = undefined
    },

    close() {
      if (artifactId !== undefined) emit('artifact.completed', { artifactId })
      artifactId = undefined
    },
  }
}

export const isSharedState = (id: string) => id === sharedStateId || /^state#\d+$/.test(id)

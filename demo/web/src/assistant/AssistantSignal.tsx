import './AssistantSignal.css'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { selectRunIds } from './selectRunIds.ts'
import { selectRunPhase, type RunPhase } from './selectRunPhase.ts'

const { selectConversationId } = workspaceSlice.selectors

const words: Partial<Record<RunPhase, string>> = { working: 'at work', waiting: 'needs you', held: 'needs you' }

/** Says on the way to the assistant, while that is out of sight, that it is at work or waits for the person. */
export function AssistantSignal() {
  const phase = useAppSelector((state) => {
    const runId = selectRunIds(state, selectConversationId(state)).at(-1)
    return runId === undefined ? undefined : selectRunPhase(state, runId)
  })
  const word = phase && words[phase]
  if (word === undefined) return null
  return (
    <span className="assistant-signal" data-phase={phase}>
      <span className="visually-hidden"> ({word})</span>
    </span>
  )
}

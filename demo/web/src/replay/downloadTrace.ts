import { stringifyAgentTrace, type AgentTrace } from 'redux-agent'

/** Gives the person a trace as a file. */
export function downloadTrace(trace: AgentTrace) {
  const url = URL.createObjectURL(new Blob([stringifyAgentTrace(trace)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  // A run's id may be anything, a file's name may not.
  link.download = `run-${trace.runId.replaceAll(/[^\w.-]/g, '_').slice(0, 80)}.trace.json`
  link.click()
  // Once the download has begun, which is not at once.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

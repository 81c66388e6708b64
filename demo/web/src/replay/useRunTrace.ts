import { useCallback, useEffect, useState } from 'react'
import type { AgentTrace } from 'redux-agent'
import { loadRunTrace } from './loadRunTrace.ts'

/** The trace of a run of the server, out of the store: a log may be long, and one page reads it, once. */
export function useRunTrace(runId: string) {
  const [request, setRequest] = useState({ runId })
  const [trace, setTrace] = useState<AgentTrace>()
  const [failure, setFailure] = useState<string>()

  useEffect(() => {
    if (request.runId === '') return
    const controller = new AbortController()
    const load = async () => {
      try {
        const loaded = await loadRunTrace(request.runId, controller.signal)
        if (!controller.signal.aborted) setTrace(loaded)
      } catch (error) {
        if (!controller.signal.aborted) setFailure(describe(error))
      }
    }
    void load()
    return () => controller.abort()
  }, [request])

  const reload = useCallback(() => {
    setFailure(undefined)
    setRequest({ runId })
  }, [runId])
  return { trace, failure, reload }
}

function describe(error: unknown): string {
  // What fetch throws has the browser's words.
  return error instanceof Error && !(error instanceof TypeError) ? error.message : 'The server could not be reached.'
}

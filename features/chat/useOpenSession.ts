import { useEffect } from 'react'
import { useStore } from 'react-redux'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { AgentTaskResult } from '../../store/runtime/agentTask.ts'

type Root = AgentRootState<string>

/**
 * Opens a session once it is shown: `open` is called anew where it changes. While DevTools shows a past state nothing is
 * opened (design, section 7): it is, then, when the store shows another one.
 */
export function useOpenSession(reducerPath: string, open: (() => PromiseLike<AgentTaskResult<void>>) | undefined): void {
  const store = useStore<Root>()
  useEffect(() => {
    if (!open) return undefined
    let stop = () => {}
    let isOver = false
    async function tryToOpen(open: () => PromiseLike<AgentTaskResult<void>>): Promise<void> {
      const result = await open()
      const refusal = 'error' in result ? (result.error as { code?: unknown } | null | undefined)?.code : undefined
      if (isOver || refusal !== 'time_travel') return
      const shown = store.getState()[reducerPath]
      stop = store.subscribe(() => {
        if (store.getState()[reducerPath] === shown) return
        stop()
        void tryToOpen(open)
      })
    }
    void tryToOpen(open)
    return () => {
      isOver = true
      stop()
    }
  }, [store, reducerPath, open])
}

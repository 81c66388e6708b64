import { useState, type ReactNode } from 'react'
import { ReplayPage } from './ReplayPage.tsx'
import { replayHash } from './replayHash.ts'
import { useHash } from './useHash.ts'

/** Lays a replay over the app where the address asks for one; the app stays below as it is, and out of reach. */
export function ReplayLayer({ children }: { readonly children: ReactNode }) {
  const runId = replayHash.parse(useHash())
  // Where the page began with a replay there is nothing of the app's to go back to.
  const [beganHere] = useState(runId !== null)

  return (
    <>
      <div inert={runId !== null}>{children}</div>
      {runId !== null && <ReplayPage key={runId} runId={runId} canGoBack={!beganHere} />}
    </>
  )
}

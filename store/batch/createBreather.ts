import type { AgentEnvironment } from './agentEnvironment.ts'

const sliceTime = 10
const sliceChunks = 32

/**
 * Makes the pause of a stream: a burst of chunks is read in slices of some 10 ms, with a turn of the host between
 * them, so that the page stays alive; a stream that trickles is hardly ever held up.
 */
export function createBreather(environment: AgentEnvironment): (chunks: number) => Promise<void> | undefined {
  let chunks = 0
  let begin = environment.now()
  return (read) => {
    chunks += read
    if (chunks < sliceChunks || environment.now() - begin < sliceTime) return undefined
    return new Promise((resolve) => {
      environment.yieldToHost(() => {
        chunks = 0
        begin = environment.now()
        resolve()
      })
    })
  }
}

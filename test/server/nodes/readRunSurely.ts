import type { AgentEvent } from 'redux-agent'
import type { TestBrowser } from '../support/createBrowser.ts'
import { envelopeOf, readFrames } from '../support/readFrames.ts'
import type { TestNode } from './createNode.ts'
import type { Watch } from './createWatch.ts'
import { isPassing } from './isPassing.ts'

/**
 * Reads a run at one node to its end, over as many connections as that takes, each after the last event of the one
 * before.
 *
 * @throws Error where what comes is not the very next event, or the node refuses.
 */
export async function readRunSurely(options: {
  node: TestNode
  browser: TestBrowser
  runId: string
  watch: Watch
  onEvent(event: AgentEvent): void
}): Promise<void> {
  const { node, browser, runId, watch, onEvent } = options
  const { signal } = watch
  let last = 0
  for (;;) {
    await watch.until(`node ${node.name} is up`, node.isUp)
    const response = await browser
      .send(`/api/agent/runs/${runId}/stream?after=${last}`, { signal })
      .catch(() => undefined)
    if (response === undefined) continue
    if (response.status !== 200) {
      const text = await response.text().catch(() => '')
      if (isPassing(response.status)) continue
      throw new Error(`Node ${node.name} refuses ${runId} after ${last}: ${response.status} ${text}`)
    }
    const frames = readFrames(response)
    for (;;) {
      // A connection that is cut throws here; whatever a reader finds wrong does so below.
      const next = await frames.next().catch(() => undefined)
      if (next === undefined || next.done) break
      const frame = next.value
      if (frame.name === 'end') return
      if (frame.name !== 'message') continue
      const { seq, event } = envelopeOf(frame)
      if (seq !== last + 1) throw new Error(`Node ${node.name} sent ${seq} of ${runId} after ${last}.`)
      last = seq
      onEvent(event)
    }
  }
}

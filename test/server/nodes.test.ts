import { afterEach, describe, expect, it } from 'vitest'
import { startCluster, type Cluster } from './nodes/createCluster.ts'
import { promptOf, textOf } from './nodes/faultScenario.ts'
import { runFaultRounds } from './nodes/runFaultRounds.ts'
import { createBrowser } from './support/createBrowser.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { envelopeOf, eventsOf, nameOf, readAll, readUntil, type Frame } from './support/readFrames.ts'

/** What was played is played again with the seed that a failure names, as far as processes let themselves be led. */
const { NODES_SEED: seed = '1', NODES_RUNS: runs = '20' } = process.env

let cluster: Cluster | undefined
afterEach(async () => {
  await cluster?.close()
  cluster = undefined
})

const textIn = (frames: readonly Frame[]) =>
  eventsOf(frames).map((event) => (event.type === 'message.delta' ? String(event.payload.delta) : '')).join('')

describe('two nodes on one PostgreSQL', () => {
  it('lose, repeat and mix up nothing while they are killed, frozen and cut off', async () => {
    const report = await runFaultRounds({ seed: Number(seed), runs: Number(runs) })
    expect(report.runs).toBe(Number(runs))
    // There were faults indeed, and nodes went on with what others had left.
    expect(Object.keys(report.faults)).toEqual(expect.arrayContaining(['kill', 'kill both', 'freeze', 'cut']))
    expect(report.takeOvers).toBeGreaterThan(0)
    expect(report.commands).toBeGreaterThan(0)
  }, 600_000)

  it('refuse what one of them goes on to write that was frozen past its lease', async () => {
    cluster = await startCluster({ leaseMs: 3_000, paceMs: 20 })
    const { nodes, holders, watch } = cluster
    const [zombie, other] = nodes
    const browser = createBrowser(zombie.url)
    const { frames, runId } = await browser.start(promptOf('write', 'this'))
    await readUntil(frames, 'message.delta')
    zombie.freeze()
    await watch.until('the other node goes on', () => holders.isHeldBy(runId, other.name))
    zombie.thaw()
    await watch.until('the zombie is refused', () => holders.countLosses(runId, zombie.name) > 0)

    const elsewhere = createBrowser(other.url, browser.getCookie())
    const following = await elsewhere.follow(runId)
    const log = await readUntil(following, 'approval.requested')
    const { approvalId } = envelopeOf(log.at(-1)!).event.payload as { approvalId: string }
    const decide = { approvalId, decision: 'approved' as const }
    expect((await browser.command(browser.commands(runId).create('approval.resolve', decide))).status).toBe(200)
    log.push(...(await readAll(following)))
    expectSoundLog(log.slice(1), runId)
    expect(textIn(log)).toBe(textOf('write', 'this'))
    expect(log.map(nameOf).filter((name) => name === 'tool.running')).toHaveLength(2)
    expect(await readAll(await browser.follow(runId))).toEqual(log)
  }, 600_000)
})

import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleScript } from '../support/bundleScript.ts'
import { startPostgres } from '../support/startPostgres.ts'
import type { Holders } from './createFaults.ts'
import { createNode, type TestNode } from './createNode.ts'
import { createWatch, type Watch } from './createWatch.ts'
import type { FaultHistory } from './faultHistory.ts'
import type { NodeLine } from './nodeLine.ts'

/** Two nodes on a PostgreSQL of their own, and what they say of the runs. */
export interface Cluster {
  nodes: readonly [TestNode, TestNode]
  watch: Watch
  holders: Holders
  readEffects(): string[]
  failures: FaultHistory['failures']
  /** How often runs were taken over, and nodes told that one is another's. */
  count(): { takeOvers: number; refusals: number }
  /** To be told once a run has ended: who held it is of no matter then. */
  markOver(runId: string): void
  dropConnections(condition?: string): Promise<number>
  /** Adds to what is shown where something fails. */
  note(text: string): void
  readJournal(): string
  close(): Promise<void>
}

const journalLength = 100

/** Starts a cluster; times are in milliseconds, `paceMs` between two words of the model. */
export async function startCluster({ leaseMs, paceMs }: { leaseMs: number; paceMs: number }): Promise<Cluster> {
  const cleanUps: (() => unknown)[] = []
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'run-server-nodes-'))
    cleanUps.push(() => rmSync(folder, { recursive: true }))
    const effectsFile = join(folder, 'effects')
    appendFileSync(effectsFile, '')
    const script = await bundleScript('nodeServer', 'test/server/nodes')
    cleanUps.push(() => rmSync(script, { force: true }))
    const postgres = await startPostgres()
    cleanUps.push(() => postgres.stop())
    const database = await postgres.createDatabase()
    const env = { DATABASE_URL: database, EFFECTS_FILE: effectsFile, LEASE_MS: `${leaseMs}`, PACE_MS: `${paceMs}` }

    const watch = createWatch()
    const startedAt = Date.now()
    const journal: string[] = []
    const note = (text: string) => {
      journal.push(`${((Date.now() - startedAt) / 1000).toFixed(2)} ${text}`)
      if (journal.length > journalLength) journal.shift()
    }
    const failures: FaultHistory['failures'] = []
    const ledger = createLedger()
    const makeNode = async (name: string) => {
      const onLine = (line: NodeLine) => {
        ledger.onLine(name, line)
        if (line.type === 'failed') failures.push({ node: name, name: line.name, text: line.text })
        note(`${name}: ${line.type === 'failed' ? line.text.split('\n', 1)[0] : JSON.stringify(line)}`)
      }
      const node = await createNode({ name, script, env, watch, onLine })
      cleanUps.push(() => node.close())
      return node
    }
    const nodes = [await makeNode('a'), await makeNode('b')] as const
    await Promise.all(nodes.map((node) => node.start()))
    return {
      nodes,
      watch,
      holders: ledger.holders,
      readEffects: () => readFileSync(effectsFile, 'utf8').split('\n').filter(Boolean),
      failures,
      count: ledger.count,
      markOver: ledger.markOver,
      dropConnections: (condition) => postgres.dropConnections(database, condition),
      note,
      readJournal: () => journal.join('\n'),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Keeps who holds which run: the higher epoch does, whoever speaks first. */
function createLedger() {
  const held = new Map<string, { node: string; epoch: number }>()
  const losses = new Map<string, number>()
  const atWork = new Set<string>()
  const over = new Set<string>()
  let takeOvers = 0
  let refusals = 0
  const holders: Holders = {
    listHeld: (name) => [...held].flatMap(([runId, { node }]) => (node === name && !over.has(runId) ? [runId] : [])),
    isHeldBy: (runId, node) => held.get(runId)?.node === node,
    isOver: (runId) => over.has(runId),
    isAtWork: (runId, node) => atWork.has(`${node} ${runId}`),
    countLosses: (runId, node) => losses.get(`${node} ${runId}`) ?? 0,
  }
  return {
    holders,
    count: () => ({ takeOvers, refusals }),
    markOver: (runId: string) => void over.add(runId),
    onLine(node: string, line: NodeLine) {
      if (line.type === 'lost' || line.type === 'failed') {
        if (line.type === 'lost') refusals += 1
        const key = `${node} ${line.runId}`
        losses.set(key, (losses.get(key) ?? 0) + 1)
        atWork.delete(key)
      }
      if (line.type !== 'taken') return
      const { runId, epoch, taking } = line
      if (taking === 'recovered') takeOvers += 1
      atWork.add(`${node} ${runId}`)
      if (epoch > (held.get(runId)?.epoch ?? 0)) held.set(runId, { node, epoch })
    },
  }
}

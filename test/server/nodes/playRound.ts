import { randomUUID } from 'node:crypto'
import type { AgentEvent } from 'redux-agent'
import { createBrowser } from '../support/createBrowser.ts'
import { checkFaultHistory, type FaultOutcome } from './checkFaultHistory.ts'
import type { Cluster } from './createCluster.ts'
import { chooseFaults, createFaults, type FaultKind } from './createFaults.ts'
import { createPerson, type Place } from './createPerson.ts'
import { createRandom, type Random } from './createRandom.ts'
import { createStoreClient, type StoreClient } from './createStoreClient.ts'
import type { FaultHistory, FaultRun } from './faultHistory.ts'
import { promptOf, type RunKind } from './faultScenario.ts'
import { isPassing } from './isPassing.ts'
import { readRunSurely } from './readRunSurely.ts'

/** What one round came to. */
export interface RoundReport {
  events: number
  /** Tool calls of which nobody knew whether they were done. */
  unknowns: number
  commands: number
  faults: readonly FaultKind[]
  /** How long after the last fault the last run ended, in milliseconds. */
  settledMs: number
}

/** How many runs may begin before there was any fault. */
const ahead = 6
/** How long the faults of a round may take, in milliseconds. */
const limitOfFaults = 10 * 60_000

/**
 * Has a person start runs at both nodes, watch them and decide, while one fault after the other happens; then checks
 * what everybody saw.
 *
 * @throws Error that says what does not hold.
 */
export async function playRound(cluster: Cluster, options: { seed: number; runs: number }): Promise<RoundReport> {
  const { watch, nodes, holders } = cluster
  const random = createRandom(options.seed)
  const places = await createPlaces(cluster)
  const runs = chooseRuns(random, options.runs)
  const history: FaultHistory = { runs, views: [], states: [], answers: [], failures: cluster.failures }
  const faults = chooseFaults(random)
  let done = 0
  let seen = 0
  let unknowns = 0
  let underWay = 0
  let waiting = 0
  const whenFaultIsDone = async () => {
    const before = done
    waiting += 1
    watch.changed()
    await watch.until('the next fault', () => done > before || done === faults.length, limitOfFaults)
    waiting -= 1
  }

  const playRun = async (run: FaultRun, index: number) => {
    const { runId } = run
    const own = createRandom(options.seed * 1_000 + index)
    // Runs begin as faults go on, so that each of these meets some.
    await watch.until('the next start', () => index < ahead + (done / faults.length) * runs.length, limitOfFaults)
    underWay += 1
    const driver = await startRun(run, { places, random: own, watch })
    const { readEffects } = cluster
    const { answers } = history
    const person = createPerson({ run, places, driver, random: own, watch, readEffects, answers, whenFaultIsDone })
    let told = 0
    const onEvent = (event: AgentEvent) => {
      // Whoever reads it first tells the person.
      if (event.sequence <= told) return
      told = event.sequence
      seen += 1
      if (event.type === 'tool.failed') unknowns += 1
      person.onEvent(event)
      watch.changed()
    }
    const readers = places.map(async ({ node, browser, store }) => {
      if (store !== driver) store.follow(run)
      const events: AgentEvent[] = []
      history.views.push({ reader: `a reader at ${node.name}`, runId, events })
      const onNext = (event: AgentEvent) => {
        events.push(event)
        onEvent(event)
      }
      await readRunSurely({ node, browser, runId, watch, onEvent: onNext })
      cluster.markOver(runId)
      watch.changed()
    })
    await Promise.all(readers)
    await person.finish()
    for (const { store } of places) {
      await watch.until(
        () => `${store.name} has the end of ${runId} (${store.describe(runId)})`,
        () => store.isOver(run),
      )
    }
    underWay -= 1
    watch.changed()
  }
  const noteStates = () => {
    for (const { runId, conversationId } of runs) {
      for (const { store } of places) {
        history.states.push({ reader: store.name, runId, state: store.stateOf(conversationId) })
      }
    }
  }

  const playing = runs.map((run, index) => playRun(run, index).catch(watch.fail))
  const doFault = createFaults({ nodes, holders, random, watch, dropConnections: cluster.dropConnections })
  for (const kind of faults) {
    const next = seen + 5 + random.below(25)
    // Where all runs wait for the fault, nothing happens before it.
    await watch.until('something happens', () => seen >= next || waiting >= underWay)
    cluster.note(`fault: ${kind}`)
    await doFault(kind)
    cluster.note(`over: ${kind}`)
    noteStates()
    done += 1
    watch.changed()
  }
  const lastFaultAt = Date.now()
  await Promise.all(playing)
  watch.signal.throwIfAborted()
  const settledMs = Date.now() - lastFaultAt
  noteStates()
  checkFaultHistory(history, { ...(await readOutcome(places, runs)), effects: cluster.readEffects() })
  return { events: seen, unknowns, commands: history.answers.length, faults, settledMs }
}

/** Two places of one person, who has nothing to do with any other round's. */
async function createPlaces({ nodes, watch }: Cluster): Promise<readonly [Place, Place]> {
  const first = createBrowser(nodes[0].url)
  const introduce = () => first.request('GET', '/api/agent/conversations')
  await introduce().catch(introduce)
  const place = (index: 0 | 1): Place => {
    const node = nodes[index]
    const browser = createBrowser(node.url, first.getCookie())
    return { node, browser, store: createStoreClient({ node, browser, watch }) }
  }
  return [place(0), place(1)]
}

function chooseRuns(random: Random, count: number): FaultRun[] {
  return Array.from({ length: count }, () => {
    const runId = randomUUID()
    const kind = random.pick<RunKind>(['notice', 'write', 'both'])
    return { runId, conversationId: `of-${runId}`, kind, tag: `tag-${runId}` }
  })
}

/** Starts a run at one of the places, by its store or by a request of one's own; gives the store that drives it. */
async function startRun(
  { runId, conversationId, kind, tag }: FaultRun,
  options: { places: readonly [Place, Place]; random: Random; watch: Cluster['watch'] },
): Promise<StoreClient | undefined> {
  const { places, random, watch } = options
  const prompt = promptOf(kind, tag)
  const first = random.below(2)
  const driver = random.chance(0.5) ? places[first]!.store : undefined
  driver?.start({ runId, conversationId, prompt })
  const body = JSON.stringify({ runId, conversationId, messages: [{ role: 'user', content: prompt }] })
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  // The same start is one run: who comes second attaches, and one whose answer is lost asks the other node.
  for (let turn = first; ; turn += 1) {
    watch.signal.throwIfAborted()
    await watch.until('a node is up', () => places.some(({ node }) => node.isUp()))
    const signal = AbortSignal.any([watch.signal, AbortSignal.timeout(1_500)])
    const response = await places[turn % 2]!.browser
      .send('/api/agent/stream', { ...request, signal })
      .catch(() => undefined)
    const status = response?.status
    await response?.body?.cancel().catch(() => undefined)
    if (status === 200) return driver
    if (status !== undefined && !isPassing(status)) throw new Error(`The start of ${runId} was refused: ${status}.`)
  }
}

/** Reads, once more where the connection that was kept open turns out to have been cut. */
async function read<Body>({ browser }: Place, path: string): Promise<Body> {
  const ask = () => browser.request<Body>('GET', path)
  const { body } = await ask().catch(ask)
  return body
}

async function readOutcome(
  places: readonly [Place, Place],
  runs: readonly FaultRun[],
): Promise<Omit<FaultOutcome, 'effects'>> {
  const logs: FaultOutcome['logs'][number][] = []
  for (const place of places) {
    for (const { runId } of runs) {
      const page = await read<{ events: { event: AgentEvent }[] }>(place, `/api/agent/runs/${runId}/events?limit=1000`)
      logs.push({ node: place.node.name, runId, events: page.events.map(({ event }) => event) })
    }
  }
  const { documents } = await read<{ documents: { title: string }[] }>(places[0], '/api/documents')
  return { logs, titles: documents.map(({ title }) => title) }
}

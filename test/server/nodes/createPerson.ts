import { request } from 'node:http'
import { createAgentCommandFactory, type AgentCommand, type AgentEvent } from 'redux-agent'
import type { CommandBody, TestBrowser } from '../support/createBrowser.ts'
import type { TestNode } from './createNode.ts'
import type { Random } from './createRandom.ts'
import type { StoreClient } from './createStoreClient.ts'
import type { Watch } from './createWatch.ts'
import type { FaultHistory, FaultRun } from './faultHistory.ts'
import { isPassing } from './isPassing.ts'

/** Where the person is: a browser and a page at each node. */
export interface Place {
  node: TestNode
  browser: TestBrowser
  store: StoreClient
}

/** A person who watches one run and decides what it asks, in all the ways that go wrong. */
export interface Person {
  /** Told of each event of the run once, in its order. */
  onEvent(event: AgentEvent): void
  /** Settles once nothing that they began is open. */
  finish(): Promise<void>
}

/** How long they wait for an answer before they ask the other node, in milliseconds. */
const patience = 1_500
const ways = ['once', 'double click', 'two tabs', 'lost answer', 'store'] as const

/** Makes the person of one run. */
export function createPerson(options: {
  run: FaultRun
  places: readonly [Place, Place]
  /** The store that started the run, and so may command it. */
  driver: StoreClient | undefined
  random: Random
  watch: Watch
  readEffects(): readonly string[]
  /** Gets every answer that arrives. */
  answers: FaultHistory['answers']
  /** Settles after the next fault: some decisions wait for that. */
  whenFaultIsDone(): Promise<void>
}): Person {
  const { run, places, driver, random, watch, answers } = options
  const { runId, conversationId } = run
  const commands = createAgentCommandFactory({ sessionId: conversationId, runId })
  const cancelAt = random.chance(0.15) ? 5 + random.below(40) : undefined
  const tasks: Promise<void>[] = []
  /** The first attempt of a later one. */
  const firstOf = new Map<string, string>()

  const begin = (work: () => Promise<void>) => void tasks.push(work().catch(watch.fail))
  const post = ({ browser }: Place, command: AgentCommand) =>
    browser.send('/api/agent/commands', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': command.idempotencyKey },
      body: JSON.stringify(command),
      signal: AbortSignal.any([watch.signal, AbortSignal.timeout(patience)]),
    })
  /** Sends a command until an answer arrives that says what became of it, to the nodes by turns. */
  const sendSurely = async (command: AgentCommand, first: number) => {
    for (let turn = first; ; turn += 1) {
      watch.signal.throwIfAborted()
      await watch.until('a node is up', () => places.some(({ node }) => node.isUp()))
      try {
        const response = await post(places[turn % 2]!, command)
        if (isPassing(response.status)) continue
        const body = (await response.json()) as CommandBody
        return void answers.push({ command, status: response.status, body })
      } catch {
        // Nobody knows what became of it: the same command again.
      }
    }
  }
  /** Sends a command and goes away before its answer arrives, or as it does. */
  const sendAndLeave = async ({ node, browser }: Place, command: AgentCommand) => {
    const headers = { 'content-type': 'application/json', cookie: browser.getCookie() ?? '' }
    const sent = request(`${node.url}/api/agent/commands`, { method: 'POST', headers, agent: false, timeout: patience })
    const closed = new Promise<void>((resolve) => {
      sent.on('close', resolve)
    })
    sent.on('error', () => undefined)
    for (const event of [random.pick(['finish', 'response']), 'timeout']) sent.on(event, () => sent.destroy())
    sent.end(JSON.stringify(command))
    await closed
  }
  const decideByStore = async (store: StoreClient, approvalId: string, decision: 'approved' | 'rejected') => {
    await watch.until(
      () => `${store.name} shows the approval (${store.describe(runId)})`,
      () => Object.values(store.stateOf(conversationId).approvals).some(({ id }) => id === approvalId),
    )
    await store.decide({ runId, approvalId, decision })
  }

  const decide = async (approvalId: string) => {
    const decision = random.chance(0.75) ? ('approved' as const) : ('rejected' as const)
    const command = commands.create('approval.resolve', { approvalId, decision })
    const way = random.pick(ways)
    const first = random.below(2)
    const second = random.below(2)
    if (random.chance(0.4)) await options.whenFaultIsDone()
    if (way === 'lost answer') await sendAndLeave(places[first]!, command)
    // Whatever the store was told: there is a decision then, and what follows only asks which.
    if (way === 'store' && driver !== undefined) await decideByStore(driver, approvalId, decision)
    const sending = [sendSurely(command, first)]
    if (way === 'double click') sending.push(sendSurely(command, second))
    if (way === 'two tabs') {
      const other = decision === 'approved' ? 'rejected' : 'approved'
      sending.push(sendSurely(commands.create('approval.resolve', { approvalId, decision: other }), first + 1))
    }
    await Promise.all(sending)
  }
  /** Nobody knows whether the notice was sent: they look. */
  const lookAndGoOn = async (toolCallId: string) => {
    const key = `${runId}:${firstOf.get(toolCallId) ?? toolCallId}`
    const command = options.readEffects().includes(key)
      ? commands.create('run.cancel', { reason: 'It was sent.' })
      : commands.create('tool.retry', { toolCallId })
    const first = random.below(2)
    if (random.chance(0.3)) await sendAndLeave(places[first]!, command)
    await sendSurely(command, first + random.below(2))
  }

  return {
    onEvent(event) {
      if (event.type === 'tool.requested' && event.payload.retryOf !== undefined) {
        const { toolCallId, retryOf } = event.payload
        firstOf.set(toolCallId, firstOf.get(retryOf) ?? retryOf)
      }
      if (event.type === 'approval.requested') begin(() => decide(event.payload.approvalId))
      if (event.type === 'tool.failed') begin(() => lookAndGoOn(event.payload.toolCallId))
      if (event.sequence === cancelAt) {
        begin(() => sendSurely(commands.create('run.cancel', { reason: 'Enough.' }), random.below(2)))
      }
    },
    async finish() {
      for (let done = 0; done < tasks.length; done += 1) await tasks[done]
    },
  }
}

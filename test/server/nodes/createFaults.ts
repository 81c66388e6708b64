import type { TestNode } from './createNode.ts'
import type { Random } from './createRandom.ts'
import type { Watch } from './createWatch.ts'

export type FaultKind = 'kill' | 'kill both' | 'freeze' | 'cut' | 'drop listeners' | 'drop database'

/** What each round has, in an order of its own. */
const faultsOfRound: readonly FaultKind[] = [
  ...(['kill', 'kill', 'kill', 'kill both', 'freeze', 'freeze'] as const),
  ...(['cut', 'cut', 'cut', 'cut', 'cut', 'cut', 'drop listeners', 'drop database'] as const),
]

/** One round's faults. */
export function chooseFaults(random: Random): FaultKind[] {
  return random.shuffle(faultsOfRound)
}

/** Who works on which run, by what the nodes say. */
export interface Holders {
  /** The runs under way that this node took last. */
  listHeld(node: string): string[]
  isHeldBy(runId: string, node: string): boolean
  isOver(runId: string): boolean
  /** Whether a node works on a run: it has said nothing else since it took it. */
  isAtWork(runId: string, node: string): boolean
  /** How often a node has said by now that a run is another's, or that it cannot go on with it. */
  countLosses(runId: string, node: string): number
}

/** Makes what does one fault; it settles once everything is up again, and what follows from the fault has happened. */
export function createFaults(options: {
  nodes: readonly [TestNode, TestNode]
  holders: Holders
  random: Random
  watch: Watch
  /** Ends connections to the database, those that a condition of SQL chooses. */
  dropConnections(condition?: string): Promise<number>
}): (kind: FaultKind) => Promise<void> {
  const { nodes, holders, random, watch, dropConnections } = options
  /** Until none of these runs is the node's any more: it goes on at the other one, or has ended. */
  const whenTakenOver = (node: TestNode, runIds: readonly string[]) => {
    const isLeft = (runId: string) => !holders.isOver(runId) && holders.isHeldBy(runId, node.name)
    return watch.until(
      () => `the runs of node ${node.name} go on elsewhere: ${runIds.filter(isLeft).join(', ')}`,
      () => !runIds.some(isLeft),
    )
  }

  const kill = async (node: TestNode) => {
    const held = holders.listHeld(node.name)
    await node.kill()
    // Either it is back before anybody has noticed, or its runs go on elsewhere first.
    if (random.chance(0.5)) await whenTakenOver(node, held)
    await node.start()
  }
  const freeze = async (node: TestNode) => {
    const held = holders.listHeld(node.name)
    const working = held.filter((runId) => holders.isAtWork(runId, node.name))
    const losses = new Map(working.map((runId) => [runId, holders.countLosses(runId, node.name)]))
    node.freeze()
    try {
      await whenTakenOver(node, held)
    } finally {
      node.thaw()
    }
    const isNoticed = (runId: string) =>
      holders.isOver(runId) || holders.countLosses(runId, node.name) > losses.get(runId)!
    await watch.until(
      () => `node ${node.name} notices whose its runs are: ${working.filter((runId) => !isNoticed(runId)).join(', ')}`,
      () => working.every(isNoticed),
    )
  }

  return async (kind) => {
    const node = random.pick(nodes)
    switch (kind) {
      case 'kill':
        return kill(node)
      case 'kill both':
        await Promise.all(nodes.map((one) => one.kill()))
        await Promise.all(nodes.map((one) => one.start()))
        return
      case 'freeze':
        return freeze(node)
      case 'cut': {
        const share = random.pick([0.2, 0.5, 1])
        for (const { proxy } of nodes) proxy.cut(() => random.chance(share))
        return
      }
      case 'drop listeners':
        return void (await dropConnections("query = 'LISTEN agent_runs'"))
      case 'drop database':
        return void (await dropConnections())
      default:
        return kind satisfies never
    }
  }
}

import { parseAgentCheckpoint, type AgentCheckpoint, type AgentCheckpointStorage } from 'redux-agent'

/** What a storage was asked to do, which the test lets happen, or fail, when it likes. */
export interface ForeignWork {
  readonly kind: 'load' | 'save' | 'remove' | 'forget'
  readonly checkpoint?: AgentCheckpoint | undefined
  end(error?: Error): void
}

/**
 * An app's own storage, over a network of which nothing is known: each work takes its time and its effect is there when
 * it ends, in whatever order that is. `holds` says which works wait for the test.
 */
export function createForeignStorage(options: { holds?: (kind: ForeignWork['kind']) => boolean; hasFlush?: boolean } = {}) {
  const { holds = () => true, hasFlush = false } = options
  const texts = new Map<string, string>()
  const quarantined = new Set<string>()
  const works: ForeignWork[] = []
  const asked: ForeignWork['kind'][] = []
  let flushes = 0

  function begin<Result>(kind: ForeignWork['kind'], effect: () => Result, checkpoint?: AgentCheckpoint): Promise<Result> {
    asked.push(kind)
    return new Promise((resolve, reject) => {
      const work: ForeignWork = {
        kind,
        checkpoint,
        end(error) {
          works.splice(works.indexOf(work), 1)
          if (error) reject(error)
          else resolve(effect())
        },
      }
      works.push(work)
      if (!holds(kind)) work.end()
    })
  }

  function read(sessionId: string): AgentCheckpoint | undefined {
    const text = texts.get(sessionId)
    return text === undefined ? undefined : parseAgentCheckpoint(JSON.parse(text), { sessionId }).checkpoint
  }

  const storage: AgentCheckpointStorage = {
    load: (sessionId) => begin('load', () => read(sessionId)),
    save(checkpoint) {
      const text = JSON.stringify(checkpoint)
      return begin('save', () => void texts.set(checkpoint.sessionId, text), checkpoint)
    },
    remove: (sessionId) => begin('remove', () => void texts.delete(sessionId)),
    forget: (sessionId) =>
      begin('forget', () => {
        texts.delete(sessionId)
        quarantined.delete(sessionId)
      }),
    ...(hasFlush && { flush: async () => void (flushes += 1) }),
  }
  return {
    storage,
    texts,
    quarantined,
    works,
    asked,
    /** How often it was told to hold nothing back. */
    flushes: () => flushes,
    /** The works of one kind that have not ended. */
    open: (kind: ForeignWork['kind']) => works.filter((work) => work.kind === kind),
    /** The runs that a session has in storage; nothing where it has none. */
    runsOf: (sessionId = 's1') => read(sessionId) && Object.keys(read(sessionId)!.connectionByRun!),
  }
}

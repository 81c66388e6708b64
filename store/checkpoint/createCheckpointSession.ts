import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import { isStorable } from '../../src/checkpoint/isStorable.ts'
import { stringifyCheckpoint } from '../../src/checkpoint/stringifyCheckpoint.ts'
import { toCheckpointError } from '../../src/checkpoint/toCheckpointError.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { createDeferred, type Deferred } from '../runtime/deferred.ts'
import type { CheckpointCell, OpenCheckpointCell } from './checkpointCell.ts'
import { parsePiece } from './parsePiece.ts'
import { pickPiece } from './pickPiece.ts'
import type { CheckpointPiece } from './checkpointPiece.ts'
import { takeRun } from './takeRun.ts'
import { createPlaces } from './createPlaces.ts'
import type { WriteQueue } from './createWriteQueue.ts'
import { joinPieces } from './joinPieces.ts'
import { isQuarantined } from './isQuarantined.ts'
import { parseRunIds, type SettledRuns } from './parseRunIds.ts'
import { readSession, type QuarantinedTexts } from './readSession.ts'

/** One session's checkpoint in a storage. */
export interface CheckpointSession {
  load(): Promise<AgentCheckpoint | undefined>
  save(checkpoint: AgentCheckpoint): Promise<void>
  flush(): Promise<void>
  remove(): Promise<void>
  forget(): Promise<void>
}

export interface CheckpointSessionOptions {
  sessionId: string
  openCell: OpenCheckpointCell
  queue: WriteQueue
  /** Gives the session's key, or that of a part of it. */
  keyOf(...part: readonly string[]): string
  throttle: number
  redact?: ((checkpoint: AgentCheckpoint) => AgentCheckpoint) | undefined
  /** How long what was written is good for, in milliseconds; `Infinity` for ever. */
  ttl: number
  now(): number
}

/** What is staged for the session's own key. */
interface Snapshot {
  readonly checkpoint: AgentCheckpoint
}

export function createCheckpointSession(options: CheckpointSessionOptions): CheckpointSession {
  const { sessionId, openCell, queue, keyOf, throttle, redact, ttl, now } = options
  const quarantine = openCell<QuarantinedTexts>({ key: keyOf('quarantine'), toText: JSON.stringify })
  let cells = openCells()
  let places = createPlaces([])
  /** Settled runs that stand under keys of their own, each with its end: an ended run never changes. */
  let stored = new Map<string, string>()
  /** Runs that the list of settled ones has held by this storage's doing: any other there is another tab's. */
  let listed = new Set<string>()
  let latest: AgentCheckpoint | undefined
  let written: AgentCheckpoint | undefined
  let pending: Deferred<void> | undefined
  let isRead = false
  let obstacle: AgentCheckpointError | undefined
  let access: Promise<unknown> | undefined
  let move: Promise<void> | undefined

  function openCells() {
    const head = openCell<Snapshot>({ key: keyOf(), throttle, toText: headText, onWrite: noteWrite })
    const index: CheckpointCell<SettledRuns> = openCell({
      key: keyOf('runs'),
      toText: JSON.stringify,
      async revise(text) {
        const found = parseRunIds((await index.read())?.value) ?? []
        const { runs: own } = JSON.parse(text) as SettledRuns
        return JSON.stringify({ runs: [...found.filter((runId) => !listed.has(runId)), ...own] } satisfies SettledRuns)
      },
    })
    return { head, index }
  }

  function openRun(runId: string): CheckpointCell<CheckpointPiece> {
    return openCell({ key: keyOf('run', runId), toText: textOf })
  }

  function textOf(piece: CheckpointPiece): string {
    return stringifyCheckpoint(redact ? redactPiece(piece, redact) : piece)
  }

  function redactPiece(piece: CheckpointPiece, redact: (checkpoint: AgentCheckpoint) => AgentCheckpoint): CheckpointPiece {
    let redacted: CheckpointPiece
    try {
      redacted = { ...redact(piece), places: piece.places }
    } catch (cause) {
      throw new AgentCheckpointError('save_failed', { message: 'redact failed, and nothing was written.', cause })
    }
    // What would not be taken back is not put over what would.
    const { fault } = parsePiece(redacted, { sessionId })
    if (!fault) return redacted
    if (!isStorable(redacted)) throw new AgentCheckpointError('not_serializable')
    const message = `redact gave no checkpoint of this session, and nothing was written. ${fault.message}`
    throw new AgentCheckpointError('save_failed', { message })
  }

  const isStored = ({ state }: AgentCheckpoint, runId: string) => {
    const end = stored.get(runId)
    return end !== undefined && end === endOf(state, runId)
  }

  function headText({ checkpoint }: Snapshot): string {
    const { places: here, hasMoved } = places.place(checkpoint.state.order)
    if (hasMoved) stored.clear()
    return textOf(pickPiece({ checkpoint, places: here, owns: (runId) => !isStored(checkpoint, runId) }))
  }

  function noteWrite({ checkpoint }: Snapshot, outcome: Promise<void>): void {
    const waiting = pending
    pending = undefined
    void followWrite()

    async function followWrite(): Promise<void> {
      try {
        await outcome
      } catch (error) {
        waiting?.reject(toCheckpointError(error, 'save_failed'))
        return
      }
      written = checkpoint
      waiting?.resolve()
      move ??= moveAll().finally(() => (move = undefined))
    }
  }

  /** Gives settled runs keys of their own, once their end is safe in the session's key. */
  async function moveAll(): Promise<void> {
    let seen: AgentCheckpoint | undefined
    while (written && written !== seen) {
      seen = written
      try {
        await moveSettled(seen)
      } catch {
        // Nothing is lost: the session's key still holds these runs, and the next save tries again.
        return
      }
    }
  }

  /**
   * The list names a run only when its key is written, and the session's key lets it go only when the list names it, so
   * that a crash anywhere loses nothing.
   */
  async function moveSettled(checkpoint: AgentCheckpoint): Promise<void> {
    const { runs } = checkpoint.state
    const { head, index } = cells
    const settled = Object.values(runs).filter((run) => run.status !== 'running' && !isStored(checkpoint, run.id))
    const released = [...stored.keys()].filter((runId) => !Object.hasOwn(runs, runId))
    if (settled.length === 0 && released.length === 0) return
    const { places: at } = places.place(checkpoint.state.order)
    const next = new Map([...stored].filter(([runId]) => Object.hasOwn(runs, runId)))
    for (const run of settled) {
      const cell = openRun(run.id)
      listed.add(run.id)
      cell.stage(takeRun({ checkpoint, places: at, runId: run.id }))
      await cell.flush()
      if (cells.head !== head) return
      next.set(run.id, endOf(checkpoint.state, run.id))
    }
    index.stage({ runs: [...next.keys()] })
    await index.flush()
    if (cells.head !== head) return
    stored = next
    for (const runId of released) await openRun(runId).purge()
    if (settled.length === 0 || !latest) return
    head.stage({ checkpoint: latest })
    await head.flush()
  }

  /** One access to what is stored at a time, after the one before whatever became of it. */
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = (access ?? Promise.resolve()).then(work, work)
    const done = turn.catch(() => {}).finally(() => {
      if (access === done) access = undefined
    })
    access = done
    return turn
  }

  async function read(): Promise<AgentCheckpoint | undefined> {
    await writeAll().catch(() => {})
    isRead = false
    obstacle = undefined
    try {
      const found = await readSession({
        sessionId,
        ...cells,
        openRun,
        expires: ttl < Infinity,
        // What claims to be of a far future was written by a clock that was wrong.
        isExpired: (time) => Math.abs(now() - time) >= ttl,
        quarantine,
        now,
      })
      const settled = found?.settled ?? []
      const checkpoint = found && joinPieces(found.head, settled)
      stored = new Map(
        settled.flatMap(({ state }) => Object.keys(state.runs).map((runId) => [runId, endOf(state, runId)] as const)),
      )
      listed = new Set(stored.keys())
      places = createPlaces(found ? [...settled, found.head] : [])
      isRead = true
      return checkpoint
    } catch (cause) {
      const error = toCheckpointError(cause, 'load_failed')
      // What was put in quarantine leaves a clean place; what was not must not be written over.
      if (isQuarantined(error)) isRead = true
      else obstacle = error
      throw error
    }
  }

  async function writeAll(): Promise<void> {
    await cells.head.flush()
    await move
  }

  function stage(checkpoint: AgentCheckpoint): Promise<void> {
    latest = checkpoint
    pending ??= createDeferred<void>()
    const { promise } = pending
    cells.head.stage({ checkpoint })
    return promise
  }

  async function removeAll(): Promise<void> {
    cells.head.close()
    cells.index.close()
    pending?.resolve()
    pending = undefined
    latest = undefined
    written = undefined
    cells = openCells()
    await move
    await queue.idle()
    const known = new Set([...listed, ...(parseRunIds((await cells.index.read())?.value) ?? [])])
    // Where not all can be deleted, the next save must not count on what was.
    stored = new Map()
    await cells.head.purge()
    await cells.index.purge()
    for (const runId of known) await openRun(runId).purge()
    listed = new Set()
    places = createPlaces([])
    obstacle = undefined
    isRead = true
  }

  return {
    load: () => inTurn(read),
    save(checkpoint) {
      if (!access && !obstacle && isRead) return stage(checkpoint)
      return inTurn(async () => {
        if (obstacle) throw obstacle
        if (!isRead) await read()
      }).then(() => stage(checkpoint))
    },
    async flush() {
      while (access) await access
      await writeAll()
    },
    remove: () => inTurn(() => asRemoval(removeAll)),
    forget: () =>
      inTurn(() =>
        asRemoval(async () => {
          await removeAll()
          await quarantine.purge()
        }),
      ),
  }
}

function endOf({ runs, lastSequenceByRun }: AgentState, runId: string): string {
  const run = getOwn(runs, runId)
  return `${run?.status} ${run?.updatedAt} ${getOwn(lastSequenceByRun, runId)}`
}

async function asRemoval(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    throw toCheckpointError(cause, 'save_failed')
  }
}

import type { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import type { AgentCheckpointFault } from '../../src/checkpoint/parseAgentCheckpoint.ts'
import { toFaultError } from '../../src/checkpoint/toFaultError.ts'
import { isStorable } from '../../src/checkpoint/isStorable.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import type { CheckpointCell, StoredValue } from './checkpointCell.ts'
import { parsePiece } from './parsePiece.ts'
import type { CheckpointPiece } from './checkpointPiece.ts'
import { parseRunIds } from './parseRunIds.ts'

/** What failed validation, as it was stored, by its keys. */
export interface QuarantinedTexts {
  /** In milliseconds. */
  readonly quarantinedAt: number
  readonly code: AgentCheckpointFault['code']
  readonly texts: Readonly<Record<string, unknown>>
}

interface ReadSessionOptions {
  sessionId: string
  head: CheckpointCell<never>
  index: CheckpointCell<never>
  quarantine: CheckpointCell<QuarantinedTexts>
  openRun(runId: string): CheckpointCell<never>
  /** Whether anything ever is too old. */
  expires: boolean
  /** Whether what was written at a time, in milliseconds, is too old by now. */
  isExpired(time: number): boolean
  now(): number
}

type StoredPieces = { readonly head: CheckpointPiece; readonly settled: readonly CheckpointPiece[] }

/**
 * Reads all pieces of a session. What fails validation is put in quarantine, all of it, before this rejects; what is
 * too old is deleted.
 */
export async function readSession(options: ReadSessionOptions): Promise<StoredPieces | undefined> {
  const { sessionId, head, index, quarantine, openRun, expires, isExpired, now } = options
  await clearQuarantine()
  const [storedHead, storedIndex] = [await head.read(), await index.read()]
  const runIds = parseRunIds(storedIndex?.value)
  const runs = await Promise.all((runIds ?? []).map((runId) => readRun(runId, openRun(runId))))

  if (storedHead) {
    const found = parsePieces({ sessionId, storedHead, hasBrokenIndex: storedIndex !== undefined && !runIds, runs })
    if (found.fault) throw await putAside(found.fault)
    if (!isExpired(found.pieces.head.savedAt)) return found.pieces
  }
  // Too old, or what an interrupted removal left.
  await clear()
  return undefined

  /** What was put aside is as old as anything else: it is deleted as well. */
  async function clearQuarantine(): Promise<void> {
    if (!expires) return
    const stored = await quarantine.read()
    const at = isRecord(stored?.value) ? stored.value.quarantinedAt : undefined
    if (stored && (typeof at !== 'number' || isExpired(at))) await quarantine.purge()
  }

  async function clear(): Promise<void> {
    const cells = [...runs.map(({ cell }) => cell), ...(storedIndex ? [index] : []), ...(storedHead ? [head] : [])]
    for (const cell of cells) await cell.purge()
  }

  async function putAside({ code, message }: AgentCheckpointFault): Promise<AgentCheckpointError> {
    const found = [{ cell: head, stored: storedHead }, { cell: index, stored: storedIndex }, ...runs]
    const texts = Object.fromEntries(found.flatMap(({ cell, stored }) => (stored ? [[cell.key, toJson(stored.raw)]] : [])))
    try {
      quarantine.stage({ quarantinedAt: now(), code, texts })
      await quarantine.flush()
      await clear()
      return toFaultError({ code, message })
    } catch (obstacle) {
      return toFaultError({ code, message }, obstacle)
    }
  }
}

/** What an engine gave that is no text may be anything, also what JSON refuses. */
function toJson(raw: unknown): unknown {
  return isStorable(raw) ? raw : Object.prototype.toString.call(raw)
}

interface StoredRun {
  readonly runId: string
  readonly cell: CheckpointCell<never>
  readonly stored: StoredValue | undefined
}

async function readRun(runId: string, cell: CheckpointCell<never>): Promise<StoredRun> {
  return { runId, cell, stored: await cell.read() }
}

function parsePieces(options: {
  sessionId: string
  storedHead: StoredValue
  hasBrokenIndex: boolean
  runs: readonly StoredRun[]
}): { pieces: StoredPieces; fault?: undefined } | { pieces?: undefined; fault: AgentCheckpointFault } {
  const { sessionId, storedHead, hasBrokenIndex, runs } = options
  const { piece: head, fault } = parsePiece(storedHead.value, { sessionId })
  if (fault) return { fault }
  if (hasBrokenIndex) return broken('its list of settled runs cannot be read')
  const settled: CheckpointPiece[] = []
  for (const { runId, stored } of runs) {
    // A key that is gone was let go elsewhere; a run that the session's key still has is newest there.
    if (!stored || Object.hasOwn(head.state.runs, runId)) continue
    const { piece, fault } = parsePiece(stored.value, { sessionId })
    if (fault) return { fault }
    if (!isOf(piece, runId)) return broken("a settled run's key holds another run")
    settled.push(piece)
  }
  return { pieces: { head, settled } }
}

/** Whether a piece is of one run alone, so that it says nothing of another's. */
function isOf({ state, inputByRun, cursorByRun, connectionByRun = {} }: CheckpointPiece, runId: string): boolean {
  const records = [state.runs, state.lastSequenceByRun, state.processedEvents, inputByRun, cursorByRun, connectionByRun]
  return Object.hasOwn(state.runs, runId) && records.every((record) => Object.keys(record).every((key) => key === runId))
}

function broken(reason: string): { fault: AgentCheckpointFault } {
  return { fault: { code: 'invalid', message: `The checkpoint is invalid: ${reason}.` } }
}

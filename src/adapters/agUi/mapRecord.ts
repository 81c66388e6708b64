import * as z from 'zod/mini'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgentState } from '../../state/agentState.ts'
import { isTerminal } from '../../state/isTerminal.ts'
import { getOwn, setOwn } from '../../state/ownRecord.ts'
import type { AgUiScope } from './agUiScope.ts'

/** The artifact that keeps, unseen, what the wire says of things that have ended, which later requests need. */
const recordId = 'ag-ui:record'

const texts = z.optional(z.custom<Readonly<Record<string, string>>>(isRecord))
const recordSchema = z.object({
  /** Ids that the runtime has given to ended messages since, by the ids they had. */
  aliases: texts,
  /** Encrypted values, by the id of what they belong to. */
  encrypted: texts,
})
type WireRecord = z.infer<typeof recordSchema>

/** Keeps what has no entity left to be kept with. */
export interface RecordMapper {
  note(kind: keyof WireRecord, id: string, value: string): void
  close(): void
}

export function createRecordMapper({ emit, getAgentState, runId }: AgUiScope): RecordMapper {
  const known = Object.values(getAgentState()?.artifacts ?? {}).find(
    (artifact) => artifact.runId === runId && artifact.id === recordId,
  )
  let content = readContent(known?.content)
  let isKept = known !== undefined
  let isOpen = known !== undefined && !isTerminal(known.status)

  return {
    note(kind, id, value) {
      if (getOwn(content[kind] ?? {}, id) === value) return
      const values = { ...content[kind] }
      setOwn(values, id, value)
      content = { ...content, [kind]: values }
      if (isOpen) emit('artifact.updated', { artifactId: recordId, content })
      else if (!isKept) emit('artifact.created', { artifactId: recordId, name: 'ag-ui', content }, { isHidden: true })
      isOpen ||= !isKept
      isKept = true
    },
    close() {
      if (isOpen) emit('artifact.completed', { artifactId: recordId })
      isOpen = false
    },
  }
}

/** Reads what all runs of a session have kept. */
export function readWireRecords(state: AgentState): { aliases: Map<string, string>; encrypted: Map<string, string> } {
  const aliases = new Map<string, string>()
  const encrypted = new Map<string, string>()
  for (const artifact of Object.values(state.artifacts)) {
    if (artifact.id !== recordId) continue
    const content = readContent(artifact.content)
    for (const [id, alias] of Object.entries(content.aliases ?? {})) {
      if (typeof alias === 'string') aliases.set(id, alias)
    }
    for (const [id, value] of Object.entries(content.encrypted ?? {})) {
      if (typeof value === 'string') encrypted.set(id, value)
    }
  }
  return { aliases, encrypted }
}

/** It may come from storage. */
function readContent(content: unknown): WireRecord {
  const parsed = recordSchema.safeParse(content)
  return parsed.success ? parsed.data : {}
}

import { isRecord } from '../../protocol/predicates.ts'

/** The wire's names as Python's models have them where they are dumped without their aliases. */
const names: ReadonlyMap<string, string> = new Map(
  [
    ...['threadId', 'runId', 'parentRunId', 'protocolVersion', 'rawEvent', 'pendingToolCallIds'],
    ...['messageId', 'parentMessageId', 'toolCallId', 'toolCallName', 'toolCalls', 'stepName', 'activityType'],
    ...['entityId', 'encryptedValue', 'subagentRunId', 'parentSubagentRunId', 'parentToolCallId'],
    ...['interruptId', 'responseSchema', 'expiresAt'],
  ].map((name) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
)

/** Gives a record of the wire with its fields as AG-UI names them; of one that is there in both ways, that one counts. */
export function fromSnakeCase(value: unknown): unknown {
  if (!isRecord(value) || !Object.keys(value).some((name) => names.has(name))) return value
  const entries = Object.entries(value).map(([name, field]) => [names.get(name) ?? name, field] as const)
  return { ...Object.fromEntries(entries), ...Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name))) }
}

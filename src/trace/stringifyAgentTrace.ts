import type { AgentTrace } from './agentTrace.ts'

/**
 * Gives the text of a trace file: JSON with an event a line, so that it can be read and compared by people, too.
 *
 * @experimental
 * @example
 * const file = new Blob([stringifyAgentTrace(trace)], { type: 'application/json' })
 */
export function stringifyAgentTrace({ format, events, checkpoints, ...rest }: AgentTrace): string {
  const head = JSON.stringify({ format, ...rest }).slice(0, -1)
  return `${head},"checkpoints":${listLines(checkpoints)},"events":${listLines(events)}}\n`
}

function listLines(values: readonly unknown[]): string {
  return values.length === 0 ? '[]' : `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]`
}

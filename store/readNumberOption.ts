import { AgentRuntimeError } from './agentRuntimeError.ts'

/**
 * Reads an option that is a number: at least 0, or what is the least; `Infinity` where there is to be no bound.
 *
 * @throws AgentRuntimeError (`invalid_option`) where it is anything else.
 */
export function readNumberOption(
  name: string,
  value: unknown,
  rule: {
    fallback: number
    least?: number
    isWhole?: boolean
    /** Whether it is a time limit, where 0 is no limit, as `Infinity` is. */
    isLimit?: boolean
  },
): number {
  const { fallback, least = 0, isWhole = false, isLimit = false } = rule
  if (value === undefined) return fallback
  const isKind = typeof value === 'number' && (!isWhole || Number.isInteger(value) || value === Infinity)
  if (!isKind || !(value >= least)) {
    const given = typeof value === 'number' ? String(value) : typeof value
    const number = isWhole ? 'a whole number' : 'a number'
    const message = `The option "${name}" is ${given}. Give ${number} of at least ${least}, or Infinity, or leave it out.`
    throw new AgentRuntimeError('invalid_option', message)
  }
  return isLimit && value === 0 ? Infinity : value
}

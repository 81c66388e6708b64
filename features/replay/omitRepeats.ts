import type { AgentTraceMoment } from '../../src/trace/agentTraceMoment.ts'

/** Leaves out the checkpoints that were made of what another one of these moments shows: in a list they say it again. */
export function omitRepeats(moments: readonly AgentTraceMoment[]): readonly AgentTraceMoment[] {
  const told = new Set(moments.filter(({ kind }) => kind !== 'checkpoint').map(({ sequence }) => sequence))
  return moments.filter(({ kind, sequence }) => kind !== 'checkpoint' || !told.has(sequence))
}

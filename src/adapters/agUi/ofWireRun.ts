import type { AgUiMeta } from './agUiMeta.ts'
import type { AgUiScope } from './agUiScope.ts'

/** What says which AG-UI run something is of; nothing where that is the run's first. */
export const ofWireRun = ({ wireRunId, runId }: Pick<AgUiScope, 'wireRunId' | 'runId'>): AgUiMeta =>
  wireRunId === runId ? {} : { wireRunId }

import { assertNever } from '../../src/assertNever.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentTraceMoment } from '../../src/trace/agentTraceMoment.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'

const statusOfType = { 'tool.completed': 'completed', 'tool.failed': 'failed', 'tool.cancelled': 'cancelled' } as const

/** Says in words what happened at a moment. */
export function describeMoment(moment: AgentTraceMoment, locale: AgentLocale): string {
  switch (moment.kind) {
    case 'tool': {
      const name = getOwn(locale.tool.names, moment.name) ?? moment.name
      if (moment.type === 'tool.requested') return locale.replay.toolCalled(name)
      return locale.replay.toolEnded(name, locale.status[statusOfType[moment.type]])
    }
    case 'approval': {
      const { decision, description, isQuestion, isEndedByRun } = moment
      const { needed, decision: decided } = isQuestion ? locale.question : locale.approval
      const words = isEndedByRun ? locale.replay.unanswered : decision === undefined ? needed : decided[decision]
      return description === '' ? words : `${words}: ${description}`
    }
    case 'checkpoint':
      return getOwn(locale.replay.checkpointKinds, moment.checkpointKind) ?? moment.checkpointKind
    default:
      return assertNever(moment)
  }
}


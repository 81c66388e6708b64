import { assertNever } from '../../src/assertNever.ts'
import { readApprovalQuestion } from '../../src/protocol/readApprovalQuestion.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { wasEndedByRun } from '../../src/selectors/wasEndedByRun.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'

const maxSpoken = 500

/** What a screen reader says of an item that has ended, or that asks the person; nothing of a user's own words. */
export function describeItem(item: AgentTimelineItem, locale: AgentLocale): string | undefined {
  const finished = (name: string) => locale.announce.finished(name, locale.status[item.entity.status])
  switch (item.kind) {
    case 'message': {
      const { role, content, status } = item.entity
      if (role === 'user') return undefined
      const speaker = getOwn(locale.role, role) ?? role
      const isText = status === 'completed' && typeof content === 'string'
      return isText ? locale.announce.finished(speaker, content.slice(0, maxSpoken)) : finished(speaker)
    }
    case 'approval': {
      const { status, decision, data, description = '' } = item.entity
      const asked = readApprovalQuestion(data)
      if (status === 'waiting') {
        if (asked) return locale.announce.questionAsked((asked.question ?? description).slice(0, maxSpoken))
        return locale.announce.approvalNeeded(description)
      }
      const words = asked ? locale.question : locale.approval
      // What closes before its time closes as its run ends, of which the word may be a moment behind.
      const isEndedByRun = wasEndedByRun(item.entity, true)
      return locale.announce.finished(words.label, isEndedByRun ? words.ended : words.decision[decision ?? 'expired'])
    }
    case 'tool':
      return finished(locale.tool.label(getOwn(locale.tool.names, item.entity.name) ?? item.entity.name))
    case 'task':
      return finished(locale.task.label(item.entity.title))
    case 'artifact':
      return finished(locale.artifact.label(item.entity.name))
    case 'reasoning':
      return undefined
    default:
      return assertNever(item)
  }
}

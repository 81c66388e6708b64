import { settle } from '../settle.ts'
import type { EventHandlers } from '../eventWriter.ts'
import { omitUndefined } from '../omitUndefined.ts'

export const approvalHandlers: EventHandlers<'approval.requested' | 'approval.resolved'> = {
  'approval.requested': (writer, event) => {
    const { approvalId, toolCallId, description, risk, data, editable, expiresAt, version } = event.payload
    return writer.add(event, 'approval', {
      id: approvalId,
      status: 'waiting',
      ...omitUndefined({ toolCallId, description, risk, data, editable, expiresAt, version }),
    })
  },

  'approval.resolved': (writer, event) => {
    const { approvalId, decision, data } = event.payload
    const approval = writer.open(event, 'approval', approvalId)
    if (!approval) return false
    approval.decision = decision
    if (data !== undefined) approval.data = data
    return settle(approval, { status: 'completed' })
  },
}

import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { AgentReceivedEvent } from './agentReceivedEvent.ts'

/**
 * The events of a list that was packed or read here, so that the readers of one action do not each read it anew: a
 * weak cache of a pure function (decision 5).
 */
export const receivedEvents = new WeakMap<readonly AgentReceivedEvent[], readonly AgentEvent[]>()

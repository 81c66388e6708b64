import {
  createAgentCommandFactory,
  createAgentEventFactory,
  isAgentEvent,
  type AgentCommand,
  type AgentEntityKind,
  type AgentError,
  type AgentEvent,
  type AgentEventPayloadMap,
  type AgentEventType,
  type AgentMessageState,
  type AgentState,
  type AgentTimelineItem,
  type AgentToolCallState,
} from 'redux-agent'
import { describe, expectTypeOf, it } from 'vitest'

declare const event: AgentEvent
declare const command: AgentCommand
declare const item: AgentTimelineItem
declare const state: AgentState

describe('events', () => {
  const events = createAgentEventFactory({ sessionId: 's', runId: 'r' })

  it('have the payload of their type', () => {
    expectTypeOf(events.create('message.delta', { messageId: 'm', delta: '' }).type).toEqualTypeOf<'message.delta'>()
    expectTypeOf(events.create('run.failed', { error: { message: '' } }).payload.error).toEqualTypeOf<AgentError>()
    expectTypeOf<AgentEventPayloadMap['tool.requested']['attempt']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<AgentEventPayloadMap['approval.resolved']['decision']>().toEqualTypeOf<
      'approved' | 'rejected' | 'modified' | 'expired'
    >()
    expectTypeOf<AgentEventPayloadMap['run.completed']['output']>().toBeUnknown()
    expectTypeOf<keyof AgentEventPayloadMap>().toEqualTypeOf<AgentEventType>()
  })

  it('are not made of another payload, or of a type that is none', () => {
    expectTypeOf(events.create).parameter(0).toEqualTypeOf<AgentEventType>()
    // @ts-expect-error a delta needs its text
    events.create('message.delta', { messageId: 'm' })
    // @ts-expect-error 0.1 is closed
    events.create('run.waiting', {})
    // @ts-expect-error a decision is one of four
    events.create('approval.resolved', { approvalId: 'a', decision: 'maybe' })
  })

  it('narrow by their type', () => {
    if (event.type === 'tool.requested') {
      expectTypeOf(event.payload.name).toEqualTypeOf<string>()
      expectTypeOf(event.payload.retryOf).toEqualTypeOf<string | undefined>()
      // @ts-expect-error it is no message's payload
      void event.payload.messageId
    }
    if (event.type === 'message.delta' && typeof event.payload.delta === 'object') {
      const part = event.payload.delta[0]!
      // @ts-expect-error nobody writes into what came with an event
      part.type = 'text'
    }
    if (event.type === 'artifact.updated') expectTypeOf(event.payload.content).toBeUnknown()
    expectTypeOf(event.type).toEqualTypeOf<AgentEventType>()
    expectTypeOf(event.meta).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>()
  })

  it('are recognized among unknown values', () => {
    const value = JSON.parse('{}') as unknown
    if (isAgentEvent(value)) expectTypeOf(value).toEqualTypeOf<AgentEvent>()
    expectTypeOf(value).toBeUnknown()
  })
})

describe('commands', () => {
  it('have the payload of their type, and narrow by it', () => {
    const commands = createAgentCommandFactory({ sessionId: 's', runId: 'r' })
    expectTypeOf(commands.create('tool.retry', { toolCallId: 't' }).payload.toolCallId).toEqualTypeOf<string>()
    // @ts-expect-error `expired` is the runtime's word alone
    commands.create('approval.resolve', { approvalId: 'a', decision: 'expired' })
    if (command.type === 'approval.resolve') {
      expectTypeOf(command.payload.decision).toEqualTypeOf<'approved' | 'rejected' | 'modified'>()
      expectTypeOf(command.payload.data).toBeUnknown()
    }
    if (command.type === 'run.cancel') expectTypeOf(command.payload.reason).toEqualTypeOf<string | undefined>()
  })
})

describe('the state', () => {
  it('is read-only and holds no any', () => {
    expectTypeOf(state.messages).toEqualTypeOf<Readonly<Record<string, AgentMessageState>>>()
    // @ts-expect-error only events change it
    state.messages = {}
    // @ts-expect-error only events change it
    state.order.push({ kind: 'message', id: 'm', runId: 'r' })
    expectTypeOf<AgentToolCallState['result']>().toBeUnknown()
    expectTypeOf<AgentToolCallState['result']>().not.toBeAny()
    expectTypeOf<AgentState['issues'][number]['code']>().toEqualTypeOf<
      'duplicate_entity' | 'invalid_sequence' | 'invalid_transition' | 'missing_entity' | 'missing_run'
    >()
  })

  it('has timeline items that narrow by their kind', () => {
    expectTypeOf(item.kind).toEqualTypeOf<AgentEntityKind>()
    if (item.kind === 'tool') expectTypeOf(item.entity).toEqualTypeOf<AgentToolCallState>()
    if (item.kind === 'message') expectTypeOf(item.entity).toEqualTypeOf<AgentMessageState>()
  })
})

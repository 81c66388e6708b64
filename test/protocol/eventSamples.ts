import type { AgentEventType } from 'redux-agent'

/** Valid payloads of a type, and invalid ones by what is wrong with them. */
export interface EventSamples {
  valid: readonly object[]
  invalid: Readonly<Record<string, unknown>>
}

const error = { message: 'It broke.', code: 'broken', retryable: true, details: { at: [1, 'two', null] } }
const invalidErrors = (id: object) => ({
  'no error': id,
  'an error that is text': { ...id, error: 'It broke.' },
  'an error without a message': { ...id, error: { code: 'broken' } },
  'an error with an empty message': { ...id, error: { message: '' } },
  'an error whose retryable is text': { ...id, error: { message: 'It broke.', retryable: 'yes' } },
  'an error whose details are a function': { ...id, error: { message: 'It broke.', details: () => 1 } },
})
const invalidIds = (name: string, rest: object = {}) => ({
  'no id': rest,
  'an empty id': { ...rest, [name]: '' },
  'a number for an id': { ...rest, [name]: 1 },
})
const invalidReasons = (id: object) => ({ 'a reason that is an object': { ...id, reason: {} } })

const message = { messageId: 'm1' }
const reasoning = { reasoningId: 'g1' }
const tool = { toolCallId: 't1' }
const approval = { approvalId: 'a1' }
const task = { taskId: 'k1' }
const artifact = { artifactId: 'f1' }

/** For every type of AgentEvent 0.1 what it takes and what it refuses, by the design's table. */
export const eventSamples: Readonly<Record<AgentEventType, EventSamples>> = {
  'session.started': {
    valid: [{}, { title: 'Refunds' }],
    invalid: { 'a title that is a number': { title: 1 } },
  },
  'run.started': {
    valid: [{}, { input: 'Hello' }, { input: { nested: [null, true, 1.5] } }],
    invalid: { 'an input that is a date': { input: new Date(0) }, 'an input that is no number': { input: NaN } },
  },
  'run.completed': {
    valid: [{}, { output: ['done'] }, { usage: { inputTokens: 10, outputTokens: 0 } }],
    invalid: {
      'usage that is a list': { usage: [1] },
      'usage that is not numbers': { usage: { inputTokens: '10' } },
      'usage that is infinite': { usage: { inputTokens: Infinity } },
    },
  },
  'run.failed': { valid: [{ error }, { error: { message: 'It broke.' } }], invalid: invalidErrors({}) },
  'run.cancelled': { valid: [{}, { reason: 'by a person' }], invalid: invalidReasons({}) },
  'message.started': {
    valid: [
      { ...message, role: 'assistant' },
      { ...message, role: 'vendor-role', content: 'Hello' },
      { ...message, role: 'user', content: [] },
      {
        ...message,
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'image', url: 'https://example.com/a.png', mediaType: 'image/png' },
          { type: 'file', data: 'AA==', name: 'a.bin' },
          { type: 'vendor.citation', data: { page: 3 } },
          { type: 'vendor.citation', data: null },
        ],
      },
    ],
    invalid: {
      ...invalidIds('messageId', { role: 'assistant' }),
      'no role': message,
      'an empty role': { ...message, role: '' },
      'content that is a number': { ...message, role: 'user', content: 5 },
      'content that is a part outside a list': { ...message, role: 'user', content: { type: 'text', text: 'x' } },
      'a text part without text': { ...message, role: 'user', content: [{ type: 'text' }] },
      'a part of an unknown plain type': { ...message, role: 'user', content: [{ type: 'audio', data: 'x' }] },
      'a part without a name after its vendor': { ...message, role: 'user', content: [{ type: 'vendor.', data: 1 }] },
      'a part without a vendor before its name': { ...message, role: 'user', content: [{ type: '.kind', data: 1 }] },
      'a vendor part without data': { ...message, role: 'user', content: [{ type: 'vendor.kind' }] },
      'a part that is null': { ...message, role: 'user', content: [null] },
    },
  },
  'message.delta': {
    valid: [
      { ...message, delta: '' },
      { ...message, delta: 'x'.repeat(1_000_000) },
      { ...message, delta: '\ud83d' },
      { ...message, delta: [{ type: 'text', text: 'part' }] },
    ],
    invalid: {
      ...invalidIds('messageId', { delta: 'x' }),
      'no delta': message,
      'a delta that is null': { ...message, delta: null },
    },
  },
  'message.completed': {
    valid: [message, { ...message, content: 'All of it.' }],
    invalid: { ...invalidIds('messageId'), 'content that is true': { ...message, content: true } },
  },
  'message.failed': {
    valid: [{ ...message, error }],
    invalid: { ...invalidIds('messageId', { error }), ...invalidErrors(message) },
  },
  'message.cancelled': {
    valid: [message, { ...message, reason: 'stopped' }],
    invalid: { ...invalidIds('messageId'), ...invalidReasons(message) },
  },
  'reasoning.started': {
    valid: [reasoning, { ...reasoning, redacted: true }],
    invalid: { ...invalidIds('reasoningId'), 'redacted that is text': { ...reasoning, redacted: 'true' } },
  },
  'reasoning.delta': {
    valid: [
      { ...reasoning, delta: '' },
      { ...reasoning, delta: 'so' },
    ],
    invalid: {
      ...invalidIds('reasoningId', { delta: 'x' }),
      'no delta': reasoning,
      'a delta that is a list of parts': { ...reasoning, delta: [{ type: 'text', text: 'x' }] },
    },
  },
  'reasoning.completed': {
    valid: [reasoning, { ...reasoning, content: 'so', summary: 'hence' }],
    invalid: {
      ...invalidIds('reasoningId'),
      'content that is a list': { ...reasoning, content: [] },
      'a summary that is an object': { ...reasoning, summary: {} },
    },
  },
  'reasoning.failed': {
    valid: [{ ...reasoning, error }],
    invalid: { ...invalidIds('reasoningId', { error }), ...invalidErrors(reasoning) },
  },
  'reasoning.cancelled': {
    valid: [reasoning],
    invalid: { ...invalidIds('reasoningId'), ...invalidReasons(reasoning) },
  },
  'tool.requested': {
    valid: [
      { ...tool, name: 'search' },
      { ...tool, name: 'search', arguments: '{"q":', index: 0 },
      { toolCallId: 't2', name: 'search', attempt: 2, retryOf: 't1' },
    ],
    invalid: {
      ...invalidIds('toolCallId', { name: 'search' }),
      'no name': tool,
      'an empty name': { ...tool, name: '' },
      'arguments that are an object': { ...tool, name: 'search', arguments: {} },
      'an index that is a fraction': { ...tool, name: 'search', index: 0.5 },
      'an attempt of 0': { ...tool, name: 'search', attempt: 0 },
      'an attempt that is a fraction': { ...tool, name: 'search', attempt: 1.5 },
      'an empty retryOf': { ...tool, name: 'search', retryOf: '' },
    },
  },
  'tool.arguments_delta': {
    valid: [{ ...tool, delta: '{"q"' }],
    invalid: {
      ...invalidIds('toolCallId', { delta: 'x' }),
      'no delta': tool,
      'a delta that is an object': { ...tool, delta: {} },
    },
  },
  'tool.running': { valid: [tool], invalid: invalidIds('toolCallId') },
  'tool.completed': {
    valid: [tool, { ...tool, result: null }, { ...tool, result: { rows: [] } }],
    invalid: { ...invalidIds('toolCallId'), 'a result that is a map': { ...tool, result: new Map() } },
  },
  'tool.failed': {
    valid: [{ ...tool, error }],
    invalid: { ...invalidIds('toolCallId', { error }), ...invalidErrors(tool) },
  },
  'tool.cancelled': {
    valid: [tool, { ...tool, reason: 'rejected' }],
    invalid: { ...invalidIds('toolCallId'), ...invalidReasons(tool) },
  },
  'approval.requested': {
    valid: [
      approval,
      {
        ...approval,
        toolCallId: 't1',
        description: 'Write it?',
        risk: 'high',
        data: { before: '', after: 'x' },
        editable: false,
        expiresAt: 1_700_000_000_000,
        version: 3,
      },
      { ...approval, risk: 'unheard of', version: 'v3' },
    ],
    invalid: {
      ...invalidIds('approvalId'),
      'an empty toolCallId': { ...approval, toolCallId: '' },
      'a risk that is a number': { ...approval, risk: 3 },
      'editable that is text': { ...approval, editable: 'no' },
      'an expiry that is text': { ...approval, expiresAt: 'tomorrow' },
      'a version that is an object': { ...approval, version: {} },
      'data that is a symbol': { ...approval, data: Symbol('x') },
    },
  },
  'approval.resolved': {
    valid: [
      { ...approval, decision: 'approved' },
      { ...approval, decision: 'rejected' },
      { ...approval, decision: 'modified', data: { arguments: {} } },
      { ...approval, decision: 'expired' },
    ],
    invalid: {
      ...invalidIds('approvalId', { decision: 'approved' }),
      'no decision': approval,
      'an unknown decision': { ...approval, decision: 'maybe' },
      'an inherited name for a decision': { ...approval, decision: 'constructor' },
    },
  },
  'task.created': {
    valid: [
      { ...task, title: 'Plan' },
      { ...task, title: 'Plan', description: '' },
    ],
    invalid: {
      ...invalidIds('taskId', { title: 'Plan' }),
      'no title': task,
      'an empty title': { ...task, title: '' },
    },
  },
  'task.updated': {
    valid: [task, { ...task, title: 'Plan', description: 'more', progress: 0.5 }],
    invalid: {
      ...invalidIds('taskId'),
      'progress that is text': { ...task, progress: '50%' },
      'progress that is no number': { ...task, progress: NaN },
    },
  },
  'task.completed': {
    valid: [task, { ...task, result: 1 }],
    invalid: { ...invalidIds('taskId'), 'a result that is a bigint': { ...task, result: 1n } },
  },
  'task.failed': {
    valid: [{ ...task, error }],
    invalid: { ...invalidIds('taskId', { error }), ...invalidErrors(task) },
  },
  'task.cancelled': { valid: [task], invalid: { ...invalidIds('taskId'), ...invalidReasons(task) } },
  'artifact.created': {
    valid: [
      { ...artifact, name: 'report.md' },
      { ...artifact, name: 'report.md', mediaType: 'text/markdown', content: '# Report' },
    ],
    invalid: {
      ...invalidIds('artifactId', { name: 'report.md' }),
      'no name': artifact,
      'a media type that is a number': { ...artifact, name: 'report.md', mediaType: 1 },
    },
  },
  'artifact.updated': {
    valid: [
      { ...artifact, content: null },
      { ...artifact, content: { rows: [] }, version: 2 },
    ],
    invalid: {
      ...invalidIds('artifactId', { content: 'x' }),
      'no content': artifact,
      'content that is undefined': { ...artifact, content: undefined },
      'a version that is true': { ...artifact, content: 'x', version: true },
    },
  },
  'artifact.completed': {
    valid: [artifact, { ...artifact, content: 'x', version: 'v2' }],
    invalid: { ...invalidIds('artifactId'), 'a version that is a list': { ...artifact, version: [] } },
  },
  'artifact.failed': {
    valid: [{ ...artifact, error }],
    invalid: { ...invalidIds('artifactId', { error }), ...invalidErrors(artifact) },
  },
}

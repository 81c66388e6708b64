import { createRandom, type Random } from '../../server/nodes/createRandom.ts'
import { finished, interrupted, started } from './runAgUi.ts'

export type WireEvent = Record<string, unknown> & { type: string }

type Kind = 'text' | 'reasoning' | 'tool'
interface Said {
  leg: number
  readonly kind: Kind
  readonly id: string
  readonly name: string
  readonly text: string
  readonly result: unknown
}

const words = ['Hel', 'lo', ' ', 'wör', 'ld', '世', '👋', 'a', 'aa', '\n', '"', '']
const ids = ['m', '__proto__', 'constructor', 'a b', 'x#2']

/** Makes valid AG-UI runs, one after the other, of which the later ones may say again what the earlier ones did. */
export function createStreams(random: Random, { repeats = true, isOdd = true, isClosed = false, isRenaming = true } = {}) {
  const { below, chance, pick } = random
  let made = 0
  let leg = 0
  const known: Said[] = []
  const steps: string[] = []
  const subagents: { id: string; isSuspended: boolean }[] = []
  const activities: string[] = []
  let hasState = false

  const newId = () => `${pick(ids)}${(made += 1)}`
  const deltas = () => Array.from({ length: below(4) }, () => pick(words))
  /** Cuts a text somewhere. */
  function pieces(text: string): string[] {
    const list: string[] = []
    for (let at = 0; at < text.length; ) {
      const size = 1 + below(6)
      list.push(text.slice(at, at + size))
      at += size
    }
    return list
  }
  const remember = (kind: Kind, id: string, text: string, name = '', result?: unknown) =>
    void known.push({ leg, kind, id, name, text, result })

  function message(id: string, parts: readonly string[], kind: 'text' | 'reasoning', isNamed: boolean): WireEvent[] {
    const type = kind === 'text' ? 'TEXT_MESSAGE' : 'REASONING_MESSAGE'
    if (chance(0.3) && parts.length > 0) {
      return parts.map((delta, index) => ({
        type: `${type}_CHUNK`,
        ...((index === 0 || isNamed || chance(0.3)) && { messageId: id }),
        delta,
      }))
    }
    const whole = [
      { type: `${type}_START`, messageId: id, role: kind === 'text' ? 'assistant' : 'reasoning' },
      ...parts.map((delta) => ({ type: `${type}_CONTENT`, messageId: id, delta })),
      { type: `${type}_END`, messageId: id },
    ]
    if (kind === 'text' || chance(0.3)) return whole
    const opaque = { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: id, encryptedValue: `e${made}` }
    const encrypted = chance(0.4) ? [opaque] : []
    return [{ type: 'REASONING_START', messageId: id }, ...whole, ...encrypted, { type: 'REASONING_END', messageId: id }]
  }

  function call(id: string, name: string, parts: readonly string[], isNamed: boolean): WireEvent[] {
    if (chance(0.3) && parts.length > 0) {
      return parts.map((delta, index) => ({
        type: 'TOOL_CALL_CHUNK',
        ...((index === 0 || isNamed || chance(0.3)) && { toolCallId: id, toolCallName: name }),
        delta,
      }))
    }
    return [
      { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name },
      ...parts.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })),
      { type: 'TOOL_CALL_END', toolCallId: id },
    ]
  }

  const resultOf = (toolCallId: string): WireEvent => ({
    type: 'TOOL_CALL_RESULT',
    messageId: `${toolCallId}-result`,
    toolCallId,
    content: pick(['ok', '{"error":"no"}', '']),
  })

  function sayAgain(isNamed: boolean): WireEvent[] {
    const old = pick(known)
    const { kind, id, name, text } = old
    if (kind === 'tool') {
      if (old.leg === leg) return []
      old.leg = leg
      return [...call(id, name, pieces(text), isNamed), ...(chance(0.5) ? [resultOf(id)] : [])]
    }
    const others = [`${text}${pick(words)} more`, text.slice(0, below(text.length + 1)), pick(words), text, text]
    return message(id, pieces(pick(others)), kind, isNamed)
  }

  function state(): WireEvent[] {
    if (!hasState || chance(0.2)) {
      hasState = true
      return [{ type: 'STATE_SNAPSHOT', snapshot: { list: [made], n: null } }]
    }
    const ok = { op: 'add', path: '/list/-', value: (made += 1) }
    const bad = { op: 'remove', path: '/missing' }
    return [{ type: 'STATE_DELTA', delta: [isOdd && chance(0.1) ? bad : ok] }]
  }

  function activity(): WireEvent[] {
    if (activities.length === 0 || chance(0.4)) {
      const id = activities.length > 0 && chance(0.3) ? pick(activities) : newId()
      activities.push(id)
      const more = chance(0.3) ? { replace: chance(0.5) } : {}
      return [{ type: 'ACTIVITY_SNAPSHOT', messageId: id, activityType: 'PLAN', content: { list: [0] }, ...more }]
    }
    const ok = { op: 'add', path: '/list/-', value: (made += 1) }
    const bad = { op: 'test', path: '/list/0', value: 'x' }
    const patch = [isOdd && chance(0.1) ? bad : ok]
    return [{ type: 'ACTIVITY_DELTA', messageId: pick(activities), activityType: 'PLAN', patch }]
  }

  function task(): WireEvent[] {
    if (chance(0.5)) {
      const open = chance(0.6) ? steps.shift() : undefined
      if (open !== undefined) return [{ type: 'STEP_FINISHED', stepName: open }]
      const stepName = pick(['think', 'act'])
      steps.push(stepName)
      return [{ type: 'STEP_STARTED', stepName }]
    }
    const open = chance(0.6) ? subagents.shift() : undefined
    if (!open) {
      const id = newId()
      subagents.push({ id, isSuspended: false })
      return [{ type: 'SUBAGENT_STARTED', subagentRunId: id, name: 'Scout' }]
    }
    if (open.isSuspended) {
      subagents.push({ id: open.id, isSuspended: false })
      return [{ type: 'SUBAGENT_STARTED', subagentRunId: open.id, name: 'Scout' }]
    }
    if (chance(0.3)) {
      subagents.push({ id: open.id, isSuspended: true })
      return [{ type: 'SUBAGENT_FINISHED', subagentRunId: open.id, outcome: { type: 'suspended' } }]
    }
    if (chance(0.2)) return [{ type: 'SUBAGENT_ERROR', subagentRunId: open.id, message: 'Lost.' }]
    return [{ type: 'SUBAGENT_FINISHED', subagentRunId: open.id, result: 1 }]
  }

  function snapshot(): WireEvent[] {
    const messages = known.flatMap(({ kind, id, name, text, result }): object[] => {
      if (kind === 'reasoning') return [{ id, role: 'reasoning', content: text }]
      if (kind === 'text') return [{ id: isRenaming && chance(0.15) ? `new-${id}` : id, role: 'assistant', content: text }]
      const toolCalls = [{ id, type: 'function', function: { name, arguments: text } }]
      const answer = result === undefined ? [] : [{ id: `${id}-result`, role: 'tool', toolCallId: id, content: result }]
      return [{ id, role: 'assistant', toolCalls }, ...answer]
    })
    const more = chance(0.2) ? [{ id: newId(), role: 'assistant', content: 'Only in a snapshot.' }] : []
    for (const { id, content } of more) remember('text', id, content)
    return [{ type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'q1', role: 'user', content: 'Hello' }, ...messages, ...more] }]
  }

  function odd(): WireEvent[] {
    const id = newId()
    /** A call that snapshots tell of. */
    const told = (...stream: WireEvent[]) => {
      const result = stream.find(({ type }) => type === 'TOOL_CALL_RESULT')
      remember('tool', id, '{}', 'look', result?.content)
      return stream
    }
    const early = { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: id, encryptedValue: `v${made}` }
    return pick<() => WireEvent[]>([
      () => [{ type: 'CUSTOM', name: 'own', value: 1 }],
      () => [{ type: 'RAW', event: null }],
      () => [{ type: 'NEW_IN_2_0' }],
      () => told(early, ...call(id, 'look', ['{}'], true)),
      () => {
        remember('text', id, 'Words.')
        return [early, ...message(id, ['Words.'], 'text', true)]
      },
      () => told(resultOf(id), ...call(id, 'look', ['{}'], true)),
      () => [{ type: 'REASONING_START', messageId: id }, early, { type: 'REASONING_END', messageId: id }],
      () => [{ type: 'CUSTOM', name: 'on_interrupt', value: { question: `Well ${made}?` } }],
    ])()
  }

  function one(isNamed: boolean): WireEvent[] {
    if (repeats && leg > 1 && known.length > 0 && chance(0.4)) return sayAgain(isNamed)
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const kind = chance(0.6) ? 'text' : 'reasoning'
        const id = newId()
        const parts = deltas()
        remember(kind, id, parts.join(''))
        return message(id, parts, kind, isNamed)
      }
      case 4:
      case 5: {
        const id = newId()
        const text = JSON.stringify({ q: pick(words) })
        const result = chance(0.7) ? [resultOf(id)] : []
        remember('tool', id, text, 'look', result[0]?.content)
        return [...call(id, 'look', pieces(text), isNamed), ...result]
      }
      case 6:
        return state()
      case 7:
        return activity()
      case 8:
        return isNamed ? [] : task()
      case 9:
        return [
          { type: 'THINKING_START' },
          { type: 'THINKING_TEXT_MESSAGE_START' },
          ...deltas().map((delta) => ({ type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: `${delta}.` })),
          { type: 'THINKING_TEXT_MESSAGE_END' },
          { type: 'THINKING_END' },
        ]
      case 10:
        return isOdd && !isNamed ? snapshot() : []
      default:
        return isOdd ? odd() : []
    }
  }

  /** Puts some streams into each other, each in its own order. */
  function merge(streams: WireEvent[][]): WireEvent[] {
    const merged: WireEvent[] = []
    const rest = streams.filter((stream) => stream.length > 0)
    while (rest.length > 0) {
      const at = below(rest.length)
      merged.push(rest[at]!.shift()!)
      if (rest[at]!.length === 0) rest.splice(at, 1)
    }
    return merged
  }

  /** Two streams at once are of two ids. */
  function apart(streams: WireEvent[][]): WireEvent[][] {
    const taken = new Set<unknown>()
    return streams.filter((stream) => {
      const own = new Set(stream.map(({ messageId, toolCallId, entityId }) => toolCallId ?? messageId ?? entityId ?? 'none'))
      const isApart = [...own].every((id) => !taken.has(id))
      if (isApart) own.forEach((id) => taken.add(id))
      return isApart
    })
  }

  /** What a subagent does while it is at work. */
  function own(stream: WireEvent[]): WireEvent[] {
    const at = subagents.filter(({ isSuspended }) => !isSuspended)
    const isContent = stream.every(({ type }) => /^(TEXT|TOOL_CALL|REASONING_MESSAGE)/.test(type))
    if (at.length === 0 || !isContent || !chance(0.5)) return stream
    const { id } = pick(at)
    return stream.map((event) => ({ ...event, subagentRunId: id }))
  }

  /** Ends what may not be under way at the end of a run, as AG-UI's own client has it. */
  function close(): WireEvent[] {
    const ended = steps.splice(0).map((stepName) => ({ type: 'STEP_FINISHED', stepName }))
    const open = subagents.splice(0).filter(({ isSuspended }) => !isSuspended)
    return [...ended, ...open.map(({ id }) => ({ type: 'SUBAGENT_FINISHED', subagentRunId: id }))]
  }

  const group = (): WireEvent[] => (chance(0.3) ? merge(apart([one(true), one(true), one(true)])) : own(one(false)))

  /** Makes one AG-UI run; `end` says what its last word is. */
  function createRun(runId: string, end: object): WireEvent[] {
    leg += 1
    const body = Array.from({ length: 2 + below(6) }, group).flat()
    return [started(runId), ...body, ...(isClosed ? close() : []), end as WireEvent]
  }

  return { createRun, calls: () => known.filter(({ kind }) => kind === 'tool').map(({ id }) => id) }
}

/** Makes some AG-UI runs of one run of ours: each but the last asks something. */
export function createLegs(seed: number, { hasOneId = false } = {}): WireEvent[][] {
  const random = createRandom(seed)
  const { createRun, calls } = createStreams(random)
  const count = 1 + random.below(3)
  return Array.from({ length: count }, (_, index) => {
    const runId = `r${hasOneId ? 1 : index + 1}`
    const run = createRun(runId, {}).slice(0, -1)
    if (index === count - 1) return [...run, random.chance(0.2) ? { type: 'RUN_ERROR', message: 'No.' } : finished(runId)]
    const about = calls().length > 0 && random.chance(0.6) ? { toolCallId: random.pick(calls()) } : {}
    return [...run, interrupted([{ id: `${random.pick(['no', 'yes'])}${index}`, reason: 'confirmation', ...about }], runId)]
  })
}

/** Makes one AG-UI run as a server may send it, whole: of a client of theirs it asks nothing that is not allowed. */
export function createWholeRun(random: Random): WireEvent[] {
  const { createRun, calls } = createStreams(random, { repeats: false, isClosed: true, isRenaming: false })
  const body = createRun('r1', {}).slice(0, -1)
  const about = calls().length > 0 ? { toolCallId: random.pick(calls()) } : {}
  const ends = [finished(), interrupted([{ id: 'i', reason: 'confirmation', ...about }]), { type: 'RUN_ERROR', message: 'No.' }]
  return [...body, random.pick(ends)] as WireEvent[]
}

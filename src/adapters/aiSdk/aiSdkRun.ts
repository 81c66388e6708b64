import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEventPayloadMap, AgentEventType } from '../../protocol/agentEventPayloads.ts'
import type { AgentEventFactory, AgentEventOptions } from '../../protocol/createAgentEventFactory.ts'
import type { OpenEntity } from '../support/closeEntity.ts'
import type { AiSdkMeta } from './aiSdkMeta.ts'

/** A message entity that is open, and how many of its texts are. */
export interface OpenMessage {
  readonly id: string
  texts: number
}

/** A text part that is open. */
export interface OpenText {
  readonly message: OpenMessage
  readonly part: number
  length: number
  providerMetadata?: unknown
}

/** A reasoning part that is open. */
export interface OpenReasoning {
  readonly id: string
  meta: AiSdkMeta
}

/** A tool call, open or over. */
export interface AiSdkTool {
  readonly id: string
  readonly name: string
  /** The arguments' text so far. */
  text: string
  isOver: boolean
  /** Whether a person, or the server, has said that it may not run. */
  isDenied: boolean
  meta: AiSdkMeta
}

/** A question to a person that is open. */
export interface AiSdkQuestion {
  readonly id: string
  readonly tool: AiSdkTool
  readonly isAutomatic: boolean
  readonly isClientTool: boolean
  readonly meta: AiSdkMeta
}

/** What the message has besides its parts; kept in an artifact that is not shown. */
export interface AiSdkRecord {
  readonly messageId?: string | undefined
  readonly metadata?: unknown
  /** How many steps there were, where that is more than the parts say. */
  readonly steps?: number | undefined
  /** Places of parts that were taken back, as half-open ranges. */
  readonly dropped?: readonly (readonly [number, number])[] | undefined
}

/** What the stream has said of its own end. */
export interface AiSdkOutcome {
  readonly error?: string | undefined
  readonly abort?: { readonly reason?: string | undefined } | undefined
  readonly finish?: { readonly reason?: string | undefined } | undefined
}

interface OpenPart extends OpenEntity {
  readonly meta: AiSdkMeta
}

/** What an adapter knows of a run while it reads its streams. */
export interface AiSdkRun {
  readonly runId: string
  messageId: string
  /** The place of the next part. */
  nextPart: number
  step: number
  /** The place of the present step's first part. */
  stepStart: number
  /** The step of the latest part. */
  filledStep: number
  /** The message of the present step that takes its texts. */
  message: OpenMessage | undefined
  record: AiSdkRecord
  hasRecord: boolean
  outcome: AiSdkOutcome
  isOver: boolean
  readonly messages: Map<string, OpenMessage>
  readonly texts: Map<string, OpenText>
  readonly reasoning: Map<string, OpenReasoning>
  /** By the wire's id: the latest of that id. */
  readonly tools: Map<string, AiSdkTool>
  /** Tools with all their arguments, of which it is not known yet whether somebody is asked first. */
  readonly undecided: Set<AiSdkTool>
  readonly questions: Map<string, AiSdkQuestion>
  /** Artifacts of data parts that have an id, by type and id. */
  readonly data: Map<string, string>
  /** What has begun and not ended, by kind and id. */
  readonly open: Map<string, OpenPart>
  /** Kinds and ids that are taken. */
  readonly taken: Set<string>
  /** Gives an id that no entity of the kind has, like the one wished for. */
  claim(kind: OpenEntity['kind'], wish: string): string
  /** Begins a part: gives where it stands. */
  place(): AiSdkMeta
  emit<Type extends AgentEventType>(type: Type, payload: AgentEventPayloadMap[Type], options?: AgentEventOptions): void
  /** Takes an event that was made elsewhere. */
  push(event: AgentEvent): void
  /** Gives the events since the last time. */
  take(): readonly AgentEvent[]
  events: AgentEventFactory
}

const idFields = {
  message: 'messageId',
  reasoning: 'reasoningId',
  tool: 'toolCallId',
  approval: 'approvalId',
  task: 'taskId',
  artifact: 'artifactId',
} as const satisfies Record<OpenEntity['kind'], string>
const starts = new Set(['started', 'requested', 'created'])
const ends = new Set(['completed', 'failed', 'cancelled', 'resolved'])

export function createAiSdkRun(options: { runId: string; events: AgentEventFactory }): AiSdkRun {
  const { runId } = options
  let made: AgentEvent[] = []

  function follow({ type, payload, meta }: AgentEvent): void {
    const [kind, what] = type.split('.') as [OpenEntity['kind'], string]
    if (!Object.hasOwn(idFields, kind)) return
    const id = (payload as unknown as Record<string, string>)[idFields[kind]]!
    const key = `${kind}:${id}`
    if (starts.has(what)) {
      run.taken.add(key)
      run.open.set(key, { kind, id, meta: (meta?.aiSdk ?? {}) as AiSdkMeta })
    } else if (ends.has(what)) run.open.delete(key)
  }

  const run: AiSdkRun = {
    runId,
    messageId: `${runId}:assistant`,
    nextPart: 0,
    step: 0,
    stepStart: 0,
    filledStep: 0,
    message: undefined,
    record: {},
    hasRecord: false,
    outcome: {},
    isOver: false,
    messages: new Map(),
    texts: new Map(),
    reasoning: new Map(),
    tools: new Map(),
    undecided: new Set(),
    questions: new Map(),
    data: new Map(),
    open: new Map(),
    taken: new Set(),
    events: options.events,
    claim(kind, wish) {
      let id = wish
      for (let count = 2; run.taken.has(`${kind}:${id}`); count += 1) id = `${wish}#${count}`
      return id
    },
    place() {
      run.filledStep = run.step
      return { messageId: run.messageId, part: run.nextPart++, step: run.step }
    },
    emit(type, payload, stated) {
      run.push(run.events.create(type, payload, stated) as AgentEvent)
    },
    push(event) {
      follow(event)
      made.push(event)
    },
    take() {
      const events = made
      made = []
      return events
    },
  }
  return run
}

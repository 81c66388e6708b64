import { createInitialAgentState } from '../../state/createInitialAgentState.ts'
import type { AgentState } from '../../state/agentState.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { encodePathSegment } from '../../transport/encodePathSegment.ts'
import type { HttpStreamRequest } from '../../transport/openHttpStream.ts'
import { getAdapterHeaders } from '../support/getAdapterHeaders.ts'
import { aiSdkAdapter as adapter } from './aiSdkAdapter.ts'
import type { AiSdkAnswer } from './aiSdkAnswer.ts'
import { AiSdkError } from './aiSdkError.ts'
import type { AiSdkFiles } from './aiSdkFiles.ts'
import type { AiSdkInput, AiSdkProviderOptions, AiSdkRequest, AiSdkRunInfo } from './aiSdkOptions.ts'
import type { AiSdkContext } from './createAiSdkContext.ts'
import { listReplacedRuns } from './listReplacedRuns.ts'
import { toRequestMessages } from './toRequestMessages.ts'
import { toUIMessages } from './toUIMessages.ts'
import { toUserParts } from './toUserParts.ts'

/** Makes the requests of a provider. */
export interface AiSdkHttp {
  /** The request that starts a run. */
  start(context: AiSdkContext, input: AiSdkInput): Promise<HttpStreamRequest>
  /** The request that tells a parked run's answers. */
  answer(context: AiSdkContext, told: { answers: readonly AiSdkAnswer[]; idempotencyKey: string }): Promise<HttpStreamRequest>
  /** The request that takes a run's stream up again after so many chunks. */
  resume(context: AiSdkContext, chunks: number): Promise<HttpStreamRequest>
}

export const userMessageId = (runId: string, input: AiSdkInput) => input.messageId ?? `${runId}:user`

export const toRunInfo = ({ sessionId, runId, serverRunId, getMessageId }: AiSdkContext): AiSdkRunInfo => ({
  sessionId,
  runId,
  messageId: getMessageId(),
  serverRunId,
})

export function createAiSdkHttp(options: AiSdkProviderOptions, files: AiSdkFiles): AiSdkHttp {
  const { api = '/api/chat', credentials } = options
  const getFile = files.get.bind(files)
  const readState = ({ run }: AiSdkContext): AgentState => run.getAgentState?.() ?? createInitialAgentState()

  async function post(
    { sessionId }: AiSdkContext,
    stated: Pick<AiSdkRequest['body'], 'messages' | 'trigger' | 'messageId' | 'idempotencyKey'>,
    more?: Readonly<Record<string, unknown>>,
  ): Promise<HttpStreamRequest> {
    const { body: extra, prepareRequest } = options
    const own = typeof extra === 'function' ? extra({ sessionId }) : extra
    const history = options.getHistory?.({ sessionId }) ?? []
    const json = { 'content-type': 'application/json', 'idempotency-key': stated.idempotencyKey }
    const request: AiSdkRequest = {
      url: api,
      headers: await getAdapterHeaders(json, options.headers),
      body: { ...own, ...more, id: sessionId, ...stated, messages: [...history, ...stated.messages] },
    }
    const { url, headers, body } = prepareRequest ? await prepareRequest(request) : request
    return { url, headers, body: JSON.stringify(body), credentials }
  }

  return {
    start(context, input) {
      const { runId, sessionId } = context
      const { message, metadata, regenerates } = input
      const state = readState(context)
      const before = toRequestMessages(
        toUIMessages(state, { sessionId, without: [runId], replaced: regenerates, getFile }),
      )
      const said = message !== undefined && {
        id: userMessageId(runId, input),
        role: 'user' as const,
        ...(metadata !== undefined && { metadata }),
        parts: toUserParts(message),
      }
      const trigger = regenerates === undefined ? 'submit-message' : 'regenerate-message'
      const messages = said ? [...before, said] : before
      return post(context, { messages, trigger, messageId: undefined, idempotencyKey: runId }, input.body)
    },

    answer(context, { answers, idempotencyKey }) {
      const { sessionId, runId } = context
      const state = readState(context)
      if (listReplacedRuns(state).has(runId)) {
        throw new AiSdkError('refused', 'The answer that asked was made anew since, so that nothing would come of this.')
      }
      const messages = toUIMessages(state, {
        sessionId,
        answers: new Map(answers.map((answer) => [answer.approvalId, answer])),
        getFile,
      })
      const messageId = context.getMessageId()
      const stated = { messages: toRequestMessages(messages, messageId), trigger: 'submit-message' as const, messageId }
      return post(context, { ...stated, idempotencyKey })
    },

    async resume(context, chunks) {
      const { sessionId, serverRunId } = context
      const isReplay = options.resume === 'replay'
      const id = isReplay ? sessionId : serverRunId
      const segment = encodeResumeId(id)
      const url = options.getResumeUrl?.(toRunInfo(context)) ?? `${api}/${segment}/stream`
      const query = isReplay ? '' : `${url.includes('?') ? '&' : '?'}startIndex=${chunks}`
      return { url: `${url}${query}`, headers: await getAdapterHeaders({}, options.headers), credentials }
    },
  }
}

function encodeResumeId(id: string | undefined): string {
  try {
    return encodePathSegment(id ?? '')
  } catch (cause) {
    const message = `${adapter}: The stream has no address to be taken up again at; send the message again.`
    throw new AgentTransportError('resume_unavailable', message, { adapter, cause })
  }
}

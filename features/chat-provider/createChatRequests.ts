import type { ChatProviderMessage, ChatStatus } from './chatProvider.ts'
import type { ChatProviderOptions } from './chatProviderOptions.ts'
import type { ChatMessages } from './createChatMessages.ts'
import { listRequestMessages } from './listRequestMessages.ts'

/** What a request is made of, read anew for each one. */
export type ChatRequestTarget<Message, Input, Output> = Pick<
  ChatProviderOptions<Message, unknown, Input, Output>,
  'provider' | 'requestPlaceholder' | 'requestFallback'
>

type Extra = Readonly<Record<string, unknown>> | undefined

/** Sends a chat provider's requests and puts what they bring into the conversation, as x-sdk's own hook does. */
export interface ChatRequests<Input> {
  send(params: Partial<Input>, options?: { extraInfo?: Extra; replaces?: string | number | undefined }): void
  isRequesting(): boolean
}

export function createChatRequests<Message, Input, Output>(
  messages: ChatMessages<Message>,
  target: () => ChatRequestTarget<Message, Input, Output>,
): ChatRequests<Input> {
  type Info = ChatProviderMessage<Message>
  let requesting = false

  const create = (message: Message, status: ChatStatus, extraInfo?: Extra): Info => ({
    id: messages.nextId(),
    message,
    status,
    ...(extraInfo && { extraInfo }),
  })
  const find = (id: Info['id'] | undefined) => messages.get().find((info) => info.id === id)
  const patch = (id: Info['id'], change: Partial<Info>) =>
    messages.update((all) => all.map((info) => (info.id === id ? { ...info, ...change } : info)))

  function setRequesting(next: boolean): void {
    requesting = next
    // It is shown with the messages, which may be as they were.
    messages.update((all) => all)
  }

  /** Shows what stands in for the answer; gives the id of the message that the answer will replace. */
  function place(params: Partial<Input>, replaces: Info['id'] | undefined, extraInfo: Extra): Info['id'] | undefined {
    const { requestPlaceholder } = target()
    if (requestPlaceholder === undefined) return replaces
    const shown =
      typeof requestPlaceholder === 'function'
        ? (requestPlaceholder as (of: Partial<Input>, info: { messages: Message[] }) => Message)(params, {
            messages: listRequestMessages(messages.get()),
          })
        : requestPlaceholder
    if (replaces !== undefined) {
      patch(replaces, { status: 'loading', message: shown, ...(extraInfo && { extraInfo }) })
      return replaces
    }
    const loading = create(shown, 'loading')
    messages.update((all) => [...all, loading])
    return loading.id
  }

  function send(
    params: Partial<Input>,
    { extraInfo, replaces }: { extraInfo?: Extra; replaces?: Info['id'] | undefined } = {},
  ): void {
    const { provider, requestFallback } = target()
    provider.injectGetMessages(() => listRequestMessages(messages.get()))
    const asked = toList(provider.transformLocalMessage(params)).map((message) => create(message, 'local', extraInfo))
    if (replaces === undefined) messages.update((all) => [...all, ...asked])
    const placed = place(params, replaces, extraInfo)
    let answerId: Info['id'] | undefined
    let fallbackId: Info['id'] | undefined

    function answer(status: ChatStatus, of: { chunk: Output; chunks: Output[]; responseHeaders: Headers }) {
      const known = find(answerId)
      const own = known ?? (replaces === undefined ? undefined : find(replaces))
      // What is asked for again is made anew, not continued.
      const message = provider.transformMessage({ ...of, status, ...(known && { originMessage: known.message }) })
      if (own) {
        answerId = own.id
        patch(own.id, { message, status })
      } else if (replaces === undefined || fallbackId !== undefined) {
        const made = create(message, status)
        answerId = made.id
        messages.update((all) => [...all.filter(({ id }) => id !== placed && id !== fallbackId), made])
      }
      return find(answerId)
    }

    async function fail(error: Error, errorInfo: unknown): Promise<unknown> {
      const status: ChatStatus = error.name === 'AbortError' ? 'abort' : 'error'
      // A request that XRequest makes again may fail again: that is told once.
      const isOurs = ({ id }: Info) => id === placed || id === answerId || id === fallbackId
      const mark = () => messages.update((all) => all.map((info) => (isOurs(info) ? { ...info, status } : info)))
      if (requestFallback === undefined) {
        mark()
        return undefined
      }
      try {
        const message =
          typeof requestFallback === 'function'
            ? await (requestFallback as (of: Partial<Input>, info: object) => Message | Promise<Message>)(params, {
                error,
                errorInfo,
                messages: listRequestMessages(messages.get()),
                messageInfo: messages.get().find(isOurs),
              })
            : requestFallback
        const shown = create(message, status)
        messages.update((all) => [...all.filter((info) => !isOurs(info)), shown])
        fallbackId = shown.id
        return message
      } catch (failure) {
        // The app's own fault, which it is to hear of; what stood in for the answer waits for nothing any more.
        mark()
        throw failure
      }
    }

    setRequesting(true)
    provider.injectRequest({
      onUpdate: (chunk, responseHeaders) => answer('updating', { chunk, chunks: [], responseHeaders }),
      onSuccess(chunks, responseHeaders) {
        setRequesting(false)
        return answer('success', { chunk: undefined as Output, chunks, responseHeaders })
      },
      onError(error, errorInfo) {
        setRequesting(false)
        return fail(error, errorInfo)
      },
    })
    try {
      provider.request.run(provider.transformParams(params, provider.request.options))
    } catch (error) {
      // Nothing was sent: the conversation is free again, and what stood in for the answer says so.
      requesting = false
      messages.update((all) => all.map((info) => (info.id === placed ? { ...info, status: 'error' } : info)))
      throw error
    }
  }

  return { send, isRequesting: () => requesting }
}

const toList = <Value>(value: Value | Value[]): Value[] => (Array.isArray(value) ? value : [value])

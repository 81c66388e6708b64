/** Where a message of an ordinary chat stands. */
export type ChatStatus = 'local' | 'loading' | 'updating' | 'success' | 'error' | 'abort'

/** One message of an ordinary chat, as its provider projects it. */
export interface ChatProviderMessage<Message> {
  readonly id: string | number
  readonly message: Message
  readonly status: ChatStatus
  readonly extraInfo?: Readonly<Record<string, unknown>> | undefined
}

/** What a chat provider makes a message of. */
export interface ChatTransformInfo<Message, Output> {
  originMessage?: Message
  chunk: Output
  chunks: Output[]
  status: ChatStatus
  responseHeaders: Headers
}

/** What a chat provider tells of its request. */
export interface ChatRequestCallbacks<Output> {
  onUpdate: (chunk: Output, responseHeaders: Headers) => unknown
  onSuccess: (chunks: Output[], responseHeaders: Headers) => unknown
  onError: (error: Error, errorInfo?: unknown) => unknown
}

/**
 * A chat provider of `@ant-design/x-sdk`, without a protocol: what of it is used, so that its package is not needed
 * (RFC, section 2). Its request is run as it is.
 */
export interface ChatProvider<Message, Input, Output> {
  // The options of XRequest are the provider's own affair.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly request: { run(params: any): void; abort(): void; readonly options: any }
  // eslint-disable-next-line typescript/no-explicit-any
  transformParams(params: Partial<Input>, options: any): Input
  transformLocalMessage(params: Partial<Input>): Message | Message[]
  transformMessage(info: ChatTransformInfo<Message, Output>): Message
  injectGetMessages(getMessages: () => Message[]): void
  injectRequest(callbacks: ChatRequestCallbacks<Output>): void
}

/** Any chat provider, whatever its message, input and output. */
// The three are invariant (each is taken and given), so that only `any` admits every provider.
// eslint-disable-next-line typescript/no-explicit-any
export type AnyChatProvider = ChatProvider<any, any, any>

import type { AiSdkMessage } from 'redux-agent/adapters/ai-sdk'
import { packages, readChunks, type Version } from './createAiServer.ts'

/** What the package's own client makes of recorded streams: the assistant's message, as JSON. */
export async function readWithClient(
  version: Version,
  streams: readonly string[],
  /** What a person does to the message between two streams. */
  between: (message: AiSdkMessage) => AiSdkMessage = (message) => message,
): Promise<AiSdkMessage | undefined> {
  let message: AiSdkMessage | undefined
  for (const [index, sent] of streams.entries()) {
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of readChunks(sent)) controller.enqueue(chunk)
        controller.close()
      },
    })
    const known = message && index > 0 ? (structuredClone(between(message)) as never) : undefined
    const messages = packages[version].readUIMessageStream({ stream, message: known, onError: () => undefined })
    for await (const next of messages) message = JSON.parse(JSON.stringify(next)) as AiSdkMessage
  }
  return message
}

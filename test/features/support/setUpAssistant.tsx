import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  ThreadPrimitive,
  MessagePrimitive,
  useExternalStoreRuntime,
  type AssistantRuntime,
  type ToolCallMessagePartProps,
} from '@assistant-ui/react'
import { act, render } from '@testing-library/react'
import { toExternalStore } from 'redux-agent/assistant-ui'
import { createHarness } from './createHarness.tsx'

const parts = {
  Text: ({ text }: { text: string }) => <p>{text}</p>,
  Image: ({ image }: { image: string }) => <img src={image} alt="" />,
  File: ({ data }: { data: string }) => <a href={data}>A file</a>,
  Reasoning: ({ text }: { text: string }) => <i>{text}</i>,
  tools: {
    Fallback: ({ toolName, argsText, result, approval, isError, respondToApproval }: ToolCallMessagePartProps) => (
      <section>
        <pre>{JSON.stringify({ toolName, argsText, result, isError, approval })}</pre>
        <button onClick={() => void respondToApproval({ approved: false })}>No</button>
      </section>
    ),
  },
}

const messageComponents = {
  Message: () => (
    <article>
      <MessagePrimitive.Parts components={parts} />
    </article>
  ),
}

/** assistant-ui's own components on a session of ours. */
export async function setUpAssistant(
  options: Parameters<typeof createHarness>[0] & { toInput?: Parameters<typeof toExternalStore>[1]['toInput'] } = {},
) {
  const { toInput = ({ text }) => ({ text }), ...rest } = options
  const harness = createHarness(rest)
  const { agent, wrapper: Wrapper } = harness
  let runtime: AssistantRuntime | undefined
  let adapter: ReturnType<typeof toExternalStore> | undefined
  function Chat() {
    const chat = agent.useXChat({ provider: 'scripted', conversationKey: 's1' })
    adapter = toExternalStore(chat, { toInput })
    runtime = useExternalStoreRuntime(adapter)
    return (
      <AssistantRuntimeProvider runtime={runtime}>
        <ThreadPrimitive.Messages components={messageComponents} />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </AssistantRuntimeProvider>
    )
  }
  render(
    <Wrapper>
      <Chat />
    </Wrapper>,
  )
  const thread = () => runtime!.thread
  const messages = () => thread().getState().messages
  await harness.settle()
  async function send(text: string) {
    act(() => thread().append({ role: 'user', content: [{ type: 'text', text }] }))
    await harness.settle()
    return harness.scripted.wires.at(-1)!
  }
  const given = () => adapter!.messages!
  return { ...harness, thread, messages, adapter: () => adapter!, given, send }
}

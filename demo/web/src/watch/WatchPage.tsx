import 'redux-agent/styles.css'
import '../assistant/AssistantPanel.css'
import '../assistant/Chat.css'
import './WatchPage.css'
import { useMemo } from 'react'
import { PassingButton } from '../app/PassingButton.tsx'
import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from '../assistant/agent.ts'
import { useFollowBottom } from '../assistant/useFollowBottom.ts'
import { agentApi } from '../conversations/agentApi.ts'
import { RunBlock } from '../conversations/RunBlock.tsx'
import { describeWatching } from './describeWatching.ts'
import { selectRunQuestion } from './selectRunQuestion.ts'

/** A run that another window drives, read-only, from its first word to its end. */
export function WatchPage({ runId }: { readonly runId: string }) {
  const { data: followed, error, isLoading, refetch } = agentApi.useFollowRunQuery(runId)
  const conversationId = followed?.sessionId ?? ''
  const { data: conversation } = agentApi.useConversationQuery(conversationId, { skip: conversationId === '' })
  const isAtWork = agent.useAgentRun({ runId })?.status === 'running'
  const { scrollerRef, contentRef, isBehind, follow } = useFollowBottom()
  const run = useMemo(
    () => ({
      runId,
      messages: conversation?.messages.filter((message) => message.runId === runId) ?? [],
      record: conversation?.runs.find((record) => record.runId === runId),
    }),
    [conversation, runId],
  )

  const ownQuestion = useAppSelector((state) => selectRunQuestion(state, runId))
  // A conversation's title is its first question, which may be another run's; an old run is on no page that was loaded.
  const question = ownQuestion ?? run.messages.find(({ role }) => role === 'user')?.content
  const heading = (typeof question === 'string' && question) || conversation?.title || 'A run'

  const showLatest = () => {
    follow()
    // The button goes with what it was for.
    scrollerRef.current?.focus({ preventScroll: true })
  }

  return (
    <div className="watch">
      <header className="watch-head">
        <h1>{heading}</h1>
        <p role="status">{describeWatching({ followed, isAtWork })}</p>
      </header>
      <main className="assistant-panel">
        <div className="chat">
          <div className="chat-view">
            <div className="chat-scroll" ref={scrollerRef} role="region" aria-label="Run" tabIndex={0}>
              <div className="chat-content" ref={contentRef}>
                {isLoading && (
                  <div className="message" role="status">
                    <p>Looking for the run…</p>
                  </div>
                )}
                {error && (
                  <div className="message" role="alert">
                    <p>
                      {'status' in error && error.status === 404
                        ? 'There is no such run, or it is not yours to see.'
                        : 'The run could not be reached.'}
                    </p>
                    <PassingButton className="button" onClick={() => void refetch()}>
                      Try again
                    </PassingButton>
                  </div>
                )}
                {followed && <RunBlock sessionId={followed.sessionId} run={run} isCalm canRegenerate={false} />}
              </div>
            </div>
            {isBehind && (
              <button type="button" className="button chat-latest" onClick={showLatest}>
                Jump to the latest
              </button>
            )}
          </div>
        </div>
      </main>
    </div>
  )
}

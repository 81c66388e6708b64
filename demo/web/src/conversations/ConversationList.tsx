import './ConversationList.css'
import { PassingButton } from '../app/PassingButton.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { formatTime } from '../documents/formatTime.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { replayHash } from '../replay/replayHash.ts'
import { agentApi } from './agentApi.ts'

const { conversationOpened } = workspaceSlice.actions
const { selectConversationId } = workspaceSlice.selectors

/** All conversations, the one that changed last first. */
export function ConversationList({ onOpened }: { readonly onOpened: () => void }) {
  const dispatch = useAppDispatch()
  const current = useAppSelector(selectConversationId)
  const { data, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    agentApi.useConversationsInfiniteQuery(undefined, { refetchOnMountOrArgChange: true })
  const conversations = data?.pages.flatMap((page) => page.conversations)

  return (
    <section className="conversation-list" aria-label="Conversations">
      {!data && !isError && (
        <div role="status" className="message">
          <p>Loading the conversations…</p>
        </div>
      )}
      {!data && isError && (
        <div className="message" role="alert">
          <p>The conversations could not be loaded.</p>
          <PassingButton className="button" onClick={() => void refetch()}>
            Try again
          </PassingButton>
        </div>
      )}
      {conversations?.length === 0 && (
        <div className="message">
          <p>There are no conversations yet.</p>
        </div>
      )}
      <ul>
        {conversations?.map(({ id, title, updatedAt }) => (
          <li key={id}>
            <button
              type="button"
              className="conversation-list-item"
              aria-current={id === current}
              onClick={() => {
                dispatch(conversationOpened(id))
                onOpened()
              }}
            >
              <strong>{title || 'Untitled'}</strong>
              <span>{formatTime(updatedAt)}</span>
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <PassingButton
          className="button"
          aria-disabled={isFetchingNextPage}
          onClick={() => {
            if (!isFetchingNextPage) void fetchNextPage()
          }}
        >
          Show older ones
        </PassingButton>
      )}
      <a className="link-button conversation-list-replay" href={replayHash.format('')}>
        Replay a file
      </a>
    </section>
  )
}

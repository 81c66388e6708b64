import { skipToken } from '@reduxjs/toolkit/query'
import { useCallback, useMemo, useState } from 'react'
import { useAppSelector } from '../app/useAppSelector.ts'
import { selectRunIds } from '../assistant/selectRunIds.ts'
import { agentApi } from './agentApi.ts'
import { createRunGrouping } from './groupRuns.ts'

/**
 * The runs of a conversation: the newest at once, older ones as they are asked for, and those that only this page knows
 * yet. A conversation without a message is not known to the server and is not asked for.
 */
export function useConversationRuns(conversationId: string, { isStarted }: { isStarted: boolean }) {
  const newest = agentApi.useConversationQuery(conversationId, {
    skip: !isStarted,
    refetchOnFocus: true,
    refetchOnReconnect: true,
    refetchOnMountOrArgChange: true,
  })
  const before = newest.data?.nextCursor
  const [isOlderWanted, setOlderWanted] = useState(false)
  const older = agentApi.useConversationHistoryInfiniteQuery(
    isOlderWanted && before ? { conversationId, before } : skipToken,
  )
  const ownRunIds = useAppSelector((state) => selectRunIds(state, conversationId))
  const [group] = useState(createRunGrouping)

  const { messages, records } = useMemo(() => {
    const pages = [...(older.currentData?.pages ?? [])].reverse()
    const all = [...pages, ...(newest.currentData ? [newest.currentData] : [])]
    return { messages: all.flatMap((page) => page.messages), records: all.flatMap((page) => page.runs) }
  }, [older.currentData, newest.currentData])
  const runs = useMemo(() => group({ messages, records, ownRunIds }), [group, messages, records, ownRunIds])

  const { fetchNextPage, hasNextPage, isFetching, isError, refetch } = older
  const hasOlder = older.currentData !== undefined
  const loadOlder = useCallback(() => {
    if (!before) return
    setOlderWanted(true)
    // What failed is asked for again by the reader, not as fast as it can fail.
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [before, fetchNextPage, hasNextPage, isError, isFetching])
  // Asking for all again would be for the pages that are there, too.
  const loadOlderAgain = useCallback(
    () => void (hasOlder ? fetchNextPage() : refetch()),
    [fetchNextPage, hasOlder, refetch],
  )

  return {
    runs,
    messages,
    /** While there is nothing to show yet of a conversation that the server knows. */
    isLoading: newest.isLoading && runs.length === 0,
    failed: newest.isError && runs.length === 0 ? newest.refetch : undefined,
    older: {
      isLoading: isOlderWanted && isFetching,
      /** Asks again for what did not come. */
      retry: isOlderWanted && isError && !isFetching ? loadOlderAgain : undefined,
      load: loadOlder,
    },
  }
}

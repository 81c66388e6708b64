import { agentEndpoints } from 'redux-agent/rtk-query'
import { runTimelineApi } from './runTimelineApi.ts'

/** The conversations, their history and the runs of others, by the run server's read model. */
export const agentApi = runTimelineApi.injectEndpoints({
  endpoints: (build) =>
    agentEndpoints(build, {
      tags: { conversation: 'Conversation', run: 'Run' },
      // A run that is let go of goes on being shown by its log: its steps stay where they are.
      beforeRelease: ({ runId }, { dispatch }) =>
        dispatch(runTimelineApi.endpoints.runTimeline.initiate(runId, { subscribe: false })).unwrap(),
    }),
})

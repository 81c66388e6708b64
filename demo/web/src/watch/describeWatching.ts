import type { AgentFollowedRun } from 'redux-agent/rtk-query'

/** Says how the watching stands, in a word. */
export function describeWatching(options: { followed: AgentFollowedRun | undefined; isAtWork: boolean }): string {
  const { followed, isAtWork } = options
  if (!followed) return 'Not watching'
  if (followed.status !== 'running' && followed.status !== 'interrupted') return 'Ended'
  if (followed.connection === 'connected') return isAtWork ? 'Watching live' : 'Watching'
  if (followed.connection === 'idle') return 'Waiting'
  return followed.connection === 'failed' || followed.connection === 'unrecoverable' ? 'Connection lost' : 'Connecting…'
}

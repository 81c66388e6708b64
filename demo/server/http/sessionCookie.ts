/** What the names of owners' cookies begin with. */
export const sessionCookiePrefix = 'redux_agent_session'

/** An owner as a cookie names them. */
export interface SessionCookie {
  name: string
  ownerId: string
}

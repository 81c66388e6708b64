import type { IncomingMessage } from 'node:http'

/** What the routes find in Hono's context. */
export interface HttpEnv {
  /** Node's own request, where there is one. */
  Bindings: { incoming?: IncomingMessage }
  Variables: { ownerId: string; address: string }
}

/** What the routes find in Hono's context. */
export interface HttpEnv {
  Variables: { ownerId: string }
}

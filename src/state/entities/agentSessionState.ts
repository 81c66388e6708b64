/** A conversation, as its runtime announced it. */
export interface AgentSessionState {
  readonly id: string
  readonly title?: string
  readonly createdAt: number
}

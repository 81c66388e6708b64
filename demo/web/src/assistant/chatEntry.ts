/** How the person came to a conversation; a new object each time. */
export interface ChatEntry {
  readonly by: 'start' | 'opening'
}

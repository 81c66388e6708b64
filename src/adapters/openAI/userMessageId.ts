/** The id of the person's message in its run. */
export const userMessageId = 'user'

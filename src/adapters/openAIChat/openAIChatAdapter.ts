/** The adapter's name, which stands in its errors. */
export const openAIChatAdapter = 'openai-chat'

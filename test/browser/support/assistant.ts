import type { Page } from 'playwright-core'

/** The assistant's panel of the page, by what a person sees of it. */
export const assistant = (page: Page) => {
  const field = page.getByLabel('Message to the assistant')
  const send = async (text: string): Promise<void> => {
    await field.fill(text)
    await field.press('Enter')
  }
  return {
    field,
    send,
    run: page.locator('.assistant-run'),
    reasoning: page.locator('.agent-reasoning'),
    tool: (name: string) => page.locator(`.agent-tool[data-tool="${name}"]`),
    removed: page.locator('.document-diff-line[data-kind="removed"]'),
    added: page.locator('.document-diff-line[data-kind="added"]'),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    answers: (text: string | RegExp) => page.locator('.agent-message[data-role="assistant"]', { hasText: text }),
    says: (text: string | RegExp) => page.getByText(text),
    /** Sends a message and gives the run's id, as the page told it the server. */
    async ask(text: string): Promise<string> {
      const request = page.waitForRequest((sent) => sent.url().endsWith('/api/agent/stream'))
      await send(text)
      return (await request).postDataJSON().runId
    },
  }
}

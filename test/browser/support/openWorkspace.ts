import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** The demo's page in a context of its own, hence as a person of its own, with the shelf's documents as they were. */
export interface Workspace {
  readonly page: Page
  /** What the page complained of: console errors and warnings, uncaught errors, violations of its policy. */
  readonly problems: readonly string[]
  readonly close: () => Promise<void>
}

export interface WorkspaceOptions extends BrowserContextOptions {
  readonly browser: Browser
  readonly url: string
  /** Runs in the page before anything of its own does. */
  readonly initScript?: () => void
}

// A loaded machine makes RTK's development checks slow, and they say so; that is no fault of the page.
const isAboutTheMachine = (text: string) => /Middleware took \d+ms/.test(text)

export const openWorkspace = async ({ browser, url, initScript, ...options }: WorkspaceOptions): Promise<Workspace> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (['error', 'warning'].includes(message.type()) && !isAboutTheMachine(text)) problems.push(text)
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`Policy violated: ${violatedDirective} by ${blockedURI}`)
    })
  })
  if (initScript) await page.addInitScript(initScript)
  await page.goto(url)
  // In a narrow window the list is loaded, but not in view.
  await page.locator('.document-list-item', { hasText: 'Travel policy' }).waitFor({ state: 'attached' })
  return { page, problems, close: () => context.close() }
}

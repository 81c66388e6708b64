import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** The demo's page in a context of its own, hence as a person of its own, with the shelf's documents as they were. */
export interface Workspace {
  readonly page: Page
  /** What the page complained of: console errors and warnings, uncaught errors, violations of its policy. */
  readonly problems: readonly string[]
  readonly close: () => Promise<void>
}

export interface WorkspaceOptions extends BrowserContextOptions {
  readonly browser: Browser
  /** The context of a person who was here before, with what they left in storage; else a new one. */
  readonly context?: BrowserContext
  readonly url: string
  /** What runs in the page before anything of its own does. */
  readonly initScript?: PageScript | readonly PageScript[]
}

type PageScript = (() => void) | { readonly content: string }

// A loaded machine makes RTK's development checks slow, and they say so; that is no fault of the page.
const isAboutTheMachine = (text: string) => /Middleware took \d+ms/.test(text)

export const openWorkspace = async (given: WorkspaceOptions): Promise<Workspace> => {
  const { browser, url, initScript = [], ...options } = given
  const context = given.context ?? (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options }))
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
  for (const script of [initScript].flat()) await page.addInitScript(script)
  await page.goto(url)
  // In a narrow window the list is loaded, but not in view.
  await page.locator('.document-list-item', { hasText: 'Travel policy' }).waitFor({ state: 'attached' })
  return { page, problems, close: () => context.close() }
}

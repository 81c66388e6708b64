import { type Browser, chromium } from 'playwright-core'
import { ensureBrowser } from './ensureBrowser.mjs'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How long a single step may take, in milliseconds: far more than any does, even where others use the machine. */
const patience = 120_000

/**
 * Starts the machine's Chromium without a window; it talks to no one but the pages that a test opens. Playwright
 * switches the back/forward cache off, which people have: `hasPageCache` leaves it on.
 */
export const launchBrowser = async ({ hasPageCache = false }: { hasPageCache?: boolean } = {}): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: flags,
    ignoreDefaultArgs: hasPageCache ? ['--disable-back-forward-cache'] : [],
    timeout: patience,
  })
  browser.on('context', (context) => context.setDefaultTimeout(patience))
  return browser
}

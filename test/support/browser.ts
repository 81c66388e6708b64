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

/**
 * Starts the machine's Chromium without a window; it talks to no one but the pages that a test opens. Playwright
 * switches the back/forward cache off, which people have: `hasPageCache` leaves it on.
 */
export const launchBrowser = ({ hasPageCache = false }: { hasPageCache?: boolean } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: ensureBrowser(),
    args: flags,
    ignoreDefaultArgs: hasPageCache ? ['--disable-back-forward-cache'] : [],
  })

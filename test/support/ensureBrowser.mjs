import { installDebianPackages } from '../../demo/installDebianPackages.mjs'
import { findBrowser } from './findBrowser.mjs'

/**
 * The path of a Chromium-based browser; installs Chromium first where that can be done (root on Debian).
 *
 * @returns {string}
 * @throws {Error} when there is none and none can be installed
 */
export function ensureBrowser() {
  const found = findBrowser()
  if (found) return found
  const installed = installDebianPackages(['chromium']) ? findBrowser() : undefined
  if (installed) return installed
  throw new Error(
    'No Chromium, Chrome or Edge was found, and none could be installed: the browser tests drive one. ' +
      'Install one, or name its executable in CHROME_PATH.',
  )
}

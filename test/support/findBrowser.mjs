import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']

/**
 * The path of a Chromium-based browser: CHROME_PATH, else one on PATH, else one where its installer puts it.
 *
 * @returns {string | undefined}
 */
export function findBrowser() {
  const { CHROME_PATH, PATH = '' } = process.env
  const onPath = PATH.split(delimiter).flatMap((folder) => commands.map((command) => join(folder, command)))
  return [...(CHROME_PATH ? [CHROME_PATH] : []), ...onPath, ...getUsualPlaces()].find(isExecutable)
}

function getUsualPlaces() {
  const { HOME = '', LOCALAPPDATA, PROGRAMFILES, 'PROGRAMFILES(X86)': programFilesX86 } = process.env
  if (process.platform === 'darwin') {
    return ['Chromium', 'Google Chrome', 'Microsoft Edge'].flatMap((name) => {
      const inside = join('Applications', `${name}.app`, 'Contents', 'MacOS', name)
      return [join('/', inside), join(HOME, inside)]
    })
  }
  if (process.platform === 'win32') {
    return [PROGRAMFILES, programFilesX86, LOCALAPPDATA].flatMap((folder) =>
      folder
        ? [
            join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
            join(folder, 'Chromium', 'Application', 'chrome.exe'),
            join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
          ]
        : [],
    )
  }
  return ['/usr/bin/chromium', '/snap/bin/chromium', '/opt/google/chrome/chrome']
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

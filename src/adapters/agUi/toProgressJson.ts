import type { SavedProgress } from './agUiProgress.ts'

/** Makes one JSON of what there is something of; its parts are not copied. */
export function toProgressJson(progress: SavedProgress): string | undefined {
  let json = ''
  for (const [name, value] of Object.entries(progress)) {
    if (value !== undefined) json += `${json === '' ? '{' : ','}"${name}":${value}`
  }
  return json === '' ? undefined : `${json}}`
}

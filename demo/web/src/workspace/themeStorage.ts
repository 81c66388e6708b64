import type { Theme } from './workspaceSlice.ts'

const storageKey = 'folio.theme'

/** The theme that the person chose, in localStorage; a browser that refuses storage just does not remember it. */
export const themeStorage = {
  load(): Theme {
    try {
      const stored = localStorage.getItem(storageKey)
      return stored === 'light' || stored === 'dark' ? stored : 'system'
    } catch {
      return 'system'
    }
  },
  save(theme: Theme) {
    try {
      localStorage.setItem(storageKey, theme)
    } catch {
      // Storage may be full or forbidden: the theme still holds until the page is left.
    }
  },
}

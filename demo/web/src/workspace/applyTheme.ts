import type { Theme } from './workspaceSlice.ts'

/** Sets `data-theme` on the root element, by which the style sheet picks its colours; none means the system's. */
export function applyTheme(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

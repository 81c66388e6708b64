import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from './workspaceSlice.ts'

const { themeChanged } = workspaceSlice.actions
const { selectTheme } = workspaceSlice.selectors

const themes = [
  { theme: 'system', label: 'System' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
] as const

export function ThemeSwitch() {
  const dispatch = useAppDispatch()
  const current = useAppSelector(selectTheme)

  return (
    <fieldset className="theme-switch">
      <legend className="visually-hidden">Theme</legend>
      {themes.map(({ theme, label }) => (
        <label key={theme} className="theme-switch-choice" title={`${label} theme`}>
          <input
            type="radio"
            className="visually-hidden"
            name="theme"
            value={theme}
            checked={theme === current}
            onChange={() => dispatch(themeChanged(theme))}
          />
          <Icon name={theme} />
          <span className="visually-hidden">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

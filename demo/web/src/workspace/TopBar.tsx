import './TopBar.css'
import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { AssistantSignal } from '../assistant/AssistantSignal.tsx'
import { workspaceSlice } from './workspaceSlice.ts'

const { assistantToggled } = workspaceSlice.actions
const { selectAssistantOpen } = workspaceSlice.selectors

export function TopBar() {
  const dispatch = useAppDispatch()
  const assistantOpen = useAppSelector(selectAssistantOpen)

  return (
    <header className="top-bar">
      <h1 className="top-bar-brand">
        <span className="top-bar-mark">
          <Icon name="document" />
        </span>
        Folio
      </h1>
      <div className="top-bar-tools">
        <ThemeSwitch />
        <button
          type="button"
          className="button top-bar-assistant"
          aria-expanded={assistantOpen}
          aria-controls="assistant"
          onClick={() => dispatch(assistantToggled())}
        >
          <Icon name="assistant" />
          Assistant
          {!assistantOpen && <AssistantSignal />}
        </button>
      </div>
    </header>
  )
}

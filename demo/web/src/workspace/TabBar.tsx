import './TabBar.css'
import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { AssistantSignal } from '../assistant/AssistantSignal.tsx'
import { workspaceSlice } from './workspaceSlice.ts'

const { panelShown } = workspaceSlice.actions
const { selectPanel } = workspaceSlice.selectors

const tabs = [
  { panel: 'documents', label: 'Documents', icon: 'list' },
  { panel: 'editor', label: 'Editor', icon: 'pen' },
  { panel: 'assistant', label: 'Assistant', icon: 'assistant' },
] as const

/** Chooses the column that a narrow window shows; the style sheet hides it where all fit. */
export function TabBar() {
  const dispatch = useAppDispatch()
  const current = useAppSelector(selectPanel)

  return (
    <nav className="tab-bar" aria-label="Panels">
      {tabs.map(({ panel, label, icon }) => (
        <button
          key={panel}
          type="button"
          className="tab-bar-tab"
          data-panel={panel}
          aria-current={panel === current ? 'true' : undefined}
          onClick={() => dispatch(panelShown(panel))}
        >
          <Icon name={icon} />
          <span className="tab-bar-label">
            {label}
            {panel === 'assistant' && panel !== current && <AssistantSignal />}
          </span>
        </button>
      ))}
    </nav>
  )
}

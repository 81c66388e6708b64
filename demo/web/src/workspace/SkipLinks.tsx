import './SkipLinks.css'
import { useEffect } from 'react'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { workspaceSlice } from './workspaceSlice.ts'

const { assistantEntered, panelShown } = workspaceSlice.actions

/** The page's first stops for the keyboard, seen when they have the focus; and the key that leads to the assistant. */
export function SkipLinks() {
  const dispatch = useAppDispatch()

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
      event.preventDefault()
      dispatch(assistantEntered())
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [dispatch])

  // Not an address: the page's own says which document is open.
  const showEditor = () => {
    dispatch(panelShown('editor'))
    // A narrow window shows it first.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.app-editor')?.focus())
  }

  return (
    <div className="skip-links">
      <button type="button" className="button" onClick={() => dispatch(assistantEntered())}>
        Skip to the assistant
      </button>
      <button type="button" className="button" onClick={showEditor}>
        Skip to the document
      </button>
    </div>
  )
}

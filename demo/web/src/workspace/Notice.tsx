import './Notice.css'
import { useRef } from 'react'
import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from './workspaceSlice.ts'

const { noticeDismissed } = workspaceSlice.actions
const { selectNotice } = workspaceSlice.selectors

/** Says what went wrong where no other place on the page could; stays until it is dismissed. */
export function Notice() {
  const dispatch = useAppDispatch()
  const notice = useAppSelector(selectNotice)

  const before = useRef<Element | null>(null)

  const dismiss = () => {
    dispatch(noticeDismissed())
    // The button goes with the notice: the focus goes back to where it came from, or to what is in view.
    const columns = [...document.querySelectorAll('.app-column')]
    const taker = before.current?.isConnected ? before.current : columns.find((column) => column.checkVisibility())
    if (taker instanceof HTMLElement) taker.focus({ preventScroll: true })
  }

  // The live region is there before its text is: what comes with its region is not read out everywhere.
  return (
    <div className="notice-region" role="status">
      {notice !== null && (
        <div className="notice">
          <p>{notice}</p>
          <button
            type="button"
            className="icon-button"
            onFocus={({ relatedTarget }) => (before.current = relatedTarget)}
            onClick={dismiss}
          >
            <Icon name="close" />
            <span className="visually-hidden">Dismiss</span>
          </button>
        </div>
      )}
    </div>
  )
}

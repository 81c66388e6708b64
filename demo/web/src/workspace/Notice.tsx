import './Notice.css'
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

  // The live region is there before its text is: what comes with its region is not read out everywhere.
  return (
    <div className="notice-region" role="status">
      {notice !== null && (
        <div className="notice">
          <p>{notice}</p>
          <button type="button" className="icon-button" onClick={() => dispatch(noticeDismissed())}>
            <Icon name="close" />
            <span className="visually-hidden">Dismiss</span>
          </button>
        </div>
      )}
    </div>
  )
}

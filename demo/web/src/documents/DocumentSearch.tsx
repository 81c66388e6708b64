import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Icon } from '../app/Icon.tsx'
import { useAppDispatch } from '../app/useAppDispatch.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'

const { panelShown, searchTextChanged } = workspaceSlice.actions
const { selectSearchText } = workspaceSlice.selectors

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function DocumentSearch() {
  const dispatch = useAppDispatch()
  const searchText = useAppSelector(selectSearchText)
  const inputRef = useRef<HTMLInputElement>(null)

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // In a narrow window the field may be hidden, and what is hidden takes no focus: first show it.
      flushSync(() => dispatch(panelShown('documents')))
      inputRef.current?.focus()
      inputRef.current?.select()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [dispatch])

  return (
    <search className="document-search">
      <label className="visually-hidden" htmlFor="document-search">
        Search documents
      </label>
      <Icon name="search" />
      <input
        id="document-search"
        ref={inputRef}
        className="field"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        value={searchText}
        onChange={(event) => dispatch(searchTextChanged(event.target.value))}
        onKeyDown={(event) => {
          if (event.key === 'Escape') dispatch(searchTextChanged(''))
        }}
      />
      {searchText === '' ? (
        <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      ) : (
        <button
          type="button"
          className="icon-button"
          onClick={() => {
            dispatch(searchTextChanged(''))
            inputRef.current?.focus()
          }}
        >
          <Icon name="close" />
          <span className="visually-hidden">Clear the search</span>
        </button>
      )}
    </search>
  )
}

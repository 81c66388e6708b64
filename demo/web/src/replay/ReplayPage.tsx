import 'redux-agent/styles.css'
import '../assistant/AssistantPanel.css'
import './ReplayPage.css'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { AgentTrace } from 'redux-agent'
import { TraceReplay, type ApprovalDataProps } from 'redux-agent/react'
import { Icon } from '../app/Icon.tsx'
import { onEscape } from '../app/onEscape.ts'
import { useAppSelector } from '../app/useAppSelector.ts'
import { ApprovalPreview } from '../assistant/ApprovalPreview.tsx'
import { assistantLocale } from '../assistant/assistantLocale.ts'
import { renderMessage } from '../assistant/renderMessage.tsx'
import { useFollowBottom } from '../assistant/useFollowBottom.ts'
import { documentHash } from '../workspace/documentHash.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { downloadTrace } from './downloadTrace.ts'
import { ImportTrace } from './ImportTrace.tsx'
import { replayHash } from './replayHash.ts'
import { useRunTrace } from './useRunTrace.ts'

const { selectSelectedDocumentId } = workspaceSlice.selectors

interface ReplayPageProps {
  /** Empty where a file is to be chosen. */
  readonly runId: string
  readonly canGoBack: boolean
}

const renderApprovalData = (props: ApprovalDataProps): ReactNode => <ApprovalPreview {...props} />

/** A stored run, or one out of a file, event by event; it reads and does nothing else. */
export function ReplayPage({ runId, canGoBack }: ReplayPageProps) {
  const { trace: stored, failure, reload } = useRunTrace(runId)
  const [imported, setImported] = useState<AgentTrace>()
  const [importFailure, setImportFailure] = useState<string>()
  const trace = imported ?? stored
  const documentId = useAppSelector(selectSelectedDocumentId)
  const { scrollerRef, contentRef } = useFollowBottom()
  const headingRef = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    headingRef.current?.focus({ preventScroll: true })
    // Back to where the person came from.
    return () => [...document.links].find(({ hash }) => hash === replayHash.format(runId))?.focus()
  }, [runId])

  const close = () => {
    if (canGoBack) history.back()
    else window.location.hash = documentId === null ? '' : documentHash.format(documentId)
  }

  return (
    <div className="replay-page" onKeyDown={(event) => onEscape(event, close)}>
      <header className="replay-head">
        <button type="button" className="icon-button" title="Close the replay" onClick={close}>
          <Icon name="close" />
          <span className="visually-hidden">Close the replay</span>
        </button>
        <div className="replay-title">
          <h1 ref={headingRef} tabIndex={-1}>
            {trace?.title ?? 'Replay'}
          </h1>
          <p>{describeSource({ imported, runId })}</p>
        </div>
        <button
          type="button"
          className="button"
          disabled={!trace}
          onClick={() => {
            if (trace) downloadTrace(trace)
          }}
        >
          Export
        </button>
        <ImportTrace
          onImported={(read) => {
            setImportFailure(undefined)
            setImported(read)
          }}
          onFailed={setImportFailure}
        />
      </header>
      {importFailure !== undefined && (
        <div className="replay-note" role="alert">
          <p>{importFailure}</p>
          <button type="button" className="link-button" onClick={() => setImportFailure(undefined)}>
            Dismiss
          </button>
        </div>
      )}
      <main className="assistant-panel replay-scroll" ref={scrollerRef}>
        <div className="replay-content" ref={contentRef}>
          {trace && (
            <TraceReplay
              // A file of the same run may tell another story.
              key={imported ? 'file' : 'server'}
              trace={trace}
              locale={assistantLocale}
              renderMessage={renderMessage}
              renderApprovalData={renderApprovalData}
            />
          )}
          {!trace && runId === '' && (
            <div className="message message-centred">
              <p>Import a trace to replay it. The file stays on this page.</p>
            </div>
          )}
          {!trace && runId !== '' && failure === undefined && (
            <div className="message message-centred" role="status">
              <p>Loading the run’s log…</p>
            </div>
          )}
          {!trace && failure !== undefined && (
            <div className="message message-centred" role="alert">
              <p>{failure}</p>
              <button type="button" className="button" onClick={reload}>
                Try again
              </button>
            </div>
          )}
        </div>
      </main>
    </div>
  )
}

function describeSource({ imported, runId }: { imported: AgentTrace | undefined; runId: string }): string {
  if (imported) return 'Replay of an imported file'
  return runId === '' ? 'Replay of a file' : 'Replay of a stored run'
}

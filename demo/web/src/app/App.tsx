import './App.css'
import { AssistantPanel } from '../assistant/AssistantPanel.tsx'
import { DocumentEditor } from '../documents/DocumentEditor.tsx'
import { DocumentList } from '../documents/DocumentList.tsx'
import { Notice } from '../workspace/Notice.tsx'
import { SkipLinks } from '../workspace/SkipLinks.tsx'
import { TabBar } from '../workspace/TabBar.tsx'
import { TopBar } from '../workspace/TopBar.tsx'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { useAppSelector } from './useAppSelector.ts'

const { selectAssistantOpen, selectPanel } = workspaceSlice.selectors

/** Three columns where there is room, one at a time where there is not; all stay mounted, so that nothing is lost. */
export function App() {
  const panel = useAppSelector(selectPanel)
  const assistantOpen = useAppSelector(selectAssistantOpen)

  return (
    <div className="app" data-panel={panel} data-assistant={assistantOpen ? 'open' : 'closed'}>
      <SkipLinks />
      <TopBar />
      {/* One landmark around the three: whichever a narrow window shows is then the main content. */}
      <main className="app-columns">
        <nav className="app-column app-documents" aria-label="Documents" tabIndex={-1}>
          <DocumentList />
        </nav>
        <section className="app-column app-editor" aria-label="Editor" tabIndex={-1}>
          <DocumentEditor />
        </section>
        <section className="app-column app-assistant" id="assistant" aria-label="Assistant" tabIndex={-1}>
          <AssistantPanel />
        </section>
      </main>
      <TabBar />
      <Notice />
    </div>
  )
}

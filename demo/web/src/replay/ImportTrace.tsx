import { AgentModuleError, readAgentTraceFile, type AgentTrace } from 'redux-agent'

interface ImportTraceProps {
  readonly onImported: (trace: AgentTrace) => void
  readonly onFailed: (message: string) => void
}

/** Opens a trace out of a file of the person's, which stays on this page. */
export function ImportTrace({ onImported, onFailed }: ImportTraceProps) {
  const read = async (file: File) => {
    try {
      onImported(await readAgentTraceFile(file))
    } catch (error) {
      onFailed(AgentModuleError.isInstance(error) ? error.message : 'The file could not be opened.')
    }
  }

  return (
    <label className="button replay-import">
      Import
      <input
        type="file"
        className="visually-hidden"
        accept=".json,application/json"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void read(file)
          // The same file may be chosen again, once it was mended.
          target.value = ''
        }}
      />
    </label>
  )
}

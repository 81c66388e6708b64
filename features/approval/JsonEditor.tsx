import { useId, useState } from 'react'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { formatJson } from '../view/formatJson.ts'

/** Edits a value as JSON text; `onChange` gets `undefined` while the text is not JSON. */
export function JsonEditor(props: {
  value: unknown
  locale: AgentLocale
  onChange: (parsed: { value: unknown } | undefined) => void
}) {
  const { value, locale, onChange } = props
  const [text, setText] = useState(() => (typeof value === 'string' ? JSON.stringify(value) : formatJson(value)))
  const [isInvalid, setIsInvalid] = useState(false)
  const errorId = useId()

  function edit(next: string) {
    setText(next)
    const parsed = parse(next)
    setIsInvalid(parsed === undefined)
    onChange(parsed)
  }

  return (
    <div className="agent-editor">
      <textarea
        className="agent-textarea"
        aria-label={locale.approval.editor}
        aria-invalid={isInvalid}
        aria-describedby={isInvalid ? errorId : undefined}
        rows={Math.min(16, text.split('\n').length + 1)}
        spellCheck={false}
        value={text}
        onChange={(event) => edit(event.target.value)}
      />
      {isInvalid && (
        <p id={errorId} className="agent-error" role="status">
          {locale.approval.invalidJson}
        </p>
      )}
    </div>
  )
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

import { useMemo } from 'react'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { CodeBlock } from '../view/CodeBlock.tsx'
import { formatJson } from '../view/formatJson.ts'
import type { RenderApprovalData } from './approvalDataProps.ts'
import { JsonEditor } from './JsonEditor.tsx'
import type { ApprovalDraft } from './useApprovalDraft.ts'

/** What an approval is about: the app's own view of it, or JSON. */
export function ApprovalData(props: {
  approval: AgentApprovalState
  draft: ApprovalDraft
  locale: AgentLocale
  renderData?: RenderApprovalData | undefined
}) {
  const { approval, draft, locale, renderData } = props
  const { value, isEditing, change } = draft
  if (renderData) return <>{renderData({ approval, value, isEditing, onChange: (next) => change({ value: next }) })}</>
  if (isEditing) return <JsonEditor value={approval.data} locale={locale} onChange={change} />
  return value === undefined ? null : <JsonView value={value} label={locale.approval.details} locale={locale} />
}

function JsonView({ value, label, locale }: { value: unknown; label: string; locale: AgentLocale }) {
  const text = useMemo(() => formatJson(value), [value])
  return <CodeBlock text={text} label={label} locale={locale} />
}

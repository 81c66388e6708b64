import { useMemo } from 'react'
import type { AgentArtifactState } from '../../src/state/entities/agentArtifactState.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { CardHeader } from '../view/CardHeader.tsx'
import { CodeBlock } from '../view/CodeBlock.tsx'
import { Disclosure } from '../view/Disclosure.tsx'
import { ErrorText } from '../view/ErrorText.tsx'
import { formatJson } from '../view/formatJson.ts'
import type { ItemStatus } from '../view/itemStatus.ts'
import { StatusBadge } from '../view/StatusBadge.tsx'
import type { TimelineSlots } from './timelineView.ts'

/** Something that the agent made. */
export function ArtifactItem(props: {
  artifact: AgentArtifactState
  status: ItemStatus
  locale: AgentLocale
  render: TimelineSlots['renderArtifact']
}) {
  const { artifact, status, locale, render } = props
  const { name, mediaType, content, error, reason } = artifact
  return (
    <div
      className="agent-card agent-artifact"
      data-status={status}
      role="group"
      aria-label={locale.artifact.label(name)}
    >
      <CardHeader status={<StatusBadge status={status} locale={locale} />}>
        <span className="agent-card-name">{name}</span>
        {mediaType !== undefined && <span className="agent-tag">{mediaType}</span>}
      </CardHeader>
      {render
        ? render(artifact, { status })
        : content !== undefined && (
            <Disclosure label={locale.artifact.content}>
              <ArtifactContent content={content} locale={locale} />
            </Disclosure>
          )}
      <ErrorText error={error} reason={reason} locale={locale} />
    </div>
  )
}

function ArtifactContent({ content, locale }: { content: unknown; locale: AgentLocale }) {
  const text = useMemo(() => formatJson(content), [content])
  return <CodeBlock text={text} label={locale.artifact.content} locale={locale} />
}

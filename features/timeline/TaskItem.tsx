import { useMemo } from 'react'
import type { AgentTaskState } from '../../src/state/entities/agentTaskState.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { CardHeader } from '../view/CardHeader.tsx'
import { CodeBlock } from '../view/CodeBlock.tsx'
import { Disclosure } from '../view/Disclosure.tsx'
import { ErrorText } from '../view/ErrorText.tsx'
import { formatJson } from '../view/formatJson.ts'
import type { ItemStatus } from '../view/itemStatus.ts'
import { StatusBadge } from '../view/StatusBadge.tsx'

/** A step of the agent's work. */
export function TaskItem(props: { task: AgentTaskState; status: ItemStatus; locale: AgentLocale }) {
  const { task, status, locale } = props
  const { title, description, progress, result, error, reason } = task
  return (
    <div className="agent-card agent-task" data-status={status} role="group" aria-label={locale.task.label(title)}>
      <CardHeader status={<StatusBadge status={status} locale={locale} />}>
        <span className="agent-card-name">{title}</span>
      </CardHeader>
      {description !== undefined && <p className="agent-description">{description}</p>}
      {progress !== undefined && <TaskProgress progress={progress} title={title} locale={locale} />}
      {result !== undefined && (
        <Disclosure label={locale.task.result}>
          <TaskResult result={result} locale={locale} />
        </Disclosure>
      )}
      <ErrorText error={error} reason={reason} locale={locale} />
    </div>
  )
}

/** Runtimes tell progress as a fraction, 0 to 1, or in percent: what is above 1 is a percentage, and 1 is all of it. */
function TaskProgress({ progress, title, locale }: { progress: number; title: string; locale: AgentLocale }) {
  const percent = Math.round(Math.min(100, Math.max(0, progress > 1 ? progress : progress * 100)))
  return (
    <div className="agent-progress">
      <progress max={100} value={percent} aria-label={locale.task.label(title)} />
      <span aria-hidden="true">{locale.task.progress(percent)}</span>
    </div>
  )
}

function TaskResult({ result, locale }: { result: unknown; locale: AgentLocale }) {
  const text = useMemo(() => formatJson(result), [result])
  return <CodeBlock text={text} label={locale.task.result} locale={locale} />
}

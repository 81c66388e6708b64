import { useMemo } from 'react'
import type { AgentTraceMoment, AgentTraceMomentKind } from '../../src/trace/agentTraceMoment.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'

const kinds: readonly AgentTraceMomentKind[] = ['tool', 'approval', 'checkpoint']

/** The kinds of moments, each with its mark and how many there are; a press leaves a kind out, or takes it in again. */
export function ReplayKinds(props: {
  moments: readonly AgentTraceMoment[]
  shown: readonly AgentTraceMomentKind[]
  locale: AgentLocale
  onChange: (shown: readonly AgentTraceMomentKind[]) => void
}) {
  const { moments, shown, locale, onChange } = props
  const counts = useMemo(() => {
    const found: Record<AgentTraceMomentKind, number> = { tool: 0, approval: 0, checkpoint: 0 }
    for (const { kind } of moments) found[kind] += 1
    return found
  }, [moments])
  return (
    <div className="agent-replay-kinds" role="group" aria-label={locale.replay.moments}>
      {kinds.map((kind) => {
        const isShown = shown.includes(kind)
        return (
          <button
            key={kind}
            type="button"
            className="agent-button agent-replay-kind"
            data-kind={kind}
            aria-pressed={isShown}
            onClick={() => onChange(isShown ? shown.filter((other) => other !== kind) : [...shown, kind])}
          >
            <span className="agent-replay-swatch" aria-hidden="true" />
            {locale.replay.kinds[kind]}
            <span className="agent-replay-count">{counts[kind]}</span>
          </button>
        )
      })}
    </div>
  )
}

import { cleanup, render, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { replayAgentEvents } from 'redux-agent'
import { AgentStateTimeline, enUS } from 'redux-agent/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSampleEvents } from '../trace/createSampleEvents.ts'

afterEach(cleanup)

const kinds = () => [...document.querySelectorAll<HTMLElement>('.agent-timeline-list > li')].map((row) => row.dataset.kind)

describe('AgentStateTimeline', () => {
  it('shows no more than it is told to, the newest, and says so', () => {
    const state = replayAgentEvents(createSampleEvents())
    const { rerender } = render(<AgentStateTimeline state={state} maxItems={7} />)
    expect(kinds()).toHaveLength(7)
    rerender(<AgentStateTimeline state={state} maxItems={4} />)
    expect(kinds()).toEqual(['tool', 'approval', 'message'])
    expect(screen.getByText(enUS.replay.hidden(4))).toBeDefined()
    rerender(<AgentStateTimeline state={state} maxItems={5} />)
    expect(kinds()).toHaveLength(5)
    expect(screen.getByText(enUS.replay.hidden(2))).toBeDefined()
    rerender(<AgentStateTimeline state={state} maxItems={0} />)
    expect(kinds()).toEqual([])
    expect(screen.getByText(enUS.replay.hidden(7))).toBeDefined()
    expect(screen.queryByText(enUS.emptyTimeline)).toBeNull()
  })

  it('shows a state without a store, and renders again only what changed', () => {
    const events = createSampleEvents()
    const commits = vi.fn<() => void>()
    const view = (count: number) => (
      <Profiler id="timeline" onRender={commits}>
        <AgentStateTimeline state={replayAgentEvents(events.slice(0, count))} includeReasoning={false} />
      </Profiler>
    )
    const { rerender } = render(view(14))
    expect(kinds()).toEqual(['message', 'tool', 'tool', 'tool', 'approval'])
    expect(screen.getByText(enUS.replay.undecided)).toBeDefined()
    rerender(view(23))
    expect(kinds()).toHaveLength(6)
    rerender(view(0))
    expect(screen.getByText(enUS.emptyTimeline)).toBeDefined()
  })
})

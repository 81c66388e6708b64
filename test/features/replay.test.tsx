import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { createAgentTrace, replayAgentEvents, type AgentTrace } from 'redux-agent'
import {
  TraceReplay,
  enUS,
  useTraceReplay,
  zhCN,
  type TraceReplayControls,
  type TraceReplayProps,
} from 'redux-agent/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSampleEvents } from '../trace/createSampleEvents.ts'
import { expectAccessible } from './support/expectAccessible.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const createTrace = (events = createSampleEvents()): AgentTrace =>
  createAgentTrace({
    events,
    checkpoints: [
      { sequence: 1, kind: 'run_started' },
      { sequence: 12, kind: 'tool_call_result_persisted' },
      { sequence: 23, kind: 'vendor_kind' },
    ],
  })

const setUp = (props: Partial<TraceReplayProps> = {}) => render(<TraceReplay trace={createTrace()} {...props} />)
// Not by roles, which take a walk through the whole page each time; one test asks for them.
const slider = () => document.querySelector<HTMLInputElement>('.agent-replay-slider')!
const place = () => slider().valueAsNumber
const scrub = (to: number) => fireEvent.change(slider(), { target: { value: String(to) } })
const button = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('.agent-replay-bar button, .agent-replay-kind')].find((found) =>
    (found.getAttribute('aria-label') ?? found.textContent).startsWith(name),
  )!
const press = (name: string) => fireEvent.click(button(name))
const kinds = () => [...document.querySelectorAll<HTMLElement>('.agent-timeline-list > li')].map((row) => row.dataset.kind)
const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))

describe.each([
  ['English', enUS],
  ['Chinese', zhCN],
] as const)('TraceReplay in %s', (_, locale) => {
  it('is accessible before the first event, in the middle and at the end', async () => {
    const { container } = setUp({ locale })
    const { replay } = locale
    expect(screen.getByRole('group', { name: replay.controls })).toBeDefined()
    expect(screen.getByRole('slider', { name: replay.position })).toBeDefined()
    expect(screen.getByRole('combobox', { name: replay.speed })).toBeDefined()
    for (const name of [replay.play, replay.previousEvent, replay.nextEvent, replay.previousMoment, replay.nextMoment]) {
      expect(screen.getByRole('button', { name })).toBeDefined()
    }
    expect(screen.getByRole('region', { name: locale.replay.label })).toBeDefined()
    expect(screen.getByText(locale.replay.empty)).toBeDefined()
    await expectAccessible(container)
    for (const at of [14, 23]) {
      scrub(at)
      // eslint-disable-next-line no-await-in-loop
      await expectAccessible(container)
    }
  })
})

describe('TraceReplay', () => {
  it('shows at each sequence what the state then holds, forth and back, without a store', () => {
    setUp()
    const shown = (at: number) => {
      scrub(at)
      return kinds()
    }
    const forth = Array.from({ length: 24 }, (_, at) => shown(at))
    expect(forth[0]).toEqual([])
    expect(forth[14]).toEqual(['message', 'reasoning', 'tool', 'tool', 'tool', 'approval'])
    expect(forth[23]).toHaveLength(7)
    for (let at = 23; at >= 0; at -= 1) expect(shown(at)).toEqual(forth[at])
    scrub(20)
    expect(screen.getByRole('article', { name: 'Assistant' }).textContent).toContain('w0 w1')
    expect(screen.getByRole('article', { name: 'Assistant' }).textContent).not.toContain('w2')
  })

  it('shows an approval as it waited, with what was decided, and no button that does anything', async () => {
    setUp()
    scrub(14)
    const card = screen.getByRole('group', { name: /Approval needed/ })
    const buttons = within(card).getAllByRole('button')
    expect(buttons.map((button) => [button.textContent, button.getAttribute('aria-pressed')])).toEqual([
      ['Approve', 'true'],
      ['Reject', 'false'],
      ['Edit', 'false'],
    ])
    expect(card.textContent).toContain('What was decided: approved.')
    const before = document.body.innerHTML
    for (const button of buttons) {
      expect(button.getAttribute('aria-disabled')).toBe('true')
      fireEvent.click(button)
    }
    await pass(5000)
    expect(document.body.innerHTML).toBe(before)
    scrub(15)
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
    expect(screen.getByText('Approved', { selector: '.agent-status' })).toBeDefined()
  })

  it('says where nothing was ever decided, and offers no retry but says that there was one', () => {
    setUp({ trace: createTrace(createSampleEvents().slice(0, 14)) })
    scrub(14)
    expect(screen.getByText(enUS.replay.undecided)).toBeDefined()
    scrub(10)
    expect(screen.getByText(enUS.replay.retriedLater)).toBeDefined()
    expect(screen.queryByRole('button', { name: enUS.tool.retry })).toBeNull()
  })

  it('names the place for the eye and for a screen reader', () => {
    setUp()
    expect(slider().getAttribute('aria-valuetext')).toBe('Before the first event')
    scrub(12)
    expect(slider().getAttribute('aria-valuetext')).toBe('12 of 23: tool.completed')
    expect(document.querySelector('.agent-replay-place')!.textContent).toBe('12 / 230:01.1tool.completed')
    expect(document.getElementById(slider().getAttribute('aria-describedby')!)!.textContent).toBe(enUS.replay.keys)
    expect(document.querySelector('.agent-replay-bar [role="status"]')!.textContent).toBe('')
    press('Next event')
    expect(document.querySelector('.agent-replay-bar [role="status"]')!.textContent).toBe('13 of 23: tool.requested')
  })

  it('steps by buttons, which keep the focus at the ends', () => {
    setUp()
    const back = button('Previous event')
    back.focus()
    fireEvent.click(back)
    expect(place()).toBe(0)
    expect(document.activeElement).toBe(back)
    expect(back.getAttribute('aria-disabled')).toBe('true')
    press('Next event')
    press('Next event')
    press('Previous event')
    expect(place()).toBe(1)
    scrub(23)
    press('Next event')
    expect(place()).toBe(23)
  })

  it('jumps from moment to moment, those of one kind alone where the others are left out', () => {
    setUp()
    const jumps = (name: string, count: number) =>
      Array.from({ length: count }, () => {
        press(name)
        return place()
      })
    expect(jumps('Next moment', 10)).toEqual([1, 7, 10, 11, 12, 13, 14, 15, 17, 23])
    expect(jumps('Next moment', 1)).toEqual([23])
    press('Tool calls')
    press('Checkpoints')
    expect(jumps('Previous moment', 3)).toEqual([15, 14, 14])
    expect(button('Tool calls').getAttribute('aria-pressed')).toBe('false')
    press('Approvals')
    expect(screen.getByText(enUS.replay.noMoments)).toBeDefined()
  })

  it('lists the moments, in words, with the present one marked, and leads to each', () => {
    setUp({ locale: { ...enUS, tool: { ...enUS.tool, names: { write: 'Write a document' } } } })
    const list = within(screen.getByRole('navigation', { name: 'Moments' }))
    expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      '1Checkpoints: Run started',
      '7Tool calls: search',
      '10Tool calls: search: failed',
      '11Tool calls: search',
      '12Tool calls: search: completed',
      '13Tool calls: Write a document',
      '14Approvals: Approval needed: Write it',
      '15Approvals: Approved: Write it',
      '17Tool calls: Write a document: completed',
      '23Checkpoints: vendor_kind',
    ])
    expect(screen.getByText(enUS.replay.noCheckpoint)).toBeDefined()
    fireEvent.click(list.getByRole('button', { name: /Approval needed/ }))
    expect(place()).toBe(14)
    expect(list.getAllByRole('button', { current: 'step' }).map(({ title }) => title)).toEqual(['Approval needed: Write it'])
    expect(screen.getByText('Checkpoint: Result stored, at 12')).toBeDefined()
    // What a checkpoint was made of says it; without that the checkpoint does.
    press('Tool calls')
    expect(list.getByRole('button', { name: /Result stored/ })).toBeDefined()
  })

  it('marks each kind in a lane of its own', () => {
    setUp()
    const lanes = [...document.querySelectorAll<SVGPathElement>('.agent-replay-mark')].map((path) => [
      path.dataset.kind,
      path.getAttribute('d')!.match(/M\d+/g)!.length,
    ])
    expect(lanes).toEqual([
      ['tool', 6],
      ['approval', 2],
      ['checkpoint', 3],
    ])
  })

  it('is driven by the keys of its slider', async () => {
    setUp()
    const key = (name: string, shiftKey = false) => fireEvent.keyDown(slider(), { key: name, shiftKey })
    key('ArrowRight', true)
    key('ArrowRight', true)
    expect(place()).toBe(7)
    key('ArrowLeft', true)
    expect(place()).toBe(1)
    // What the browser does itself is left to it.
    expect(key('ArrowRight')).toBe(true)
    expect(key(' ')).toBe(false)
    expect(button('Pause')).toBeDefined()
    await pass(100)
    expect(place()).toBe(2)
    key(' ')
    await pass(5000)
    expect(place()).toBe(2)
  })

  it('plays in the time that the events state, stops at the end, and then begins anew', async () => {
    setUp()
    press('Play')
    await pass(8)
    expect(place()).toBe(1)
    await pass(99)
    expect(place()).toBe(1)
    await pass(1)
    expect(place()).toBe(2)
    // React commits when the test lets it: event by event.
    for (let at = 3; at <= 23; at += 1) {
      // eslint-disable-next-line no-await-in-loop
      await pass(100)
      expect(place()).toBe(at)
    }
    expect(button('Play')).toBeDefined()
    expect(vi.getTimerCount()).toBe(0)
    press('Play')
    expect(place()).toBe(0)
    await pass(8)
    await pass(100)
    expect(place()).toBe(2)
    scrub(10)
    await pass(5000)
    expect(place()).toBe(10)
  })

  it('plays twice, four and eight times as fast', async () => {
    setUp()
    scrub(1)
    fireEvent.change(document.querySelector('.agent-replay-speed select')!, { target: { value: '4' } })
    press('Play')
    // A frame's worth is shown at once.
    await pass(25)
    expect(place()).toBe(2)
    await pass(25)
    expect(place()).toBe(3)
    fireEvent.change(document.querySelector('.agent-replay-speed select')!, { target: { value: '8' } })
    await pass(25)
    expect(place()).toBe(5)
    expect([...document.querySelectorAll('.agent-replay-speed option')].map(({ textContent }) => textContent)).toEqual(['1×', '2×', '4×', '8×'])
  })

  it('waits no longer than the cap between two events, and shows a burst as coming', async () => {
    const events = createSampleEvents().map((event, index) => ({ ...event, timestamp: index < 3 ? index * 60_000 : 5 }))
    setUp({ trace: createTrace(events), maxGap: 500 })
    press('Play')
    await pass(8)
    await pass(500)
    expect(place()).toBe(2)
    await pass(500)
    expect(place()).toBe(3)
    await pass(32)
    expect(place()).toBe(7)
    await pass(32)
    expect(place()).toBe(11)
  })

  it('takes its time from the timers that it is given, and calls them off', () => {
    const rings: { callback: () => void; delay: number }[] = []
    const callOff = vi.fn<() => void>()
    const timers = {
      setTimer(callback: () => void, delay: number) {
        rings.push({ callback, delay })
        return callOff
      },
    }
    const { unmount } = setUp({ timers })
    press('Play')
    act(() => rings[0]!.callback())
    expect(place()).toBe(1)
    expect(rings.map(({ delay }) => delay)).toEqual([8, 100])
    expect(callOff).toHaveBeenCalledTimes(1)
    unmount()
    expect(callOff).toHaveBeenCalledTimes(2)
  })

  it('begins where it is told, stays there when more of its run comes, and anew with another run', () => {
    const all = createSampleEvents()
    const { rerender } = setUp({ trace: createTrace(all.slice(0, 10)), initialSequence: 5 })
    expect(place()).toBe(5)
    scrub(9)
    rerender(<TraceReplay trace={createTrace(all)} initialSequence={5} />)
    expect([place(), slider().max]).toEqual([9, '23'])
    rerender(<TraceReplay trace={createTrace(createSampleEvents({ runId: 'r2' }))} initialSequence={5} />)
    expect(place()).toBe(5)
  })

  it('says how many events broke the rules', () => {
    const [first, , ...rest] = createSampleEvents()
    setUp({ trace: createTrace([first!, ...rest]) })
    expect(screen.getByText(enUS.replay.refused(1))).toBeDefined()
  })

  it('lists a part of very many moments, the one around the present', () => {
    const checkpoints = Array.from({ length: 450 }, (_, index) => ({ sequence: 1 + (index % 23), kind: `k${index}` }))
    const trace = createAgentTrace({ events: createSampleEvents().filter(({ type }) => !/tool|approval/.test(type)), checkpoints })
    setUp({ trace })
    const list = within(screen.getByRole('navigation', { name: 'Moments' }))
    expect(list.getAllByRole('button')).toHaveLength(200)
    expect(list.getByText('1 to 200 of 450')).toBeDefined()
    scrub(Number(slider().max))
    expect(list.getByText('401 to 450 of 450')).toBeDefined()
    expect(list.getAllByRole('button')).toHaveLength(50)
  })

  it('renders a delta’s own row alone', async () => {
    let rendered = 0
    const renderMessage = () => {
      rendered += 1
      return 'text'
    }
    setUp({ renderMessage, trace: createTrace(createSampleEvents({ deltas: 100 })), initialSequence: 20 })
    rendered = 0
    for (const at of [21, 22, 23, 24]) scrub(at)
    expect(rendered).toBe(4)
  })

  it('hands content to the app’s own views', () => {
    setUp({
      renderMessage: ({ id }) => `message ${id}`,
      renderToolCall: ({ id }) => `tool ${id}`,
      renderApprovalData: ({ approval, isEditing }) => `data ${approval.id} ${isEditing}`,
    })
    scrub(14)
    for (const text of ['message u', 'tool c', 'data p false']) expect(document.body.textContent).toContain(text)
  })
})

describe('useTraceReplay', () => {
  it('gives at every sequence the fold of the events up to it, and the end', () => {
    let latest!: TraceReplayControls
    const trace = createTrace()
    const View = () => {
      latest = useTraceReplay(trace)
      return null
    }
    render(<View />)
    const order = [...trace.events.keys(), ...[...trace.events.keys()].reverse(), 11, 3, 20]
    for (const position of order) {
      act(() => latest.seek(position))
      expect(latest.position).toBe(position)
      expect(latest.state).toEqual(replayAgentEvents(trace.events.slice(0, position)))
      expect(latest.event).toBe(trace.events[position - 1])
    }
    expect(latest.end).toEqual(replayAgentEvents(trace.events))
    act(() => latest.seekSequence(7))
    expect(latest.event?.sequence).toBe(7)
    expect([latest.findMoment(-1), latest.findMoment(1), latest.findMoment(1, ['approval'])]).toEqual([1, 10, 14])
    act(() => latest.seek(1000))
    expect([latest.position, latest.findMoment(1)]).toEqual([23, undefined])
  })
})

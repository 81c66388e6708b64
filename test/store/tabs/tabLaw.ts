import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { AnyAgentProvider } from 'redux-agent'
import type { Block } from '../createModelServer.ts'
import { createTabModel } from './createTabModel.ts'

const stepsOf = (tab: fc.Arbitrary<number>) => fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver' as const), count: fc.nat(12), back: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('mail' as const), count: fc.nat(12) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('advance' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('answer' as const), isLost: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom(...(['cut', 'elsewhere', 'lose', 'double', 'swap', 'garbage'] as const)) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'timers' as const), tab }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['close', 'kill', 'freeze', 'hang', 'thaw', 'wake'] as const)),
      tab,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      tab,
      what: fc.constantFrom(...(['decide', 'decide', 'decide', 'cancel', 'abort', 'resume'] as const)),
    }),
  },
)
type Step = ReturnType<typeof stepsOf> extends fc.Arbitrary<infer Value> ? Value : never
/** What happens to tabs on one run. */
export const scheduleOf = (tabCount: number) =>
  fc.record({
    blocks: fc.array(fc.constantFrom<Block>('say', 'ask', 'fail'), { minLength: 1, maxLength: 4 }),
    isOpen: fc.boolean(),
    steps: fc.array(stepsOf(fc.nat(tabCount - 1)), { minLength: 5, maxLength: 45, size: 'max' }),
  })
export const schedule = scheduleOf(2)

export type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never

/** Lives through a schedule with tabs, two unless said otherwise, and says of each part of the law whether it held. */
export async function live(
  { blocks, isOpen, steps }: Schedule,
  options: { tabCount?: number; hasExclusion?: boolean; spoil?: (provider: AnyAgentProvider) => AnyAgentProvider } = {},
) {
  const model = createTabModel(blocks, options)
  model.open(0)
  if (isOpen) model.open(1)
  await model.rest()
  model.browser.deliverAll()
  await model.rest()
  model.act(0, 'start')
  await model.rest()
  let mostWires = 0
  for (const step of steps) {
    take(model, step)
    await model.rest()
    mostWires = Math.max(mostWires, model.server.countOpenWires())
  }
  const isSettled = await model.settle()
  const states = model.pages.map((page) => model.stateOf(page!))
  const { server, intents, lateStarts, replayed } = model
  return {
    states,
    replayed: replayed(),
    law: {
      isSettled,
      isWhole: states.every((state) => isDeepStrictEqual(state, replayed())),
      hasOneWire: mostWires <= 1,
      // What goes again by itself is the resume, or the first request while nothing of the run was seen.
      lateStarts: lateStarts(),
      areCommandsAsked: server.sent.length <= intents(),
      // No button waits for an answer that nobody waits for any more.
      underWay: model.pages.flatMap((page) => model.commandsOf(page!).filter(({ status }) => status === 'submitting')),
    },
    sent: server.sent.length,
    openedBy: new Set(model.opens.map((open) => open.tab)).size,
  }
}

function take(model: ReturnType<typeof createTabModel>, step: Step) {
  const { server, browser } = model
  switch (step.do) {
    case 'deliver':
      return server.deliver(step.count, step.back)
    case 'mail':
      for (let count = 0; count < step.count; count += 1) browser.deliver()
      return undefined
    case 'lose':
    case 'double':
    case 'swap':
      return browser[step.do]()
    case 'garbage':
      return model.babble()
    case 'advance':
      return server.advance()
    case 'answer':
      return server.answer(step.isLost)
    case 'cut':
      return server.cut()
    case 'elsewhere':
      return server.log.length > 0 ? server.decideElsewhere('rejected') : undefined
    case 'timers':
      return model.fireTimers(step.tab)
    case 'act':
      return model.act(step.tab, step.what)
    case 'close':
    case 'kill':
      return model.leave(step.tab, step.do)
    default:
      return model[step.do](step.tab)
  }
}

export const lawful = { isSettled: true, isWhole: true, hasOneWire: true, lateStarts: 0, areCommandsAsked: true, underWay: [] }

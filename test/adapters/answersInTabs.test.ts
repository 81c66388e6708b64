import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { askedIds, gatheringWires } from './gatheringWires.ts'
import { createWire } from './openAI/createWire.ts'
import { openTabs } from './openTabs.ts'

expectSilentConsole()

// Answers that wait for the others of their run are kept by their tab's provider, which no other tab has.

describe.each(gatheringWires)('answers by %s that are gathered', (_name, make, asking, goingOn) => {
  /** Two tabs on a run that asks; of the first answers that are sent nothing comes where they hang. */
  async function ask({ isHanging = false } = {}) {
    const wire = createWire(asking, goingOn)
    const nothing = createGate()
    const fetch: typeof globalThis.fetch = async (target, init) => {
      const response = await wire.fetch(target, init)
      if (isHanging && wire.sent.length === 2) await nothing.pass(init!.signal!)
      return response
    }
    return { ...(await openTabs({ make, fetch })), sent: wire.sent }
  }

  it.each(['kill', 'close'] as const)('are to be given again where their tab is gone, under the same keys: %s', async (way) => {
    const { first, second, rest, sent } = await ask()
    const [a, b] = [first.answer('a'), first.answer('b', 'rejected')]
    await rest()
    expect([a.is, b.is]).toEqual(['taken', 'taken'])
    expect(second.answers()).toEqual({ a: 'succeeded', b: 'succeeded' })
    const keys = second.keys()
    first.leave(way)
    await rest()
    expect(second.answers()).toEqual({ a: 'failed: interrupted', b: 'failed: interrupted' })
    expect(second.connection()).toMatchObject({ state: 'idle' })
    expect(sent).toHaveLength(1)
    for (const [id, decision] of [['a', 'approved'], ['b', 'rejected'], ['c', 'approved']] as const) second.answer(id, decision)
    await rest()
    expect(second.keys().slice(0, 2)).toEqual(keys)
    expect(sent).toHaveLength(2)
    expect(second.decisions()).toEqual(['approved', 'rejected', 'approved'])
    expect(second.state().runs.r1?.status).toBe('completed')
    expect(second.said()).toBe('Done.')
    expect(second.state().issues).toEqual([])
  })

  it('are to be given again where another tab answers as well, and both say so', async () => {
    const { first, second, rest, sent } = await ask()
    first.answer('a')
    await rest()
    const b = second.answer('b')
    await rest()
    expect(b.is).toBe('taken')
    for (const page of [first, second]) expect(page.answers()).toEqual({ a: 'failed: interrupted', b: 'succeeded' })
    for (const id of ['c', 'a']) second.answer(id)
    await rest()
    expect(sent).toHaveLength(2)
    for (const page of [first, second]) {
      expect(page.decisions()).toEqual(askedIds.map(() => 'approved'))
      expect(page.said()).toBe('Done.')
    }
  })

  it('do not come back with their tab, where the person has changed their mind in another one', async () => {
    const { first, second, rest, sent } = await ask()
    first.answer('a', 'approved')
    await rest()
    second.answer('a', 'rejected')
    second.answer('b')
    await rest()
    const c = first.answer('c')
    await rest()
    expect(c.is).toBe('taken')
    expect(first.answers()).toMatchObject({ a: 'failed: interrupted', b: 'failed: interrupted', c: 'succeeded' })
    first.answer('b')
    await rest()
    expect(sent).toHaveLength(1)
    first.answer('a', 'rejected')
    await rest()
    expect(sent).toHaveLength(2)
    for (const page of [first, second]) expect(page.decisions()).toEqual(['rejected', 'approved', 'approved'])
  })

  it('are to be given again when their page comes back from the back/forward cache', async () => {
    const { first, second, rest, sent } = await ask()
    second.leave('close')
    first.answer('a')
    await rest()
    first.tab.freeze()
    first.tab.thaw()
    await rest()
    expect(first.answers()).toEqual({ a: 'failed: interrupted' })
    for (const id of askedIds) first.answer(id)
    await rest()
    expect(sent).toHaveLength(2)
    expect(first.state().runs.r1?.status).toBe('completed')
  })

  it('stay with those that were sent where the person stops the run meanwhile: the last one alone is given again', async () => {
    const { first, second, rest, sent } = await ask({ isHanging: true })
    for (const id of askedIds) first.answer(id)
    await rest()
    first.store.dispatch(first.agent.actions.abortRun({ runId: 'r1' }))
    await rest()
    expect(first.answers()).toEqual({ a: 'succeeded', b: 'succeeded', c: 'failed: interrupted' })
    first.answer('c')
    await rest()
    expect(sent).toHaveLength(3)
    for (const page of [first, second]) expect(page.said()).toBe('Done.')
  })
})

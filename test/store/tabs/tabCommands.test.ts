import { describe, expect, it } from 'vitest'
import { createTabModel } from './createTabModel.ts'

type Model = ReturnType<typeof createTabModel>
interface Told {
  command: object
}

/** Two tabs on a run that asks a person. */
async function openAsked(tabCount = 2) {
  const model = createTabModel(['ask', 'say'], { tabCount })
  const settle = async () => {
    for (let turns = 0; turns < 3; turns += 1) {
      await model.rest()
      model.browser.deliverAll()
      await model.rest()
    }
  }
  model.open(0)
  await settle()
  model.open(1)
  await settle()
  model.act(0, 'start')
  await settle()
  model.server.advance()
  model.server.deliver(10)
  await settle()
  /** Answers all that is asked. */
  const answer = async () => {
    while (model.server.answer()) await settle()
    model.server.deliver(100)
    await settle()
  }
  const commandsOf = (index: number) => {
    const { agent, store } = model.pages[index]!
    return Object.values(agent.selectors.selectCommandStates(store.getState(), 's1'))
  }
  const stored = () => JSON.parse([...model.texts.values()][0]!) as { pendingCommands: { commandId: string }[] }
  return { model, settle, answer, commandsOf, stored }
}

describe('a command of a tab that follows', () => {
  it('is kept in the checkpoint, which the owner writes, until it is answered', async () => {
    const { model, settle, commandsOf, stored } = await openAsked()
    model.act(1, 'decide')
    await settle()
    model.pages[0]!.hide()
    const [sent] = model.server.sent
    expect(commandsOf(0)).toMatchObject([{ status: 'submitting' }])
    expect(stored().pendingCommands).toMatchObject([{ commandId: sent!.commandId }])
    model.server.answer()
    model.server.answer()
    await settle()
    model.pages[0]!.hide()
    expect(stored().pendingCommands).toEqual([])
  })

  it('comes back as interrupted when its tab is reloaded, and is sent again by a person under the same key', async () => {
    const { model, settle, commandsOf } = await openAsked()
    model.act(1, 'decide')
    await settle()
    model.leave(1, 'close')
    await settle()
    model.open(1)
    await settle()
    expect(commandsOf(1)).toMatchObject([{ status: 'failed', error: { code: 'interrupted', retryable: true } }])
    expect(commandsOf(0)).toMatchObject([{ status: 'failed', error: { code: 'interrupted', retryable: true } }])
    expect(model.server.sent).toHaveLength(1)
    model.act(1, 'decide')
    await settle()
    expect(model.server.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      model.server.sent[0]!.idempotencyKey,
      model.server.sent[0]!.idempotencyKey,
    ])
    expect(await model.settle()).toBe(true)
  })

  it('goes on while the tab becomes the owner, as the other one is closed', async () => {
    const { model, settle, commandsOf } = await openAsked()
    model.act(1, 'cancel')
    await settle()
    model.leave(0, 'kill')
    await settle()
    model.server.answer()
    model.server.answer()
    await settle()
    model.server.deliver(100)
    await settle()
    expect(commandsOf(1)).toMatchObject([{ status: 'succeeded' }])
    expect(model.stateOf(model.pages[1]!)).toEqual(model.replayed())
    expect(model.stateOf(model.pages[1]!).runs.r1).toMatchObject({ status: 'cancelled' })
    expect(model.server.sent).toHaveLength(1)
  })
})

describe('a command under way in one tab', () => {
  const decide = (model: Model, index: number, decision: 'approved' | 'rejected') => {
    const { agent, store } = model.pages[index]!
    const { resolveApproval } = agent.actions
    return store.dispatch(resolveApproval({ runId: 'r1', approvalId: 'x1', decision })).unwrap()
  }
  const latestOf = (model: Model, index: number) => {
    const { agent, store } = model.pages[index]!
    const action = { runId: 'r1', type: 'approval.resolve', entityId: 'x1' } as const
    return agent.selectors.selectCommandForAction(store.getState(), action)
  }

  it.each([
    ['the owner', 0],
    ['a follower', 1],
  ])('is under way in the others, which refuse another one, and both show what came of it: %s', async (_who, sender) => {
    const { model, settle, answer, commandsOf } = await openAsked()
    const other = 1 - sender
    const sending = decide(model, sender, 'approved')
    await settle()
    expect(latestOf(model, other)).toMatchObject({ status: 'submitting', command: { payload: { decision: 'approved' } } })
    for (const decision of ['approved', 'rejected'] as const) {
      await expect(decide(model, other, decision)).rejects.toMatchObject({ code: 'already_submitted' })
    }
    expect(model.server.sent).toHaveLength(1)
    await answer()
    await sending
    expect(latestOf(model, other)).toMatchObject({ status: 'succeeded' })
    expect(commandsOf(other)).toEqual(commandsOf(sender).map((state) => ({ ...state, tabId: `tab${sender + 1}` })))
    expect(commandsOf(sender)[0]).not.toHaveProperty('tabId')
  })

  it('that fails has failed in the others, from which the same decision goes under the same key', async () => {
    const { model, settle, answer, commandsOf } = await openAsked()
    const sending = decide(model, 0, 'approved')
    await settle()
    model.server.answer()
    model.server.answer(true)
    await settle()
    await expect(sending).rejects.toMatchObject({ code: 'network' })
    expect(commandsOf(1)).toMatchObject([{ status: 'failed', error: { reason: 'network', retryable: true } }])
    const again = decide(model, 1, 'approved')
    await settle()
    expect(commandsOf(0)).toMatchObject([{ status: 'submitting' }])
    await answer()
    await again
    expect(new Set(model.server.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    for (const index of [0, 1]) expect(commandsOf(index)).toMatchObject([{ status: 'succeeded' }])
  })

  it('is under way in a tab that comes later, and is the owner’s to save', async () => {
    const { model, settle, answer, stored } = await openAsked(3)
    const sending = decide(model, 1, 'approved')
    await settle()
    model.open(2)
    await settle()
    expect(latestOf(model, 2)).toMatchObject({ status: 'submitting' })
    await expect(decide(model, 2, 'rejected')).rejects.toMatchObject({ code: 'already_submitted' })
    model.leave(0, 'kill')
    await settle()
    const owner = model.pages.find((page) => page && !page.agent.selectors.selectIsFollowing(page.store.getState(), 's1'))!
    owner.hide()
    expect(stored().pendingCommands).toHaveLength(1)
    await answer()
    await sending
    expect(latestOf(model, 2)).toMatchObject({ status: 'succeeded' })
  })

  it.each(['kill', 'close', 'freeze'] as const)('is not known any more once its tab has gone: %s', async (way) => {
    const { model, settle, commandsOf } = await openAsked(3)
    model.open(2)
    await settle()
    decide(model, 1, 'approved').catch(() => undefined)
    await settle()
    if (way === 'freeze') model.freeze(1)
    else model.leave(1, way)
    await settle()
    for (const index of [0, 2]) {
      expect(commandsOf(index)).toMatchObject([{ status: 'failed', error: { code: 'interrupted', retryable: true } }])
    }
    decide(model, 2, 'approved').catch(() => undefined)
    await settle()
    expect(new Set(model.server.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(model.server.sent).toHaveLength(2)
  })

  it('is settled by the facts once its tab has gone, where they are there', async () => {
    const { model, settle, commandsOf } = await openAsked()
    decide(model, 1, 'approved').catch(() => undefined)
    await settle()
    model.server.decideElsewhere('approved')
    model.server.deliver(10)
    await settle()
    expect(commandsOf(0)).toMatchObject([{ status: 'submitting' }])
    model.leave(1, 'kill')
    await settle()
    expect(commandsOf(0)).toMatchObject([{ status: 'succeeded' }])
  })

  it('does not hold the others up for ever where its tab hangs, and is what it came to once that wakes', async () => {
    const { model, settle, answer, commandsOf } = await openAsked()
    const sending = decide(model, 1, 'approved')
    await settle()
    model.hang(1)
    expect(model.pages[0]!.fireTimers(60_000)).toBe(1)
    expect(commandsOf(0)).toMatchObject([{ status: 'failed', error: { code: 'interrupted' } }])
    model.thaw(1)
    await answer()
    await sending
    expect(commandsOf(0)).toMatchObject([{ status: 'succeeded' }])
    expect(model.pages[0]!.delays()).not.toContain(60_000)
  })

  it('goes on while its tab sleeps, and is told when that is back', async () => {
    const { model, settle, answer, commandsOf } = await openAsked()
    const sending = decide(model, 1, 'approved')
    await settle()
    model.freeze(1)
    await settle()
    expect(commandsOf(0)).toMatchObject([{ status: 'failed' }])
    model.thaw(1)
    await settle()
    expect(commandsOf(0)).toMatchObject([{ status: 'submitting' }])
    await answer()
    await sending
    for (const index of [0, 1]) expect(commandsOf(index)).toMatchObject([{ status: 'succeeded' }])
  })

  it('given in both tabs at once is one where it is the same, and each learns what became of its own where not', async () => {
    for (const other of ['approved', 'rejected'] as const) {
      const { model, settle, answer } = await openAsked()
      const results = Promise.allSettled([decide(model, 0, 'approved'), decide(model, 1, other)])
      await settle()
      await answer()
      const [first, second] = await results
      expect(first).toMatchObject({ status: 'fulfilled' })
      expect(second).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } })
      expect(latestOf(model, 0)).toMatchObject({ status: 'succeeded' })
      // What the person wanted is a fact, or what stands is told.
      expect(latestOf(model, 1)).toMatchObject({ status: 'failed', error: { decision: 'approved' } })
    }
  })

  it('is not taken from a message that only looks like one, nor are more than persons give', async () => {
    const { model, settle, commandsOf } = await openAsked()
    decide(model, 1, 'approved').catch(() => undefined)
    await settle()
    const told = model.browser.log.map(({ data }) => data as { kind: string; state: Told }).find(({ kind }) => kind === 'command')!
    const { state } = told
    const inject = (change: object) =>
      model.browser.inject('redux-agent:2:agent:session:s1', { ...told, from: 'x', state: { ...state, ...change } })
    const before = commandsOf(0)
    inject({ key: 'another' })
    inject({ status: 'failed' })
    inject({ command: { ...state.command, sessionId: 's2' } })
    inject({ updatedAt: NaN })
    inject({ command: { ...state.command, commandId: 'unknown' }, key: 'unknown', status: 'succeeded' })
    expect(commandsOf(0)).toEqual(before)
    for (let index = 0; index < 500; index += 1) {
      inject({ command: { ...state.command, commandId: `c${index}` }, key: `c${index}`, script: 'x' })
    }
    expect(commandsOf(0)).toHaveLength(100)
    expect(commandsOf(0)[1]).not.toHaveProperty('script')
  })
})

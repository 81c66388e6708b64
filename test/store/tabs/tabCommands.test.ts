import { describe, expect, it } from 'vitest'
import { createTabModel } from './createTabModel.ts'

/** Two tabs on a run that asks a person. */
async function openAsked() {
  const model = createTabModel(['ask', 'say'])
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
  const commandsOf = (index: number) => {
    const { agent, store } = model.pages[index]!
    return Object.values(agent.selectors.selectCommandStates(store.getState(), 's1'))
  }
  const stored = () => JSON.parse([...model.texts.values()][0]!) as { pendingCommands: { commandId: string }[] }
  return { model, settle, commandsOf, stored }
}

describe('a command of a tab that follows', () => {
  it('is kept in the checkpoint, which the owner writes, until it is answered', async () => {
    const { model, settle, commandsOf, stored } = await openAsked()
    model.act(1, 'decide')
    await settle()
    model.pages[0]!.hide()
    const [sent] = model.server.sent
    expect(stored().pendingCommands).toMatchObject([{ commandId: sent!.commandId }])
    // It is the other tab's click.
    expect(commandsOf(0)).toEqual([])
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
    expect(commandsOf(0)).toEqual([])
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

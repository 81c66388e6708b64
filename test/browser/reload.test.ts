import { describe, expect, it } from 'vitest'
import { expectWhole } from './support/expectWhole.ts'
import { stageDemo } from './support/stageDemo.ts'
import { watchStore } from './support/watchStore.ts'

const stage = stageDemo({ tokenDelay: 8 })

const open = async () => {
  const opened = await stage.open({ initScript: watchStore })
  const bodies: { resume?: { runId: string; lastAppliedSeq: number } }[] = []
  opened.page.on('request', (request) => {
    if (request.url().endsWith('/api/agent/stream')) bodies.push(request.postDataJSON())
  })
  return { ...opened, bodies }
}

describe('a page that is reloaded', () => {
  it('goes on in the middle of an answer, by the resume alone, and the answer is there whole, once', async () => {
    const { page, problems, bodies, ui } = await open()
    const rest = stage.model.holdAt({ answer: 2, of: 'text', after: 20 })
    const runId = await ui.ask('Summarize the travel policy')
    await rest.reached
    await ui.answers(/.{40}/).waitFor()
    await page.reload()
    rest.open()
    await expectWhole(page, runId)

    expect(bodies).toHaveLength(2)
    expect(bodies[1]!.resume).toMatchObject({ runId })
    expect(bodies[1]!.resume!.lastAppliedSeq).toBeGreaterThan(0)
    expect(await ui.run.count()).toBe(1)
    expect(problems).toEqual([])
  })

  it('shows a decision that is waited for, which can be taken then', async () => {
    const { page, problems, ui, server } = await open()
    const runId = await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await ui.button('Approve').waitFor()
    await page.clock.install()
    await page.reload()
    await ui.button('Approve').waitFor()
    // What stood there before is not read out, nor a second later, as what was missed is.
    await page.clock.runFor(2000)
    expect(await page.locator('.agent-timeline > [aria-live]').allTextContents()).toEqual([''])
    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    expect((await server.log(runId)).status).toBe('completed')
    expect(await server.document('travel-policy')).toMatchObject({ version: 2 })
    expect(problems).toEqual([])
  })

  it('leaves a run alone that was stopped, until it is continued', async () => {
    const { page, bodies, ui } = await open()
    const rest = stage.model.holdAt({ answer: 2, of: 'text', after: 20 })
    await ui.ask('Summarize the travel policy')
    await ui.reasoning.first().waitFor()
    await ui.button('Stop watching').click()
    await page.reload()
    await ui.button('Continue').waitFor()
    expect(bodies).toHaveLength(1)
    rest.open()
    await ui.button('Continue').click()
    await ui.says('Run completed').waitFor()
    expect(bodies).toHaveLength(2)
  })
})

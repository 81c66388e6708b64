import { describe, expect, it } from 'vitest'
import type { WorkspaceOptions } from './support/openWorkspace.ts'
import { stageDemo } from './support/stageDemo.ts'

const stage = stageDemo({ tokenDelay: 4, page: 'devServer' })

const open = async (options: Partial<WorkspaceOptions> = {}) => {
  const opened = await stage.open(options)
  const question = (words: string) => opened.page.getByRole('group', { name: new RegExp(`^Question for you ${words}`) })
  return { ...opened, question }
}

describe('a question of the assistant', () => {
  it('is answered by keyboard alone, by an option and then in own words, and the change follows from that', async () => {
    const { page, problems, ui, server, question } = await open()
    await page.getByRole('button', { name: 'Ask me which limit to change in the travel policy' }).click()
    const which = question('Which limit in "Travel policy" shall I change')
    await which.waitFor()
    await ui.says('Waiting for your answer').waitFor()
    await which.getByRole('radio').first().focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => which.getByRole('radio', { name: 'Hotels: 160 euros' }).isChecked()).toBe(true)
    // As a form is sent by Enter anywhere else.
    await page.keyboard.press('Enter')
    const instead = question('What shall it be instead')
    await instead.waitFor()
    await page.getByRole('group', { name: /^Question Which limit/ }).getByText('Hotels: 160 euros').waitFor()
    await instead.getByRole('textbox', { name: 'Your answer' }).focus()
    await page.keyboard.type('175')
    await page.keyboard.press('Enter')

    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    expect((await server.document('travel-policy')).content).toContain('175 euros a night')
    expect(problems).toEqual([])
  })

  it('is there again after a reload, and may be declined on a phone', async () => {
    const { page, problems, ui, server, question } = await open({ viewport: { width: 390, height: 844 } })
    await ui.button('Assistant').click()
    await ui.ask('Ask me which limit to change in the travel policy')
    await question('Which limit').waitFor()
    await page.reload()
    await page.getByRole('button', { name: /^Assistant/ }).click()
    await question('Which limit').getByRole('radio', { name: 'In my own words' }).click()
    const field = question('Which limit').getByRole('textbox', { name: 'Your answer' })
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    await ui.button('Decline').click()
    await ui.answers('Nothing was changed').waitFor()
    await page.getByText('Declined', { exact: true }).waitFor()
    expect((await server.document('travel-policy')).version).toBe(1)
    expect(problems).toEqual([])
  })
})

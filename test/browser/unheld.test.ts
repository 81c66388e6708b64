import { expect, it } from 'vitest'
import { stageDemo } from './support/stageDemo.ts'

const stage = stageDemo({ tokenDelay: 4 })

it('a run that the server has at work and this page holds nothing of is said to be at the server, in no window', async () => {
  // As after a removal: each visit finds an empty storage.
  const forget = () => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('redux-agent:')) localStorage.removeItem(key)
  }
  const { page, problems, ui } = await stage.open({ initScript: [forget] })
  await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
  await ui.button('Approve').waitFor()
  await page.reload()
  await page.getByText('At work at the server. This page does not follow it.').waitFor()
  expect(await ui.button('Approve').count()).toBe(0)
  await page.getByRole('link', { name: 'Watch in a window' }).waitFor()
  expect(problems).toEqual([])
})

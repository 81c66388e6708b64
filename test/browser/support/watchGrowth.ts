import type { Page } from 'playwright-core'

/** Notes, from now on, each length that the text of the last element of a selector has had on the page. */
export const watchGrowth = async (page: Page, selectors: readonly string[]) => {
  const handle = await page.evaluateHandle((watched) => {
    const lengths = watched.map(() => new Set<number>())
    const look = () =>
      watched.forEach((selector, index) => {
        const text = [...document.querySelectorAll(selector)].at(-1)?.textContent
        if (text) lengths[index]?.add(text.length)
      })
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    return lengths
  }, selectors)
  return { countLengths: () => handle.evaluate((lengths) => lengths.map((seen) => seen.size)) }
}

import type { Page } from 'playwright-core'

/** Notes, from now on, each text that an element of the page has had, in their order. */
export const noteTexts = async (page: Page, selector: string) => {
  const handle = await page.evaluateHandle((watched) => {
    const texts: string[] = []
    const look = () => {
      const text = document.querySelector(watched)?.textContent ?? ''
      if (text !== texts.at(-1)) texts.push(text)
    }
    look()
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    return texts
  }, selector)
  return { read: () => handle.jsonValue() }
}

import type { Browser } from 'playwright-core'

interface Pictures {
  readonly browser: Browser
  /** PNG files. */
  readonly before: Buffer
  readonly after: Buffer
}

/**
 * Counts the pixels that an eye could tell apart; pictures of different sizes differ in all.
 * Chromium draws a rounded corner anew with colours that are one step of 255 off, so bytes are not compared.
 */
export const countChangedPixels = async ({ browser, before, after }: Pictures): Promise<number> => {
  // A page of its own: the policy of the tested page need not allow this.
  const page = await browser.newPage()
  try {
    return await page.evaluate(
      async (files) => {
        const read = async (base64: string) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
          const bitmap = await createImageBitmap(new Blob([bytes]))
          const { width, height } = bitmap
          const canvas = new OffscreenCanvas(width, height).getContext('2d')!
          canvas.drawImage(bitmap, 0, 0)
          return canvas.getImageData(0, 0, width, height)
        }
        const [one, other] = await Promise.all(files.map(read))
        if (one!.width !== other!.width || one!.height !== other!.height) return one!.width * one!.height
        const changed = new Set<number>()
        one!.data.forEach((value, index) => {
          if (Math.abs(value - other!.data[index]!) > 4) changed.add(index >> 2)
        })
        return changed.size
      },
      [before.toString('base64'), after.toString('base64')],
    )
  } finally {
    await page.close()
  }
}

import type { Locator } from 'playwright-core'

/** Waits until nothing of the conversation has moved or changed its size for as long as the page tells a scroll ended. */
export const waitForRest = async (view: Locator): Promise<void> => {
  await view.evaluate(
    (box) =>
      new Promise<void>((resolve) => {
        let before = ''
        let frames = 0
        const look = () => {
          const now = `${box.scrollTop} ${box.scrollHeight} ${box.querySelectorAll('.agent-row').length}`
          frames = now === before ? frames + 1 : 0
          before = now
          if (frames > 10) resolve()
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
}

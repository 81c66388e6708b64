import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import type { Demo } from '../../../demo/startDemo.ts'
import { launchBrowser } from '../../support/browser.ts'
import { startDemo } from '../../support/demo.ts'
import { startModel, type TestModel } from '../../support/startModel.ts'
import { assistant } from './assistant.ts'
import { openWorkspace, type WorkspaceOptions } from './openWorkspace.ts'
import { serverOf } from './serverOf.ts'

interface StageOptions {
  /** What the model waits before each token, in milliseconds; what shall not be overtaken is held, by `model.holdAt`. */
  readonly tokenDelay: number
  /**
   * Built with the checks that React and Redux Toolkit make in development (the default), built as for people, or made
   * by the development server, which compiles each file when it is asked for: that takes seconds a test.
   */
  readonly page?: 'development' | 'production' | 'devServer'
  readonly hasPageCache?: boolean
}

/** Starts the demo and a browser for the tests of the file that calls it, and ends both after them. */
export const stageDemo = ({ tokenDelay, page = 'development', hasPageCache = false }: StageOptions) => {
  let model: TestModel | undefined
  let demo: Demo | undefined
  let browser: Browser | undefined

  beforeAll(async () => {
    model = await startModel({ tokenDelay })
    const served = page === 'devServer' ? {} : { pageFolder: inject('pageFolders')[page] }
    demo = await startDemo({ ...served, serverEnv: model.serverEnv })
    browser = await launchBrowser({ hasPageCache })
  })

  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
    model?.stop()
  })

  return {
    get model() {
      return model!
    },
    get demo() {
      return demo!
    },
    get browser() {
      return browser!
    },
    /** Opens the page at a document as a new person, until the test has finished. */
    async open(options: Partial<WorkspaceOptions> = {}) {
      const url = `${demo!.url}/#/documents/travel-policy`
      const { page, problems, close } = await openWorkspace({ browser: browser!, url, ...options })
      onTestFinished(close)
      return { page, problems, ui: assistant(page), server: serverOf(page) }
    },
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Demo, type DemoOptions, startDemo as startDemoServers } from '../../demo/startDemo.ts'

/** Starts the demo as `npm run demo` does, but on free ports, with data of its own and without a model's key. */
export const startDemo = async (options: DemoOptions = {}): Promise<Demo> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'redux-agent-demo-'))
  const removeData = (): Promise<void> => rm(dataFolder, { recursive: true, force: true })
  try {
    const demo = await startDemoServers({
      webPort: 0,
      serverPort: 0,
      ...options,
      serverEnv: { DATA_DIR: dataFolder, OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ...options.serverEnv },
    })
    const stop = async (): Promise<void> => {
      await demo.stop()
      await removeData()
    }
    return { ...demo, stop }
  } catch (error) {
    await removeData()
    throw error
  }
}

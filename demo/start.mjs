// `npm run demo`: installs what is missing, starts the run server and the page, and prints where the page is.
import { parseArgs } from 'node:util'
import { ensureInstalled } from './ensureInstalled.mjs'

try {
  const webPort = readPort()
  ensureInstalled()
  const { register } = await import('tsx/esm/api')
  register()
  const { startDemo } = await import('./startDemo.ts')
  await run(startDemo, webPort === undefined ? {} : { webPort })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** @returns {number | undefined} */
function readPort() {
  const { values } = parseArgs({ options: { port: { type: 'string' } } })
  if (values.port === undefined) return undefined
  const port = Number(values.port)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new Error(`--port is "${values.port}", which is no port: give a number from 0 to 65535.`)
}

/**
 * @param {typeof import('./startDemo.ts').startDemo} startDemo
 * @param {import('./startDemo.ts').DemoOptions} options
 */
async function run(startDemo, options) {
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve(undefined))
  })
  const demo = await startDemo({ ...options, verbose: true })
  const model = process.env.OPENAI_API_KEY ? 'the model that MODEL names' : 'a local model (no OPENAI_API_KEY is set)'
  console.log(`\n  redux-agent demo: ${demo.url}\n  run server: ${demo.serverUrl}, with ${model}\n  Ctrl-C stops both.\n`)
  const ended = await Promise.race([demo.ended, interrupted])
  await demo.stop()
  if (ended === undefined) return
  const why = 'What it printed above may say why; a signal came from outside, such as SIGKILL where memory ran out.'
  throw new Error(`${ended}, so the demo stopped. ${why} Nothing is lost: run \`npm run demo\` again to go on.`)
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { runAgentProvider, type AgentEvent, type AgentProvider } from 'redux-agent'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { root } from '../support/root.ts'
import { readCodeBlocks } from './readCodeBlocks.ts'

type EchoProvider = AgentProvider<string, string, string>

async function loadExample(): Promise<EchoProvider> {
  const blocks = readCodeBlocks('README.md', readFileSync(join(root, 'README.md'), 'utf8'))
  const code = blocks.find((block) => block.code.startsWith('// file: echoProvider.ts'))?.code ?? ''
  const { outputFiles } = await build({
    stdin: { contents: code, loader: 'ts', resolveDir: root },
    alias: { 'redux-agent': join(root, 'store/index.ts') },
    bundle: true,
    format: 'esm',
    write: false,
  })
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`
  const module = (await import(/* @vite-ignore */ url)) as { echoProvider: EchoProvider }
  return module.echoProvider
}

describe('the provider of the README', () => {
  it('runs as it stands there and keeps the contract', async () => {
    const provider = await loadExample()
    const events: AgentEvent[] = []
    await runAgentProvider({
      provider,
      input: 'Hello there',
      run: { sessionId: 'c1', runId: 'r1' },
      onEvent: (event) => events.push(event),
    })
    const text = events.map((event) => (event.type === 'message.delta' ? event.payload.delta : '')).join('')
    expect(text).toBe('You said: Hello there')
    expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  })
})

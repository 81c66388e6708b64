import { createMemoryAgentCheckpointStorage, type AnyAgentProvider } from 'redux-agent'
import { createPage } from '../store/createPage.ts'
import { createBrowser } from '../store/tabs/createBrowser.ts'

/** What became of an answer, as far as that is known. */
export interface Outcome {
  is: 'open' | 'taken' | string
}

/**
 * Two tabs of one browser, with a storage, each with a provider and a network of its own, which ends with its tab; the
 * first one has a run `r1`.
 */
export async function openTabs(options: {
  make: (fetch: typeof globalThis.fetch) => AnyAgentProvider
  fetch: typeof globalThis.fetch
}) {
  const browser = createBrowser()
  const checkpointStorage = createMemoryAgentCheckpointStorage()

  function open(name: string) {
    const gone = new AbortController()
    const { environment, ...tab } = browser.createTab()
    const fetch: typeof globalThis.fetch = (target, init) =>
      options.fetch(target, { ...init, signal: AbortSignal.any([gone.signal, ...(init?.signal ? [init.signal] : [])]) })
    const provider = options.make(fetch)
    const ids = [name, `${name}1`, `${name}2`, `${name}3`, `${name}4`, `${name}5`]
    const page = createPage({ fetch, storage: checkpointStorage, ids, environment, runtime: { providers: [provider] } })
    const { actions } = page.agent
    page.open().catch(() => undefined)
    return {
      ...page,
      provider,
      tab,
      leave(way: 'close' | 'kill') {
        tab[way]()
        gone.abort()
      },
      answer(approvalId: string, decision: 'approved' | 'rejected' = 'approved'): Outcome {
        const outcome: Outcome = { is: 'open' }
        page.store
          .dispatch(actions.resolveApproval({ runId: 'r1', approvalId, decision }))
          .unwrap()
          .then(() => (outcome.is = 'taken'), (error: { code: string }) => (outcome.is = error.code))
        return outcome
      },
      /** What is shown of each answer that was given. */
      answers: () =>
        Object.fromEntries(
          page.commands().map(({ command, status, error }) => [
            (command.payload as { approvalId: string }).approvalId,
            error ? `${status}: ${error.reason ?? error.code}` : status,
          ]),
        ),
      keys: () => page.commands().map(({ command }) => command.idempotencyKey),
      decisions: () => Object.values(page.state().approvals).map(({ decision }) => decision),
      said: () =>
        Object.values(page.state().messages)
          .filter(({ role }) => role === 'assistant')
          .map(({ content }) => content)
          .join(''),
    }
  }

  const first = open('a')
  await first.rest()
  const second = open('b')
  async function rest() {
    for (let turns = 0; turns < 4; turns += 1) {
      await first.rest(4)
      await second.rest(4)
    }
  }
  await rest()
  const { actions } = first.agent
  const task = first.store.dispatch(
    actions.startRun({ sessionId: 's1', runId: 'r1', provider: first.provider, input: { message: 'Go' } }),
  )
  void task.unwrap().catch(() => undefined)
  await rest()
  return { first, second, rest }
}

import type { Page } from 'playwright-core'
import type { AgentRootState, AgentSlice } from 'redux-agent'

interface Store {
  readonly dispatch: (action: object) => unknown
  readonly getState: () => AgentRootState<'agent'>
  readonly subscribe: (listener: () => void) => unknown
  /** The store of Redux DevTools, where they are there. */
  readonly liftedStore?: {
    readonly dispatch: (action: object) => unknown
    readonly getState: () => { readonly computedStates: readonly { readonly state: AgentRootState<'agent'> }[] }
  }
}
type CreateStore = (...given: unknown[]) => Store
type Enhancer = (createStore: CreateStore) => CreateStore

interface Watched {
  /** The agent's slice as it was when a run had ended, by the run: the page may let go of a run after that. */
  readonly endings: Readonly<Record<string, AgentSlice>>
  /** The last sequence that the state has of a run that goes on, also where Redux DevTools show the past. */
  readonly sequenceOf: (runId: string) => number | undefined
  /** Gives Redux DevTools an action, where they are there. */
  readonly devTools: (action: object) => void
}

declare global {
  interface Window {
    watched: Watched
    instrument?: () => Enhancer
  }
}

/** Stands in the place of the browser's Redux DevTools, and notes in `window.watched` how each run ended. */
export const watchStore = () => {
  const endings: Record<string, AgentSlice> = {}
  const note = ({ agent }: AgentRootState<'agent'>) => {
    for (const { settled } of Object.values(agent.agentState.sessions)) {
      for (const runId of Object.keys(settled.runs)) endings[runId] ??= agent
    }
  }
  let store: Store
  const getNewest = () => store.liftedStore?.getState().computedStates.at(-1)?.state ?? store.getState()
  const sequenceOf = (runId: string) =>
    Object.values(getNewest().agent.agentState.sessions)
      .map(({ active }) => active.lastSequenceByRun[runId])
      .find((sequence) => sequence !== undefined)
  const compose =
    () =>
    (...enhancers: Enhancer[]): Enhancer =>
    (createStore) => {
      const all = window.instrument ? [...enhancers, window.instrument()] : enhancers
      const create = all.reduceRight((made, enhance) => enhance(made), createStore)
      return (...given) => {
        store = create(...given)
        store.subscribe(() => note(store.getState()))
        return store
      }
    }
  const watched: Watched = { endings, sequenceOf, devTools: (action) => void store.liftedStore?.dispatch(action) }
  Object.assign(window, { watched, __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose })
}

/** Waits until a run has ended in the page's state, and gives the agent's slice as it was then. */
export const waitForEnding = async (page: Page, runId: string): Promise<AgentSlice> => {
  const ending = await page.waitForFunction((id) => window.watched.endings[id], runId)
  return (await ending.jsonValue())!
}

type Enhancer = (createStore: CreateStore) => CreateStore
type CreateStore = (...given: unknown[]) => { dispatch: (action: object) => unknown }
interface DevToolsOptions {
  readonly actionSanitizer: (action: object, id: number) => { readonly type: string }
}

/** Stands in for the browser's Redux DevTools and keeps, in `window.names`, what they would call each action. */
export const watchAsDevTools = () => {
  const names: string[] = []
  const compose =
    ({ actionSanitizer }: DevToolsOptions) =>
    (...enhancers: Enhancer[]): Enhancer =>
    (createStore) => {
      const createWatched: CreateStore = (...given) => {
        const store = createStore(...given)
        const dispatch = (action: object) => {
          names.push(actionSanitizer(action, names.length).type)
          return store.dispatch(action)
        }
        return { ...store, dispatch }
      }
      return enhancers.reduceRight((made, enhance) => enhance(made), createWatched)
    }
  Object.assign(window, { names, __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose })
}

interface Node<Value> {
  readonly next: WeakMap<object, Node<Value>>
  readonly values: Map<string, { readonly value: Value }>
}

const createNode = <Value>(): Node<Value> => ({ next: new WeakMap(), values: new Map() })

/**
 * Remembers what a computation gave for the same records and the same key, as long as the records live. The records
 * are the parts of a state that it reads, so that a change elsewhere leaves its value as it is.
 */
export function memoizeByRecords<State, Options, Value>(options: {
  records: (state: State) => readonly object[]
  key: (options: Options) => string
  compute: (state: State, options: Options) => Value
}): (state: State, options: Options) => Value {
  const root = createNode<Value>()
  return (state, given) => {
    let node = root
    for (const record of options.records(state)) {
      let next = node.next.get(record)
      if (!next) {
        next = createNode()
        node.next.set(record, next)
      }
      node = next
    }
    const key = options.key(given)
    const found = node.values.get(key)
    if (found) return found.value
    const value = options.compute(state, given)
    node.values.set(key, { value })
    return value
  }
}

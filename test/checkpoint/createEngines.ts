/** A synchronous engine in memory that counts what is written, and fails when told to. */
export function createSyncEngine() {
  const texts = new Map<string, string>()
  const writes: { key: string; size: number }[] = []
  const engine = {
    texts,
    writes,
    fault: undefined as Error | undefined,
    readFault: undefined as Error | undefined,
    getItem(key: string): string | null {
      if (engine.readFault) throw engine.readFault
      return texts.get(key) ?? null
    },
    setItem(key: string, value: string): void {
      if (engine.fault) throw engine.fault
      writes.push({ key, size: value.length })
      texts.set(key, value)
    },
    removeItem(key: string): void {
      if (engine.fault) throw engine.fault
      texts.delete(key)
    },
  }
  return engine
}

/** An asynchronous engine whose writes end when the test says so. */
export function createSlowEngine() {
  const texts = new Map<string, string>()
  const underWay: { key: string; value: string; end: (error?: Error) => void }[] = []
  let highest = 0
  return {
    texts,
    underWay,
    /** The most writes that were under way at once. */
    highest: () => highest,
    getItem: (key: string) => Promise.resolve(texts.get(key) ?? null),
    setItem: (key: string, value: string) =>
      new Promise<void>((resolve, reject) => {
        const write = {
          key,
          value,
          end(error?: Error) {
            underWay.splice(underWay.indexOf(write), 1)
            if (error) return reject(error)
            texts.set(key, value)
            resolve()
          },
        }
        underWay.push(write)
        highest = Math.max(highest, underWay.length)
      }),
    removeItem: (key: string) => Promise.resolve(void texts.delete(key)),
  }
}

export const quotaError = () => new DOMException('Full.', 'QuotaExceededError')
export const securityError = () => new DOMException('Blocked.', 'SecurityError')

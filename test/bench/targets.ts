/** A figure to reach. */
export interface Target {
  most: number
  unit: string
}

/** What the project set out to reach, in production unless said otherwise. */
export const targets = {
  replay: { most: 4, unit: '×' },
  replayGrowth: { most: 1.3, unit: '×' },
  store: { most: 2, unit: 'µs' },
  storeGrowth: { most: 1.5, unit: '×' },
  settled: { most: 1.5, unit: '×' },
  development: { most: 60, unit: 'µs' },
  single: { most: 12, unit: 'µs' },
  singleGrowth: { most: 1.5, unit: '×' },
  bytes: { most: 2.5, unit: '×' },
  actions: { most: 5, unit: 'MB' },
  saving: { most: 5, unit: '%' },
  writes: { most: 1, unit: '' },
  react: { most: 4, unit: 'µs' },
  otherRenders: { most: 0, unit: '' },
  commits: { most: 1, unit: '' },
} as const satisfies Record<string, Target>

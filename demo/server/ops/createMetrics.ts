import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RunTaking } from '../runs/runObserver.ts'
import type { RunStatus, ToolCallStatus } from '../store/rows.ts'

const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** What one server counts. No label holds an id or a name that comes from outside: their number would have no bound. */
export interface Metrics {
  runs: Gauge<'state'>
  runsTaken: Counter<'taking'>
  runsEnded: Counter<'state'>
  runsInterrupted: Counter
  leasesLost: Counter
  eventsStored: Counter
  toolCallsEnded: Counter<'status'>
  toolRetries: Counter
  followers: Gauge
  followerLatency: Histogram
  storeLatency: Histogram<'operation'>
  storeFailures: Counter<'operation'>
  failures: Counter
  requests: Counter<'method' | 'status'>
  refusals: Counter<'reason'>
  /** Everything in the text format of Prometheus. */
  print(): Promise<string>
  readonly contentType: string
}

/** Makes the metrics of one server; `withProcess` adds those of Node: memory, event loop, garbage collection. */
export function createMetrics({ withProcess = false } = {}): Metrics {
  const registry = new Registry()
  if (withProcess) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const count = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter<Label>({ name: `redux_agent_${name}_total`, help, labelNames, registers })
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name: `redux_agent_${name}`, help, labelNames, registers })
  const time = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Histogram<Label>({ name: `redux_agent_${name}_seconds`, help, labelNames, buckets: latencies, registers })
  const metrics = {
    runs: gauge('runs', 'Runs in the store by state.', ['state']),
    runsTaken: count('runs_taken', 'How often work on a run began here.', ['taking']),
    runsEnded: count('runs_ended', 'Runs that this node stored the end of.', ['state']),
    runsInterrupted: count('runs_interrupted', 'Runs that were left to be taken up again.'),
    leasesLost: count('leases_lost', 'Runs that another node has taken over from this one.'),
    eventsStored: count('events_stored', 'Events that this node has stored.'),
    toolCallsEnded: count('tool_calls_ended', 'Tool calls by what became of them.', ['status']),
    toolRetries: count('tool_retries', 'Tool calls that are another attempt of one that failed.'),
    followers: gauge('followers', 'Open streams.'),
    followerLatency: time('append_to_follower', 'From an event that is appended to its frame for a live follower.'),
    storeLatency: time('store', 'Transactions and reads, waiting for their turn included.', ['operation']),
    storeFailures: count('store_failures', 'Transactions and reads that failed by the store.', ['operation']),
    failures: count('failures', 'Errors that nobody foresaw.'),
    requests: count('http_requests', 'Requests that were answered.', ['method', 'status']),
    refusals: count('http_refusals', 'Requests that a limit has refused.', ['reason']),
  }
  // A series that begins at its first event shows no rise to it.
  for (const taking of takings) metrics.runsTaken.inc({ taking }, 0)
  for (const state of ['completed', 'failed', 'cancelled'] satisfies RunStatus[]) metrics.runsEnded.inc({ state }, 0)
  for (const status of ['succeeded', 'failed', 'unknown'] satisfies ToolCallStatus[]) {
    metrics.toolCallsEnded.inc({ status }, 0)
  }
  return { ...metrics, print: () => registry.metrics(), contentType: registry.contentType }
}

const takings: readonly RunTaking[] = ['started', 'resumed', 'recovered']

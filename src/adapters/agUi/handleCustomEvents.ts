import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { AgUiHandlers } from './agUiHandlers.ts'
import type { AgUiScope } from './agUiScope.ts'
import type { WireRun } from './createWireRun.ts'

/** What is done with what a runtime sends under a name of its own: LangGraph's question, and what the app makes of the rest. */
export function handleCustomEvents(
  { options, push }: AgUiScope,
  { askLegacy }: WireRun,
  create: AgentEventFactory['create'],
): AgUiHandlers<'CUSTOM' | 'RAW'> {
  function take(event: { type: 'CUSTOM' | 'RAW'; name: string; value: unknown }) {
    for (const made of options.mapCustom?.(event, create) ?? []) push(made)
  }

  return {
    CUSTOM({ type, name, value }) {
      if (name === 'on_interrupt') askLegacy(value ?? null)
      else take({ type, name, value })
    },
    RAW: ({ type, source, event }) => take({ type, name: source ?? '', value: event }),
  }
}

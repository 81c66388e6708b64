import type { AgentStateSlice } from '../agentState/agentStateSlice.ts'
import type { CommandStatesSlice } from '../commandStates/createCommandStatesReducer.ts'
import type { ConnectionSlice } from '../connection/createConnectionReducer.ts'

/** What stands under the runtime's path in the app's state. */
export interface AgentSlice {
  readonly agentState: AgentStateSlice
  readonly commandStates: CommandStatesSlice
  readonly connection: ConnectionSlice
}

/** An app's root state that holds a runtime's slice. */
export type AgentRootState<Path extends string> = { readonly [Key in Path]: AgentSlice }

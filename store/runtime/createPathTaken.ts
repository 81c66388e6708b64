import { AgentRuntimeError } from '../agentRuntimeError.ts'

/** Makes the error of a `reducerPath` at which something else stands. */
export function createPathTaken(reducerPath: string): AgentRuntimeError {
  const message = `The path "${reducerPath}" is taken by another reducer. Give createAgentRuntime another reducerPath.`
  return new AgentRuntimeError('path_taken', message)
}

import { stateMessageInfos } from './stateMessageInfos.ts'

/** Says whether a message is a state's own object. */
export function isStateMessage(message: object): boolean {
  return stateMessageInfos.has(message)
}

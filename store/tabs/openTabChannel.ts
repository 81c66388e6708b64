import type { AgentTabChannel } from './agentTabs.ts'
import type { TabMessage } from './tabMessage.ts'

/** A channel to the other tabs, none of whose calls throws. */
export interface TabChannel {
  /** Says something to the other tabs; whether it went off. */
  post(message: TabMessage): boolean
  close(): void
}

/** Opens a channel; gives nothing where the host does not let this page have one. */
export function openTabChannel(options: {
  createChannel: (name: string) => AgentTabChannel
  name: string
  onMessage?: (data: unknown) => void
}): TabChannel | undefined {
  const { createChannel, name, onMessage } = options
  let channel: AgentTabChannel
  try {
    channel = createChannel(name)
    if (onMessage) channel.onmessage = ({ data }) => onMessage(data)
  } catch {
    return undefined
  }
  return {
    post(message) {
      try {
        // A channel is of one origin, and takes none.
        // eslint-disable-next-line unicorn/require-post-message-target-origin
        channel.postMessage(message)
        return true
      } catch {
        // What cannot be copied, or a channel that the host closed.
        return false
      }
    },
    close() {
      try {
        channel.close()
      } catch {
        // It is of no use any more in any case.
      }
    },
  }
}

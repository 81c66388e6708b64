import type { AgentTool } from './agentTool.ts'
import { askUser } from './askUser.ts'
import { createPublishDocument } from './createPublishDocument.ts'
import type { PublishingService } from './createPublishingService.ts'
import { documentRead } from './documentRead.ts'
import { documentSearch } from './documentSearch.ts'
import { documentUpdate } from './documentUpdate.ts'
import { documentWrite } from './documentWrite.ts'
import { mcpCall } from './mcpCall.ts'
import { memoryWrite } from './memoryWrite.ts'

/** All tools of the demo, by name, and `more`. */
export function createTools(options: {
  publishing: PublishingService
  more?: readonly AgentTool[]
}): ReadonlyMap<string, AgentTool> {
  const tools = [
    documentSearch,
    documentRead,
    documentWrite,
    documentUpdate,
    memoryWrite,
    askUser,
    mcpCall,
    createPublishDocument(options.publishing),
    ...(options.more ?? []),
  ]
  return new Map(tools.map((tool) => [tool.name, tool]))
}

import type { AgentTool } from './agentTool.ts'
import { createPublishDocument } from './createPublishDocument.ts'
import type { PublishingService } from './createPublishingService.ts'
import { documentRead } from './documentRead.ts'
import { documentSearch } from './documentSearch.ts'
import { documentUpdate } from './documentUpdate.ts'
import { documentWrite } from './documentWrite.ts'
import { memoryWrite } from './memoryWrite.ts'

/** All tools of the demo, by name. */
export function createTools(options: { publishing: PublishingService }): ReadonlyMap<string, AgentTool> {
  const tools = [
    documentSearch,
    documentRead,
    documentWrite,
    documentUpdate,
    memoryWrite,
    createPublishDocument(options.publishing),
  ]
  return new Map(tools.map((tool) => [tool.name, tool]))
}

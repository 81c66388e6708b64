import type { AgentError } from '../../protocol/agentError.ts'
import { toMeta, type AiSdkMeta } from './aiSdkMeta.ts'
import type { AiSdkRun, AiSdkTool } from './aiSdkRun.ts'
import type { UIMessageChunkOf } from './uiMessageChunk.ts'

type ToolChunk = UIMessageChunkOf<'tool-input-start' | 'tool-input-available' | 'tool-input-error'>
type ResultChunk = UIMessageChunkOf<'tool-output-available' | 'tool-output-error'>

/** Begins a tool call whose arguments follow. */
export function startTool(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-input-start'>): void {
  const known = findOpen(run, chunk.toolCallId)
  const encoding = { inputEncoding: chunk.inputEncoding ?? undefined }
  if (!known) return void requestTool(run, chunk, { ...encoding, state: 'input-streaming' })
  // The call is told of twice; the wire's own client goes on with the one that it has.
  known.meta = { ...known.meta, ...readCall(chunk), ...encoding }
}

export function addArguments(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-input-delta'>): void {
  const tool = findOpen(run, chunk.toolCallId)
  // Of a call that nobody began not even the name is known: its arguments come whole, with the name, later.
  if (!tool || tool.meta.state !== 'input-streaming') return
  tool.text += chunk.inputTextDelta
  run.emit('tool.arguments_delta', { toolCallId: tool.id, delta: chunk.inputTextDelta })
}

/** Takes the whole arguments; whether the call runs, is asked about or is the client's, the next chunks say. */
export function completeArguments(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-input-available'>): void {
  const tool = giveInput(run, chunk, 'input-available')
  if (!tool) return
  if (tool.meta.providerExecuted === true) run.emit('tool.running', { toolCallId: tool.id })
  // Some servers ask before they give the arguments.
  else if (!isAsked(run, tool)) run.undecided.add(tool)
}

const isAsked = (run: AiSdkRun, tool: AiSdkTool) => [...run.questions.values()].some((question) => question.tool === tool)

/** Takes arguments that the server refused. */
export function refuseArguments(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-input-error'>): void {
  const tool = giveInput(run, chunk, 'output-error')
  if (!tool) return
  failTool(run, tool, { errorText: chunk.errorText, code: 'invalid_arguments' })
}

/** Takes a call's result; a preliminary one is an artifact of the call until the real one comes. */
export function takeResult(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-output-available'>): void {
  const tool = findOpen(run, chunk.toolCallId) ?? requestUnknown(run, chunk.toolCallId)
  if (!tool) return
  grant(run, tool, true)
  readResult(tool, chunk)
  if (chunk.preliminary) return showPreliminary(run, tool, chunk.output)
  const meta = setState(tool, 'output-available')
  finishPreliminary(run, tool)
  over(run, tool)
  run.emit('tool.completed', { toolCallId: tool.id, ...(chunk.output !== undefined && { result: chunk.output }) }, meta)
}

export function takeFailure(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-output-error'>): void {
  const tool = findOpen(run, chunk.toolCallId) ?? requestUnknown(run, chunk.toolCallId)
  if (!tool) return
  grant(run, tool, true)
  readResult(tool, chunk)
  failTool(run, tool, { errorText: chunk.errorText, code: 'tool_error' })
}

/** A denied call is a rejected approval and a cancelled call. */
export function takeDenial(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-output-denied'>): void {
  const tool = findOpen(run, chunk.toolCallId) ?? requestUnknown(run, chunk.toolCallId)
  if (!tool) return
  grant(run, tool, false)
  const meta = setState(tool, 'output-denied')
  over(run, tool)
  run.emit('tool.cancelled', { toolCallId: tool.id, reason: 'denied' }, meta)
}

/** Fails a call with the server's words, which the next request repeats. */
export function failTool(run: AiSdkRun, tool: AiSdkTool, failure: { errorText: string; code: string }): void {
  const { errorText, code } = failure
  if (errorText === '') tool.meta = { ...tool.meta, errorText }
  const meta = setState(tool, 'output-error')
  const error: AgentError = { message: errorText || 'The tool failed.', code }
  finishPreliminary(run, tool)
  over(run, tool)
  run.emit('tool.failed', { toolCallId: tool.id, error }, meta)
}

/** Lets what follows say of calls whose arguments are there that nobody is asked: they run. */
export function decideRunning(run: AiSdkRun): void {
  for (const tool of run.undecided) run.emit('tool.running', { toolCallId: tool.id })
  run.undecided.clear()
}

/** Finds a call by the wire's id, or makes one of what little is known: a result must not be lost for its call. */
export function findTool(run: AiSdkRun, toolCallId: string): AiSdkTool | undefined {
  return findOpen(run, toolCallId) ?? requestUnknown(run, toolCallId)
}

export function over(run: AiSdkRun, tool: AiSdkTool): void {
  tool.isOver = true
  run.undecided.delete(tool)
}

export function setState(tool: AiSdkTool, state: string): { meta: { aiSdk: AiSdkMeta } } {
  tool.meta = { ...tool.meta, state }
  return { meta: toMeta(tool.meta) }
}

function findOpen(run: AiSdkRun, toolCallId: string): AiSdkTool | undefined {
  const tool = run.tools.get(toolCallId)
  return tool && !tool.isOver ? tool : undefined
}

/** What is over stands; a call of which nothing was ever heard gets an entity all the same. */
function requestUnknown(run: AiSdkRun, toolCallId: string): AiSdkTool | undefined {
  if (run.tools.has(toolCallId)) return undefined
  return requestTool(run, { toolCallId, toolName: 'tool' }, { state: 'input-available' })
}

function requestTool(
  run: AiSdkRun,
  chunk: Pick<ToolChunk, 'toolCallId' | 'toolName'> & Partial<ToolChunk>,
  stated: AiSdkMeta,
  text = '',
): AiSdkTool {
  const { toolCallId, toolName: name } = chunk
  const id = run.claim('tool', toolCallId)
  const meta = { ...run.place(), ...readCall(chunk), ...stated, ...(id !== toolCallId && { toolCallId }) }
  const tool: AiSdkTool = { id, name, text, isOver: false, isDenied: false, meta }
  run.tools.set(toolCallId, tool)
  run.emit('tool.requested', { toolCallId: id, name, ...(text !== '' && { arguments: text }) }, { meta: toMeta(meta) })
  return tool
}

/** Puts the whole input where the text that streamed is not just that: in its place, or beside it. */
function giveInput(
  run: AiSdkRun,
  chunk: UIMessageChunkOf<'tool-input-available' | 'tool-input-error'>,
  state: string,
): AiSdkTool | undefined {
  const { toolCallId, toolName, input } = chunk
  const text = input === undefined ? '' : JSON.stringify(input)
  const known = findOpen(run, toolCallId)
  if (!known) return requestTool(run, chunk, { state }, text)
  // Told again after its result's beginnings, or its approval: nothing is new.
  if (known.meta.state !== 'input-streaming') return undefined
  const isFirst = known.text === ''
  const { inputEncoding: _, ...meta }: AiSdkMeta = { ...known.meta, ...readCall(chunk), state }
  known.meta = {
    ...meta,
    dynamic: chunk.dynamic ?? undefined,
    ...(toolName !== known.name && { toolName }),
    ...(!isFirst && !isSameJson(known.text, text) && { input: input ?? null }),
  }
  if (isFirst) known.text = text
  run.emit('tool.arguments_delta', { toolCallId: known.id, delta: isFirst ? text : '' }, { meta: toMeta(known.meta) })
  return known
}

function isSameJson(text: string, canonical: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === canonical
  } catch {
    // What streamed is no JSON: bare text, or cut.
    return false
  }
}

/** What a chunk says of its call; what it leaves out stays as it was. */
function readCall(chunk: Partial<ToolChunk>): AiSdkMeta {
  const { title, toolMetadata, providerExecuted, providerMetadata, dynamic } = chunk
  return {
    ...(dynamic && { dynamic }),
    ...(typeof title === 'string' && { title }),
    ...(toolMetadata && { toolMetadata }),
    ...(typeof providerExecuted === 'boolean' && { providerExecuted }),
    ...(providerMetadata && { callProviderMetadata: providerMetadata }),
  }
}

function readResult(tool: AiSdkTool, { toolMetadata, providerExecuted, providerMetadata }: ResultChunk): void {
  tool.meta = {
    ...tool.meta,
    ...(toolMetadata && { toolMetadata }),
    ...(typeof providerExecuted === 'boolean' && { providerExecuted }),
    ...(providerMetadata && { resultProviderMetadata: providerMetadata }),
  }
}

/** The server says by a result, or a denial, what was decided, where it was not decided here. */
function grant(run: AiSdkRun, tool: AiSdkTool, isApproved: boolean): void {
  for (const [approvalId, question] of run.questions) {
    if (question.tool !== tool) continue
    run.questions.delete(approvalId)
    run.emit('approval.resolved', { approvalId: question.id, decision: isApproved ? 'approved' : 'rejected' })
  }
}

const preliminaryId = (tool: AiSdkTool) => `preliminary:${tool.id}`

function showPreliminary(run: AiSdkRun, tool: AiSdkTool, output: unknown): void {
  run.undecided.delete(tool)
  const artifactId = preliminaryId(tool)
  const content = output ?? null
  if (run.open.has(`artifact:${artifactId}`)) return run.emit('artifact.updated', { artifactId, content })
  const meta = toMeta({ ...run.place(), type: 'preliminary', toolCallId: tool.id })
  run.emit('tool.running', { toolCallId: tool.id }, { meta: toMeta(tool.meta) })
  run.emit('artifact.created', { artifactId, name: tool.name, content }, { meta, parentId: tool.id })
}

function finishPreliminary(run: AiSdkRun, tool: AiSdkTool): void {
  const artifactId = preliminaryId(tool)
  if (run.open.has(`artifact:${artifactId}`)) run.emit('artifact.completed', { artifactId })
}

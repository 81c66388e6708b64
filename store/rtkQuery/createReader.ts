import type * as z from 'zod/mini'
import { createDefaultRequests, type AgentEndpointArgs, type AgentEndpointsOptions } from './agentEndpointsOptions.ts'
import { failWith } from './failWith.ts'
import type { AskBaseQuery, EndpointAnswer, PlainBaseQuery } from './plainBaseQuery.ts'
import { readModelSchemas } from './readModelSchemas.ts'
import { createEndpointError } from './createEndpointError.ts'
import { toEndpointError } from './toEndpointError.ts'

type ReadingName = keyof AgentEndpointArgs

type ReadingResult<Name extends ReadingName> = z.output<(typeof readModelSchemas)[Name]>

/** Asks the app's base query, and checks what it answers. */
export type Reader = <Name extends ReadingName>(
  name: Name,
  args: AgentEndpointArgs[Name],
  baseQuery: AskBaseQuery,
) => Promise<EndpointAnswer<ReadingResult<Name>>>

export function createReader(options: AgentEndpointsOptions<PlainBaseQuery, string>): Reader {
  const defaults = createDefaultRequests(options.basePath ?? '/api/agent')

  return async <Name extends ReadingName>(name: Name, args: AgentEndpointArgs[Name], baseQuery: AskBaseQuery) => {
    let request: unknown
    try {
      request = (options.requests?.[name] ?? defaults[name])(args)
    } catch (thrown) {
      return { error: failWith(options, toEndpointError(thrown)) }
    }
    const { data: body, error: failure, meta } = await baseQuery(request)
    if (failure !== undefined) return { error: failure, meta }
    const data = parse(name, () => options.responses?.[name]?.(body, args) ?? body)
    if (data !== undefined) return { data, meta }
    const message = `The answer to "${name}" is not what a run server says. Map it with responses.${name}.`
    return { error: failWith(options, createEndpointError({ code: 'invalid_response', message })), meta }
  }
}

function parse<Name extends ReadingName>(name: Name, read: () => unknown): ReadingResult<Name> | undefined {
  try {
    const result = readModelSchemas[name].safeParse(read())
    return result.success ? (result.data as ReadingResult<Name>) : undefined
  } catch {
    // A mapping that throws on an answer does not know it either.
    return undefined
  }
}

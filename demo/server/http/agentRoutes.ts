import { Hono, type Context } from 'hono'
import { isAgentCommand } from 'redux-agent'
import * as z from 'zod'
import { createIdSchema } from '../createIdSchema.ts'
import type { Scrubber } from '../ops/createScrubber.ts'
import { RunServerError } from '../runServerError.ts'
import type { RunExecutor } from '../runs/createRunExecutor.ts'
import { executeCommand } from '../runs/executeCommand.ts'
import { readRun } from '../runs/readRun.ts'
import type { RunServices } from '../runs/runServices.ts'
import { resumeRequestSchema, type ResumeRequest } from '../runs/resumeRequestSchema.ts'
import { startRequestSchema } from '../runs/startRequestSchema.ts'
import { startRun } from '../runs/startRun.ts'
import { takeUpRun } from '../runs/takeUpRun.ts'
import { answerStream, type AnswerServices } from './answerStream.ts'
import type { HttpEnv } from './httpEnv.ts'
import { parseInput } from './parseInput.ts'
import { readJson } from './readJson.ts'
import { requireCursor } from './requireCursor.ts'

const wholeNumber = z.string().regex(/^\d{1,15}$/, 'Give a whole number.').transform(Number)
const eventsQuerySchema = z.object({ after: wholeNumber.optional(), limit: wholeNumber.optional() })

/** What the protocol leaves open; clients make keys of a run's id and more. */
const commandLimits = z.object({
  commandId: createIdSchema({ maxLength: 600 }),
  idempotencyKey: createIdSchema({ maxLength: 600 }),
  payload: z.object({ reason: z.string().max(2000).optional() }),
})

/** The resume protocol: start, resume, follow, read the log and the last checkpoint, send a command. */
export function createAgentRoutes(options: {
  services: RunServices
  streams: AnswerServices
  executor: RunExecutor
  scrubber: Pick<Scrubber, 'value'>
}): Hono<HttpEnv> {
  const { services, streams, executor, scrubber } = options
  const { store } = services
  const readOwn = (ownerId: string, runId: string) => store.read((transaction) => readRun(transaction, ownerId, runId))

  const resume = async (context: Context<HttpEnv>, request: ResumeRequest) => {
    const ownerId = context.get('ownerId')
    const run = await readOwn(ownerId, request.runId)
    if (request.assistantMessageId !== undefined && request.assistantMessageId !== run.assistantMessageId) {
      throw new RunServerError({
        status: 409,
        code: 'assistant_message_mismatch',
        message: 'This run writes to another assistant message. Start anew from the conversation.',
      })
    }
    const after = request.lastAppliedSeq
    await requireCursor(store, run, after)
    const taken = await takeUpRun(services, executor, run)
    return answerStream(streams, { ...taken, after, isResume: true, ...socketOf(context) })
  }

  return new Hono<HttpEnv>()
    .post('/stream', async (context) => {
      const ownerId = context.get('ownerId')
      const body = await readJson(context)
      if (typeof body === 'object' && body !== null && Object.hasOwn(body, 'resume')) {
        return resume(context, parseInput(resumeRequestSchema, body).resume)
      }
      const taken = await startRun(services, executor, { ownerId, request: parseInput(startRequestSchema, body) })
      return answerStream(streams, { ...taken, after: 0, ...socketOf(context) })
    })
    .post('/commands', async (context) => {
      const command = await readJson(context)
      if (!isAgentCommand(command)) {
        throw new RunServerError({
          status: 400,
          code: 'invalid_command',
          message: 'The body is no AgentCommand 0.1.',
        })
      }
      parseInput(commandLimits, command)
      const key = context.req.header('idempotency-key')
      if (key !== undefined && key !== command.idempotencyKey) {
        throw new RunServerError({
          status: 400,
          code: 'idempotency_key_mismatch',
          message: 'The Idempotency-Key header is not the idempotencyKey of the command.',
        })
      }
      const answer = await executeCommand(services, executor, { ownerId: context.get('ownerId'), command })
      // As it is stored, and as every stream shows it.
      return context.json(scrubber.value(answer))
    })
    .get('/runs/:runId/stream', async (context) => {
      const run = await readOwn(context.get('ownerId'), context.req.param('runId'))
      const after = readCursor(context)
      // Nobody would read, and so nobody end, the stream of a HEAD.
      if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' })
      return answerStream(streams, { run, after, ...socketOf(context) })
    })
    .get('/runs/:runId/events', async (context) => {
      const run = await readOwn(context.get('ownerId'), context.req.param('runId'))
      const { after = 0, limit = pageSize } = parseInput(eventsQuerySchema, context.req.query())
      await requireCursor(store, run, after)
      const bounded = Math.min(Math.max(limit, 1), maxPageSize)
      const { runId, firstSeq, lastSeq, status } = run
      const { events, places } = await store.read(async (transaction) => ({
        events: await transaction.events.list({ runId, after, limit: bounded }),
        places: await transaction.checkpoints.listPlaces({ runId, after, through: after + bounded }),
      }))
      const end = events[events.length - 1]?.seq ?? after
      const checkpoints = places.filter(({ seq }) => seq <= end)
      return context.json({ events, checkpoints, firstSeq, lastSeq, status })
    })
    .get('/runs/:runId/checkpoint', async (context) => {
      const { runId } = await readOwn(context.get('ownerId'), context.req.param('runId'))
      const row = await store.read(({ checkpoints }) => checkpoints.getLast(runId))
      if (row !== undefined) return context.json(row.checkpoint as object)
      throw new RunServerError({
        status: 404,
        code: 'checkpoint_not_found',
        message: 'This run has no checkpoint. Read its conversation instead.',
      })
    })
}

const socketOf = ({ env }: Context<HttpEnv>) => ({ socket: env?.incoming?.socket })

const pageSize = 200
const maxPageSize = 1000

/** `Last-Event-ID` wins: a browser that reconnects by itself sends it beside the old address. */
function readCursor(context: Context): number {
  const value = context.req.header('last-event-id') ?? context.req.query('after')
  return value === undefined ? 0 : parseInput(wholeNumber, value)
}

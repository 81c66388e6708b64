import { Hono, type Context } from 'hono'
import { isAgentCommand } from 'redux-agent'
import * as z from 'zod'
import { RunServerError } from '../runServerError.ts'
import type { RunExecutor } from '../runs/createRunExecutor.ts'
import { executeCommand } from '../runs/executeCommand.ts'
import { readRun } from '../runs/readRun.ts'
import type { RunServices } from '../runs/runServices.ts'
import { resumeRequestSchema, startRequestSchema, type ResumeRequest } from '../runs/startRequest.ts'
import { startRun } from '../runs/startRun.ts'
import { takeUpRun } from '../runs/takeUpRun.ts'
import type { RunRow } from '../store/rows.ts'
import { createRunStream, type RunStreamServices } from './createRunStream.ts'
import type { HttpEnv } from './httpEnv.ts'
import { parseInput } from './parseInput.ts'
import { readJson } from './readJson.ts'
import type { ControlFrame } from './sseFrame.ts'

const wholeNumber = z.string().regex(/^\d{1,15}$/, 'Give a whole number.').transform(Number)
const eventsQuerySchema = z.object({ after: wholeNumber.optional(), limit: wholeNumber.optional() })

/** The resume protocol: start, resume, follow, read the log, send a command. */
export function createAgentRoutes(options: {
  services: RunServices
  streams: RunStreamServices
  executor: RunExecutor
}): Hono<HttpEnv> {
  const { services, streams, executor } = options
  const { store } = services
  const readOwn = (ownerId: string, runId: string) =>
    store.read((transaction) => readRun(transaction, ownerId, runId))

  const resume = async (ownerId: string, request: ResumeRequest) => {
    const run = await readOwn(ownerId, request.runId)
    if (request.assistantMessageId !== undefined && request.assistantMessageId !== run.assistantMessageId) {
      throw new RunServerError({
        status: 409,
        code: 'assistant_message_mismatch',
        message: 'This run writes to another assistant message. Start anew from the conversation.',
      })
    }
    requireCursor(run, request.lastAppliedSeq)
    const current = await takeUpRun(services, executor, run)
    return answerStream(streams, current, request.lastAppliedSeq, resumeStartOf(current, request.lastAppliedSeq))
  }

  return new Hono<HttpEnv>()
    .post('/stream', async (context) => {
      const ownerId = context.get('ownerId')
      const body = await readJson(context)
      if (typeof body === 'object' && body !== null && Object.hasOwn(body, 'resume')) {
        return resume(ownerId, parseInput(resumeRequestSchema, body).resume)
      }
      const run = await startRun(services, executor, { ownerId, request: parseInput(startRequestSchema, body) })
      return answerStream(streams, run, 0, runStartOf(run))
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
      const key = context.req.header('idempotency-key')
      if (key !== undefined && key !== command.idempotencyKey) {
        throw new RunServerError({
          status: 400,
          code: 'idempotency_key_mismatch',
          message: 'The Idempotency-Key header is not the idempotencyKey of the command.',
        })
      }
      return context.json(await executeCommand(services, executor, { ownerId: context.get('ownerId'), command }))
    })
    .get('/runs/:runId/stream', async (context) => {
      const run = await readOwn(context.get('ownerId'), context.req.param('runId'))
      const after = readCursor(context)
      return answerStream(streams, run, after, after === 0 ? runStartOf(run) : resumeStartOf(run, after))
    })
    .get('/runs/:runId/events', async (context) => {
      const run = await readOwn(context.get('ownerId'), context.req.param('runId'))
      const { after = 0, limit = pageSize } = parseInput(eventsQuerySchema, context.req.query())
      requireCursor(run, after)
      const bounded = Math.min(Math.max(limit, 1), maxPageSize)
      const { runId } = run
      const events = await store.read((transaction) => transaction.events.list({ runId, after, limit: bounded }))
      const { firstSeq, lastSeq, status } = run
      return context.json({ events, firstSeq, lastSeq, status })
    })
}

const pageSize = 200
const maxPageSize = 1000

/** `Last-Event-ID` wins: a browser that reconnects by itself sends it beside the old address. */
function readCursor(context: Context): number {
  const value = context.req.header('last-event-id') ?? context.req.query('after')
  return value === undefined ? 0 : parseInput(wholeNumber, value)
}

function requireCursor(run: RunRow, after: number): void {
  if (after <= run.lastSeq) return
  throw new RunServerError({
    status: 409,
    code: 'cursor_ahead',
    message: 'The cursor is ahead of the log. Drop what is known of this run and read it from 0.',
    details: { lastSeq: run.lastSeq },
  })
}

function runStartOf({ runId, assistantMessageId }: RunRow): ControlFrame {
  return { type: 'run-start', runId, seq: 1, assistantMessageId }
}

function resumeStartOf({ runId, assistantMessageId, lastSeq: seq }: RunRow, fromSeq: number): ControlFrame {
  return { type: 'resume-start', runId, seq, fromSeq, replayedCount: Math.max(seq - fromSeq, 0), assistantMessageId }
}

function answerStream(streams: RunStreamServices, run: RunRow, after: number, first: ControlFrame): Response {
  requireCursor(run, after)
  return new Response(createRunStream(streams, { runId: run.runId, after, first }), {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      // Proxies must not hold back what is meant to be seen now.
      'x-accel-buffering': 'no',
    },
  })
}

import { request, type Agent, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { EventRow } from '../../demo/server/store/rows.ts'
import { tokenOf } from './createPacedModel.ts'

/** A run as one follower saw it. */
export interface FollowedRun {
  events: number
  /** How often its line was cut and taken up again. */
  reconnects: number
}

export interface FollowOptions {
  url: string
  agent: Agent
  cookie: string
  conversationId: string
  tokens: number
  /** After how many events the line is cut on purpose, to be taken up again from its cursor; never by default. */
  cutAfter?: number
  /** Is told of each event that was not there before the line was. */
  onLive(event: EventRow): void
}

/**
 * Starts a run and follows it to its end.
 *
 * @throws Error where an event is missing, comes twice or out of turn, or where anything of the text is lost.
 */
export async function followRun(options: FollowOptions): Promise<FollowedRun> {
  const { url, agent, cookie, conversationId, tokens, cutAfter = Infinity, onLive } = options
  let runId = ''
  let cursor = 0
  let reconnects = 0
  let text = ''
  let ending = ''
  let hasEnded = false

  const take = (row: EventRow, stored: number) => {
    if (row.seq !== cursor + 1) throw new Error(`Run ${row.runId}: ${row.seq} came after ${cursor}.`)
    cursor = row.seq
    if (row.event.type === 'message.delta') text += row.event.payload.delta
    if (row.event.type.startsWith('run.')) ending = row.event.type
    if (row.seq > stored) onLive(row)
  }
  /** Reads one line to its end, or until it is cut. */
  const read = async (response: IncomingMessage, limit: number) => {
    if (response.statusCode !== 200) {
      throw new Error(`The server answered ${response.statusCode}: ${await readText(response)}`)
    }
    let stored = 0
    const parser = createParser({
      onEvent({ event = 'message', data }) {
        const frame = JSON.parse(data) as EventRow
        if (event === 'run-start') runId = frame.runId
        if (event === 'resume-start') stored = frame.seq
        if (event === 'end') hasEnded = true
        if (event === 'message') take(frame, stored)
      },
    })
    response.setEncoding('utf8')
    try {
      for await (const chunk of response) {
        parser.feed(chunk as string)
        if (cursor >= limit && !hasEnded) return
      }
    } finally {
      response.destroy()
    }
  }

  const messages = [{ role: 'user', content: `Say ${tokens} tokens.` }]
  const body = JSON.stringify({ conversationId, messages, enableThinking: false })
  await read(await send(`${url}/api/agent/stream`, { agent, cookie, body }), cutAfter)
  while (!hasEnded) {
    reconnects += 1
    await read(await send(`${url}/api/agent/runs/${runId}/stream?after=${cursor}`, { agent, cookie }), Infinity)
  }
  const expected = Array.from({ length: tokens }, (_, index) => tokenOf(index)).join('')
  if (ending !== 'run.completed') throw new Error(`Run ${runId} ended with ${ending}.`)
  if (text !== expected) throw new Error(`Run ${runId}: ${text.length} characters came of ${expected.length}.`)
  return { events: cursor, reconnects }
}

/** Gets the cookie of a person who is new here. */
export async function becomeOwner(url: string, agent: Agent): Promise<string> {
  const response = await send(`${url}/api/agent/conversations`, { agent })
  await readText(response)
  return response.headers['set-cookie']![0]!.split(';', 1)[0]!
}

function send(url: string, options: { agent: Agent; cookie?: string; body?: string }): Promise<IncomingMessage> {
  const { agent, cookie, body } = options
  const headers: OutgoingHttpHeaders = {
    ...(cookie !== undefined && { cookie }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve, reject) => {
    request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' })
      .once('response', resolve)
      .once('error', reject)
      .end(body)
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  return text
}

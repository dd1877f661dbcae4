import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { atEnd } from '../at-end.ts'
import { startUpstream, type Listening } from '../flow/kit.ts'

/** More than what is between can hold back. */
export const BIG_BYTES = 4 * 1024 * 1024
const BIG = Buffer.alloc(BIG_BYTES, 'x')
const STEP_MS = 10
const STEPS = 20

/** A server with what the traffic asks for, by the end of the path. */
export async function startBusyUpstream(): Promise<Listening> {
  const upstream = await startUpstream((request, response) => {
    response.on('error', () => undefined)
    const [, kind = '', number = ''] = /\/(\w+)(?:\/(\w+))?$/.exec(request.url ?? '') ?? []
    void answer(kind, number, request, response)
  })
  const sockets = new WebSocketServer({ server: upstream.server })
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => socket.send(data.toString()))
  })
  atEnd(() => sockets.close())
  return upstream
}

async function answer(
  kind: string,
  number: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (kind === 'big') return void response.setHeader('content-type', 'image/png').end(BIG)
  if (kind === 'events') return sendEvents(response)
  if (kind === 'echo') {
    response.setHeader('content-type', request.headers['content-type'] ?? 'text/plain')
    return void request.pipe(response)
  }
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ kind, number, list: [1, 2, 3] }))
}

async function sendEvents(response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'text/event-stream')
  for (let step = 0; step < STEPS && !response.destroyed; step++) {
    if (!response.write(`id: ${step}\ndata: {"step":${step}}\n\n`))
      await Promise.race([once(response, 'drain'), once(response, 'close')])
    await wait(STEP_MS)
  }
  response.end()
}

import { once } from 'node:events'
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A request and its answer, as they passed. */
export interface Relayed {
  /** The step of the session in which it was sent. */
  readonly step: string
  readonly method: string
  readonly url: string
  /** The body of the request, with its content coding. */
  readonly sent: Buffer
  /** 0 where there was no answer. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Without its content coding. */
  readonly body: Buffer
}

/** A proxy by base URL that keeps the same address while what is behind it changes, and notes what passes. */
export interface Relay {
  readonly url: string
  /** Has requests go to another server. */
  to(url: string): void
  /** Names the step that requests belong to from now on. */
  begin(step: string): void
  /** Resolves once every request is answered, or those left seem to be streams without an end. */
  settled(): Promise<void>
  /** What has passed since it was called last. */
  take(): readonly Relayed[]
  close(): Promise<void>
}

interface Passing {
  readonly step: string
  readonly method: string
  readonly url: string
  readonly sent: Buffer[]
  readonly chunks: Buffer[]
  answer?: IncomingMessage
}

const MAX_SETTLE_MS = 300

export async function createRelay(): Promise<Relay> {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const open = new Set<Passing>()
  let passed: Passing[] = []
  let target = ''
  let step = ''
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    const passing: Passing = { step, method, url, sent: [], chunks: [] }
    passed.push(passing)
    open.add(passing)
    outgoing.once('close', () => open.delete(passing))
    const { hostname, port } = new URL(target)
    const own = request({
      ...{ hostname, port, agent, method: passing.method, path: passing.url },
      headers: incoming.rawHeaders as unknown as Record<string, string>,
    })
    own.once('response', (answer) => {
      passing.answer = answer
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
      answer.on('data', (chunk: Buffer) => passing.chunks.push(chunk))
      answer.once('error', () => outgoing.destroy())
      answer.pipe(outgoing)
    })
    own.once('error', () => outgoing.destroy())
    outgoing.once('close', () => outgoing.writableFinished || own.destroy())
    incoming.on('data', (chunk: Buffer) => passing.sent.push(chunk))
    incoming.pipe(own)
  })
  // Clients that keep a connection find it open.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (url) => (target = url),
    begin: (name) => (step = name),
    async settled() {
      const end = Date.now() + MAX_SETTLE_MS
      while (open.size > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 2))
    },
    take() {
      const all = passed.map(finished)
      passed = []
      return all
    },
    async close() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function finished({ sent, chunks, answer, ...request }: Passing): Relayed {
  const headers = answer?.headers ?? {}
  const body = decoded(Buffer.concat(chunks), headers['content-encoding'])
  return { ...request, sent: Buffer.concat(sent), status: answer?.statusCode ?? 0, headers, body }
}

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes
  try {
    if (coding === 'gzip') return gunzipSync(bytes)
    if (coding === 'br') return brotliDecompressSync(bytes)
    return coding === 'deflate' ? inflateSync(bytes) : bytes
  } catch {
    return bytes
  }
}

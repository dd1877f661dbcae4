import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

/** Bodies as they are made: of one type, and about so long. */
export interface Bodies {
  readonly type: string
  readonly bytes: number
}

/** A server that answers a number, such as `/7`, with a body of that number, and takes whatever it is sent. */
export interface StreamedUpstream {
  readonly url: string
  close(): void
}

const CHUNK_BYTES = 64 * 1024

/** Listens on a free port. */
export async function startStreamedUpstream(bodies: Bodies): Promise<StreamedUpstream> {
  const server = createServer((request, response) => {
    const [, number] = /^\/(\d+)$/.exec(request.url ?? '') ?? []
    if (number === undefined) {
      void drain(request).then(() => response.end())
      return
    }
    response.writeHead(200, { 'content-type': bodies.type })
    streamed(bodies, Number(number)).pipe(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** One body. Each is another one, so that none is stored for being stored already. */
export function streamed({ type, bytes }: Bodies, number: number): Readable {
  if (type === 'application/json') return Readable.from([jsonOf(bytes, number)])
  const chunk = Buffer.alloc(CHUNK_BYTES, `${number} of many `)
  let left = bytes
  return new Readable({
    read() {
      const length = Math.min(left, chunk.length)
      left -= length
      this.push(length === 0 ? null : chunk.subarray(0, length))
    },
  })
}

/** Reads a body to its end without keeping it. */
export async function drain(stream: Readable): Promise<void> {
  for await (const _ of stream);
}

function jsonOf(bytes: number, number: number): string {
  const rows = Array.from({ length: Math.floor(bytes / 64) }, (_, id) => ({
    id,
    name: `row ${id} of ${number}`,
  }))
  return JSON.stringify({ access_token: `t-${number}`, rows }).padEnd(bytes)
}

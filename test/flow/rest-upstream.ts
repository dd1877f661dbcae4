import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A running third-party REST server (json-server) with posts, comments and a file of 10 MiB of noise. */
export interface RestUpstream {
  readonly url: string
  /** Method and URL of every request that reached it, in order. */
  readonly requests: readonly string[]
  readonly noise: Buffer
  close(): Promise<void>
}

const POSTS = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, title: `Post number ${index + 1}` }))

export async function startRestUpstream(): Promise<RestUpstream> {
  const folder = await mkdtemp(join(tmpdir(), 'sim-upstream-'))
  const noise = randomFillSync(Buffer.alloc(10 * 1024 * 1024))
  await writeFile(join(folder, 'noise.bin'), noise)

  const jsonServer = createRequire(import.meta.url)('json-server') as JsonServer
  const app = jsonServer.create()
  app.use(jsonServer.defaults({ static: folder, logger: false }))
  app.use(jsonServer.router({ posts: structuredClone(POSTS), comments: [] }))

  const requests: string[] = []
  const server = createServer((request: IncomingMessage, response) => {
    requests.push(`${request.method} ${request.url}`)
    app(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    noise,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}

interface JsonServer {
  create(): RequestListener & { use(handler: unknown): void }
  defaults(options: object): unknown
  router(data: object): unknown
}

import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openFolder, startUpstream } from './kit.ts'

/** A running third-party REST server (json-server) with posts, comments and a file of 10 MiB of noise. */
export interface RestUpstream {
  readonly url: string
  /** Method and URL of every request that reached it, in order. */
  readonly requests: readonly string[]
  readonly noise: Buffer
}

const POSTS = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, title: `Post number ${index + 1}` }))

export async function startRestUpstream(): Promise<RestUpstream> {
  const folder = openFolder().path
  const noise = randomFillSync(Buffer.alloc(10 * 1024 * 1024))
  writeFileSync(join(folder, 'noise.bin'), noise)

  const jsonServer = createRequire(import.meta.url)('json-server') as JsonServer
  const app = jsonServer.create()
  app.use(jsonServer.defaults({ static: folder, logger: false }))
  app.use(jsonServer.router({ posts: structuredClone(POSTS), comments: [] }))

  const requests: string[] = []
  const { url } = await startUpstream((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    app(request, response)
  })
  return { url, requests, noise }
}

interface JsonServer {
  create(): RequestListener & { use(handler: unknown): void }
  defaults(options: object): unknown
  router(data: object): unknown
}

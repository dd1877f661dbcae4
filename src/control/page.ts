import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lazy } from '../engine/lazy.ts'
import { PageNotBuilt } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../message.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// Scripts and styles are files of the page alone: nothing in what it shows can become one.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const COMMON = [
  ...['content-security-policy', POLICY],
  ...['x-content-type-options', 'nosniff'],
  ...['referrer-policy', 'no-referrer'],
]

/**
 * A file of the page at `/__sim/`; `undefined` for a request of another. There are no secrets in it.
 * @throws PageNotBuilt where the sources run that were never built
 */
export async function pageFile({ method, path }: HttpRequest): Promise<HttpResponse | undefined> {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  // Relative, since the client may see the gateway below another path.
  if (path === '/__sim') return { status: 308, headers: ['location', '__sim/'] }
  if (path !== '/__sim/' && !path.startsWith('/__sim/assets/')) return undefined
  const name = path === '/__sim/' ? 'index.html' : path.slice('/__sim/'.length)
  const body = (await files()).get(name)
  if (body === undefined) return undefined
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  // The names of assets change with what is in them.
  const caching = name === 'index.html' ? 'no-cache' : 'max-age=31536000, immutable'
  return { status: 200, headers: ['content-type', type, 'cache-control', caching, ...COMMON], body }
}

// Beside the compiled sources, or where those would be.
const PLACES = ['../../ui/', '../../dist/ui/']

const files = lazy(async (): Promise<ReadonlyMap<string, Buffer>> => {
  for (const place of PLACES) {
    const folder = fileURLToPath(new URL(place, import.meta.url))
    const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    const found = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    if (found.length === 0) continue
    const read = found.map(async (file): Promise<[string, Buffer]> => {
      const name = file.slice(folder.length).replaceAll('\\', '/')
      return [name, await readFile(file)]
    })
    return new Map(await Promise.all(read))
  }
  throw new PageNotBuilt()
})

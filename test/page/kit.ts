import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { chromium, type Browser } from 'playwright-core'
import Type from 'typebox'
import { WebSocketServer } from 'ws'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'

const BROWSER = '/usr/bin/chromium'

/** Whether there is a browser to look with; said aloud where there is none. */
export const hasBrowser = existsSync(BROWSER)
if (!hasBrowser) process.stderr.write(`NOT TESTED: the page needs ${BROWSER}, which is not installed\n`)

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** What would act on a page or a terminal, were it more than text. */
export const HOSTILE = `<img src=x onerror="document.title='hit'"><script>document.title='hit'</script>\u001b[31mred\u001b]0;hit\u0007`

/** An upstream with streams, a WebSocket, and bodies of every kind. */
export interface ShopUpstream {
  readonly url: string
  readonly server: Server
  /** Sends another event to all who listen to `/events`. */
  say(text: string): void
  close(): void
}

export async function openUpstream(): Promise<ShopUpstream> {
  const listeners = new Set<(text: string) => void>()
  const server = createServer((request, response) => {
    request.resume()
    const { pathname } = new URL(request.url ?? '/', 'http://upstream')
    if (pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"stock":12}\n\n')
      const write = (text: string): void => void response.write(`data: ${text}\n\n`)
      listeners.add(write)
      response.once('close', () => listeners.delete(write))
      return
    }
    const [type, body] = BODIES[pathname] ?? ['application/json', JSON.stringify({ path: request.url })]
    response.writeHead(pathname === '/broken' ? 500 : 200, {
      'content-type': type,
      'x-note': HOSTILE.replaceAll('\u001b', '').replaceAll('\u0007', ''),
    })
    response.end(typeof body === 'function' ? body() : body)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer, isBinary) => socket.send(data, { binary: isBinary }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    say: (text) => listeners.forEach((write) => write(text)),
    close() {
      sockets.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const BODIES: Readonly<Record<string, readonly [type: string, body: string | Buffer | (() => string)]>> = {
  '/hostile': ['text/html', HOSTILE],
  '/hostile.json': ['application/json', JSON.stringify({ [HOSTILE]: HOSTILE })],
  '/large.json': [
    'application/json',
    () =>
      JSON.stringify(
        Array.from({ length: 50_000 }, (_, id) => ({ id, name: `item ${id}`, text: 'x'.repeat(70) })),
      ),
  ],
  '/deep.json': ['application/json', '['.repeat(10_000) + ']'.repeat(10_000)],
  '/bushy.json': ['application/json', JSON.stringify(bush(4))],
  '/long-form': ['application/x-www-form-urlencoded', 'a=1&'.repeat(200_000)],
  '/bytes': ['text/plain', Buffer.from([0xff, 0xfe, 0x41, 0xc3, 0x28])],
  '/pixel.png': ['image/png', Buffer.from(PIXEL, 'base64')],
  '/form': ['application/x-www-form-urlencoded', 'name=Ada+L&city=London'],
}

function bush(levels: number): unknown {
  if (levels === 0) return 1
  return Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`key${index}`, bush(levels - 1)]))
}

/** A shop that keeps what it is given, in front of an upstream. */
export function openShop(upstream: string, options: Partial<GatewayOptions> = {}): FastifyInstance {
  const api = new SimAPI({ seed: 7, stateful: true })
  const User = Type.Object(
    { id: Type.Integer(), name: Type.String(), email: Type.String({ format: 'email' }) },
    { title: 'User' },
  )
  const Product = Type.Object(
    {
      id: Type.Integer(),
      title: Type.String(),
      price: Type.Number({ minimum: 1, maximum: 500 }),
      tags: Type.Array(Type.String()),
    },
    { title: 'Product' },
  )
  api.get('/users', { output: list(User), summary: 'All users' })
  api.post('/users', { input: Type.Omit(User, ['id']), output: User, status: 201, summary: 'Add a user' })
  api.get('/users/{id}', { output: User, summary: 'One user' })
  api.get('/products/{id}', { output: Product, stateful: false, summary: 'A product of the catalog' })
  api.get('/search', { output: list(Product), stateful: false, summary: 'Find products' })
  return createGateway({ ...api.gatewayOptions(), upstream, ...options })
}

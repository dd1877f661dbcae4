import { expect, it } from 'vitest'
import { pino } from 'pino'
import { SimAPI } from '../src/api.ts'
import { createGateway } from '../src/gateway.ts'
import { prettyLine } from '../src/http/pretty-line.ts'
import { startProxy, startUpstream } from './flow/kit.ts'
import { lastRequest, openTunnel, rawAnswer, textOf } from './flow/raw-client.ts'

interface Line {
  readonly msg: string
  readonly by?: string
  readonly path?: string
}

function gathered(level: string): { lines: Line[]; logger: ReturnType<typeof pino> } {
  const lines: Line[] = []
  return { lines, logger: pino({ level }, { write: (line) => void lines.push(JSON.parse(line) as Line) }) }
}

const options = new SimAPI({ seed: 1 }).get('/a').gatewayOptions()

it('gives hooks of users the same log, without lines of Fastify', async () => {
  const { lines, logger } = gathered('info')
  const app = createGateway({ ...options, logger })
  app.addHook('onRequest', async (request) => request.log.info({ own: true }, 'mine'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  await fetch(`http://127.0.0.1:${port}/a`)
  await app.close()
  expect(lines).toMatchObject([{ msg: 'mine' }, { msg: 'request', by: 'route', path: '/a' }])
})

it('has lines of requests from info on, and of the control plane from debug on', async () => {
  const counts: number[] = []
  for (const level of ['warn', 'info', 'debug']) {
    const { lines, logger } = gathered(level)
    const app = createGateway({ ...options, logger })
    for (const url of ['/a', '/none', '/__sim/health']) await app.inject(url)
    await app.close()
    counts.push(lines.filter(({ msg }) => msg === 'request').length)
  }
  expect(counts).toEqual([0, 2, 3])
})

it('has a line of a tunnel when it has ended, and of what is refused before it is a request', async () => {
  const { lines, logger } = gathered('info')
  const upstream = await startUpstream((_request, response) => response.end('there'))
  const { port } = await startProxy({ logger })
  const authority = `127.0.0.1:${upstream.port}`
  const tunnel = await openTunnel(port, authority)
  tunnel.end(lastRequest('GET /'))
  const { length } = await textOf(tunnel)
  await rawAnswer(port, 'CONNECT ann:secret@127.0.0.1 HTTP/1.1\r\nHost: a\r\n\r\n')
  await rawAnswer(port, 'GET /?token=secret nonsense\r\n\r\n')
  await expect
    .poll(() => lines.filter(({ msg }) => msg === 'request'))
    .toMatchObject([
      { method: 'CONNECT', path: authority, status: 200, bytes: length, by: 'upstream' },
      { method: 'CONNECT', path: '127.0.0.1', status: 400, by: 'gateway', error: 'SIM_REQUEST_MALFORMED' },
      {
        status: 400,
        by: 'gateway',
        error: 'SIM_REQUEST_MALFORMED',
        reason: expect.stringContaining('Expected HTTP/'),
      },
    ])
  expect(JSON.stringify(lines)).not.toContain('secret')
  const shown = prettyLine(JSON.stringify({ ...lines.at(-1), level: 'info', time: 0 }), false)
  expect(shown).toMatch(/^00:00:00.000 INFO {2}no request 400 gateway .*error=SIM_REQUEST_MALFORMED reason=/)
})

it.for([true, false])('refuses a logger of %s, as Fastify takes it, with what to give instead', (logger) => {
  expect(() => createGateway({ logger } as never)).toThrow('logger takes a logger of pino or Fastify')
})

import { expect, it } from 'vitest'
import { pino } from 'pino'
import { SimAPI } from '../src/api.ts'
import { createGateway } from '../src/gateway.ts'

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

import { connect } from 'node:net'
import { once } from 'node:events'
import Type from 'typebox'
import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { createLogger, type Logged } from '../pipeline/logger.ts'
import { caDirectory, fetchFrom, openFolder, startGateway, startUpstream } from './kit.ts'
import { requestText } from './raw-client.ts'

const POST = requestText('POST /echo', 'Host: a', 'Content-Type: application/json', 'Content-Length: 20')
const CHUNKED = requestText(
  'POST /echo',
  'Host: a',
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
)
const UPGRADE = requestText('GET /echo', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket')

/** What clients send before they leave. */
const BEGINNINGS: readonly (string | Buffer)[] = [
  '',
  'GET /ec',
  POST,
  `${POST}{"half`,
  `${CHUNKED}5\r\n{"a`,
  `${CHUNKED}ZZ\r\n`,
  `${POST.replace('20', '2')}{}${POST}{"half`,
  requestText('GET /echo', 'Host: a', 'Expect: 100-continue', 'Content-Length: 5'),
  UPGRADE,
  `${UPGRADE}garbage`,
  requestText('CONNECT 127.0.0.1:1', 'Host: 127.0.0.1:1'),
  Buffer.from([0x16, 3, 1, 0, 200, 1, 0]),
  Buffer.from([5, 1, 0, 5, 1, 0, 3]),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nxxxxxxxxxxxxxxxxxxxxxxxx',
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00', 'latin1'),
]

/** Sends what there is, and leaves: in good order, or by a reset. */
async function leave(port: number, beginning: string | Buffer, isReset: boolean): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise<void>((sent) => socket.write(beginning, () => sent()))
  // Its server has read that, and has begun.
  await fetchFrom(`http://127.0.0.1:${port}/__sim/health`)
  if (isReset) socket.resetAndDestroy()
  else socket.destroy()
}

const MODES = ['simulate', 'forward', 'record', 'spy', 'replay', 'new-episodes'] as const

it.for(MODES)('says nothing of errors of its own when clients leave, in mode %s', async (mode) => {
  const { url: upstream } = await startUpstream((request, response) => void request.pipe(response))
  const folder = openFolder().path
  const options: Partial<GatewayOptions> = {
    upstream,
    targets: { proxy: true },
    tls: { caDirectory: caDirectory() },
  }
  const recorder = await startGateway({ ...options, modes: { mode: 'record' }, record: folder })
  await fetchFrom(`${recorder.url}/echo`)
  await recorder.app.close()
  const logged: Logged[] = []
  const api = new SimAPI({ seed: 1 }).post('/echo', {
    input: Type.Object({ a: Type.Integer() }),
    output: Type.Integer(),
  })
  const files = mode === 'record' ? { record: openFolder().path } : { recording: folder }
  const { port, url } = await startGateway({
    ...{ ...options, ...files, modes: { mode }, logger: createLogger(logged) },
    ...(mode === 'simulate' && { engine: api.engine() }),
  })
  for (const beginning of BEGINNINGS)
    for (const isReset of [true, false]) await leave(port, beginning, isReset)
  expect((await fetchFrom(`${url}/__sim/health`)).status).toBe(200)
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
})

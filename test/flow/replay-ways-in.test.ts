import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChaosOptions } from '../../src/state/chaos-rule.ts'
import { exchangeOf, temporaryDirectory as recordingDirectory, writeLines } from '../recording/samples.ts'
import { textOf, tlsThroughTunnel } from './raw-client.ts'
import { ask, start } from './replay-setup.ts'
import { closeAll, closing, startGateway, temporaryDirectory } from './ways-in-setup.ts'

const caDirectory = join(temporaryDirectory(), 'ca')
afterEach(closeAll)

const EVENTS = ['data: one\n\n', 'data: two\n\n']

/** A recorded stream of two events, of a server with TLS. */
function events(url: string): object {
  const exchange = exchangeOf({
    url,
    responseHeaders: [['content-type', 'text/event-stream']],
    responseBody: EVENTS.join(''),
    trailers: [['x-sum', '2']],
  })
  const chunks = EVENTS.map(({ length }, index) => ({ time: index * 30, bytes: length }))
  const content = { ...exchange.response.content, _chunks: chunks }
  return {
    ...exchange,
    timings: { ...exchange.timings, wait: 1 },
    response: { ...exchange.response, content },
  }
}

describe('replay', () => {
  it('answers through a tunnel whose TLS ends here, by HTTP/2, streams and their trailers included', async () => {
    const recording = await writeLines(await recordingDirectory(), events('https://api.test/events'))
    const { port } = await startGateway({
      modes: { mode: 'replay' },
      recording,
      tls: { caDirectory, intercept: ['api.test'] },
    })
    const secure = await tlsThroughTunnel(caDirectory, port, 'api.test:443', { ALPNProtocols: ['h2'] })
    expect(secure.alpnProtocol).toBe('h2')
    const session = connectHttp2('https://api.test', { createConnection: () => secure })
    closing.push(() => session.destroy())
    const stream = session.request({ ':path': '/events' })
    const trailers = once(stream, 'trailers')
    const [headers] = (await once(stream, 'response')) as [object]
    expect(headers).toMatchObject({ ':status': 200, 'content-type': 'text/event-stream' })
    expect(await textOf(stream)).toBe(EVENTS.join(''))
    expect((await trailers)[0]).toMatchObject({ 'x-sum': '2' })
  })

  it.for<[string, ChaosOptions, string | undefined]>([
    ['none', {}, EVENTS.join('')],
    [
      'slow-body',
      { rules: [{ faults: { 'slow-body': { rate: 1, bytesPerSecond: 1000 } } }] },
      EVENTS.join(''),
    ],
    ['truncate', { rules: [{ faults: { truncate: { rate: 1 } } }] }, undefined],
    ['reset', { rules: [{ faults: { reset: { rate: 1 } } }] }, undefined],
  ])('meets the fault %s in the middle of a stream', async ([, chaos, wanted]) => {
    const recording = await writeLines(await recordingDirectory(), events('http://api.test/events'))
    const { url } = await start({ modes: { mode: 'replay' }, recording, chaos })
    const seen = await ask(url, ['/events']).then(
      ({ body }) => body.toString(),
      () => undefined,
    )
    expect(seen).toBe(wanted)
    expect((await ask(url, ['/__sim/health'])).status).toBe(200)
  })
})

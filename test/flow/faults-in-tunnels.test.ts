import { once } from 'node:events'
import { get } from 'node:https'
import { connect as connectHttp2 } from 'node:http2'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import Type from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { textOf, tlsThroughTunnel } from './raw-client.ts'
import { closeAll, startGateway, temporaryDirectory } from './ways-in-setup.ts'

const directory = temporaryDirectory()
const caDirectory = join(directory, 'ca')
afterEach(closeAll)

const FAULTS = ['reset', 'empty', 'truncate', 'garbage', 'slow-body'] as const

async function startFaulty(
  fault: (typeof FAULTS)[number],
): Promise<(protocol: string) => Promise<TLSSocket>> {
  const output = Type.Object({ text: Type.Literal('x'.repeat(1_000)) })
  const api = new SimAPI({ seed: 1 }).get('/x', { output }).get('/right', { output: Type.Literal(1) })
  const rule = { match: { path: '/x' }, faults: { [fault]: 1 } }
  const { port } = await startGateway({
    engine: api.engine(),
    tls: { caDirectory },
    chaos: { rules: [rule] },
  })
  return (protocol) =>
    tlsThroughTunnel(caDirectory, port, 'api.example.com:443', { ALPNProtocols: [protocol] })
}

/** How an exchange ended: with all of its body, part of it, or a broken connection. */
type Ending = 'whole' | 'part' | 'broken'

async function endingOf(exchange: Promise<AsyncIterable<unknown>>): Promise<Ending> {
  try {
    const body = await exchange
    try {
      return (await textOf(body)).length > 1_000 ? 'whole' : 'part'
    } catch {
      return 'part'
    }
  } catch {
    return 'broken'
  }
}

describe.for(FAULTS)('the fault %s in a tunnel that ends here', (fault) => {
  const expected: readonly Ending[] =
    fault === 'slow-body' ? ['whole'] : fault === 'truncate' ? ['part', 'broken'] : ['broken', 'part']

  it('befalls HTTP/1.1', async () => {
    const open = await startFaulty(fault)
    const secure = await open('http/1.1')
    const asked = get('https://api.example.com/x', { createConnection: () => secure })
    const answered = once(asked, 'response').then(([response]) => response as IncomingMessage)
    expect(expected).toContain(await endingOf(answered))
  })

  it('befalls HTTP/2, and the gateway goes on', async () => {
    const open = await startFaulty(fault)
    const secure = await open('h2')
    const over = connectHttp2('https://api.example.com', { createConnection: () => secure })
    over.on('error', () => {})
    const stream = over.request({ ':path': '/x' })
    // A stream that its server cancels just closes.
    const closed = once(stream, 'close').then(() => Promise.reject(new Error('closed')))
    closed.catch(() => {})
    const answered = Promise.race([once(stream, 'response'), closed]).then(() => stream)
    expect(expected).toContain(await endingOf(answered))
    over.destroy()

    const next = await open('h2')
    const again = connectHttp2('https://api.example.com', { createConnection: () => next })
    expect(await textOf(again.request({ ':path': '/right' }))).toBe('1')
    again.destroy()
  })
})

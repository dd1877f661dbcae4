import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ORACLES, programOf, startOracle } from '../conformance/oracles.ts'
import type { Entry } from '../conformance/entries.ts'
import { atEnd } from '../at-end.ts'
import { startProxy } from '../flow/kit.ts'
import { differences, readMessage, type Read } from './read-message.ts'
import { exchanges, written, type Exchange } from './valid-exchanges.ts'

// `npm run differential` has 2,000 of them.
const CASES = Number(process.env['SIM_DIFFERENTIAL_CASES'] ?? 60)
const SEED = Number(process.env['SIM_DIFFERENTIAL_SEED'] ?? 1)
const PATIENCE_MS = 5_000

/** What other gateways do to valid messages that sim does not. */
const OWN_WAYS: Readonly<Record<(typeof ORACLES)[number], readonly RegExp[]>> = {
  // It drops names of other characters than letters, digits and hyphens, and takes no escaped NUL and no broken escape.
  nginx: [
    /^header [^:]*[^a-z\d:-][^:]*: .*is missing/,
    /^header server: .* was added/,
    /^answered HTTP\/1.1 400 /,
  ],
  haproxy: [],
}

interface RawUpstream {
  readonly port: number
  /** What came, after it was answered with these bytes. */
  readonly taken: Read[]
  answer: Buffer
}

/** A server that answers any request with the bytes it is given. */
async function startRawUpstream(): Promise<RawUpstream> {
  const upstream = { port: 0, taken: [] as Read[], answer: Buffer.alloc(0) }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('end', () => socket.end())
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const read = readMessage(bytes, 'as framed')
      if (read === undefined || socket.writableEnded) return
      upstream.taken.push(read)
      socket.end(upstream.answer)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(() => server.close())
  upstream.port = (server.address() as AddressInfo).port
  return upstream
}

type Open = Entry['open']

async function answerOf(open: Open, bytes: Buffer): Promise<Buffer> {
  const socket = (await open()) as Socket
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer came')))
  socket.write(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** How what arrived on both sides differs from what was sent. */
async function differencesAt(
  open: Open,
  upstream: RawUpstream,
  sent: Exchange,
  isExact: boolean,
): Promise<string[]> {
  const { method, target } = sent
  const request = { ...sent.request, start: `${method} /${target} HTTP/1.1` }
  upstream.taken.length = 0
  upstream.answer = written(sent.response)
  const bytes = await answerOf(
    open,
    written({ ...request, headers: [['Host', 'a.example'], ...request.headers] }),
  )
  const [taken, ...others] = upstream.taken
  if (taken === undefined) return [`answered ${bytes.toString('latin1').slice(0, 60)}`]
  if (others.length > 0) return ['it reached the upstream more than once']
  const hasBody = sent.response.framing === 'none' ? 'none' : 'until the end'
  const answer = readMessage(bytes, hasBody)
  if (answer === undefined) return [`answered ${bytes.toString('latin1').slice(-60)}`]
  return [...differences(request, taken, isExact), ...differences(sent.response, answer, isExact)]
}

describe('valid exchanges', () => {
  let upstream: RawUpstream
  beforeAll(async () => {
    upstream = await startRawUpstream()
  })
  const all = fc.sample(exchanges, { numRuns: CASES, seed: SEED })

  it('are passed on as they are', { timeout: CASES * 50 + 30_000 }, async () => {
    const { port } = await startProxy({
      upstream: `http://127.0.0.1:${upstream.port}`,
      modes: { mode: 'forward' },
    })
    const open = (): Socket => connect(port, '127.0.0.1')
    for (const each of all) {
      const found = await differencesAt(open, upstream, each, true)
      expect({ ...each, found }).toEqual({ ...each, found: [] })
    }
  })

  for (const name of ORACLES) {
    const program = programOf(name)
    it.skipIf(program === undefined)(
      `are changed by ${name} in its own ways only${program === undefined ? ', which is not installed' : ''}`,
      { timeout: CASES * 50 + 30_000 },
      async () => {
        const oracle = await startOracle(name, program as string, upstream.port)
        const found = new Set<string>()
        for (const each of all)
          for (const difference of await differencesAt(oracle.open, upstream, each, false))
            if (!OWN_WAYS[name].some((way) => way.test(difference))) found.add(difference)
        expect([...found]).toEqual([])
      },
    )
  }
})

import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import { caDirectory, startProxy, tlsTo } from '../flow/kit.ts'
import { framesIn, frame, GET, headers, PREFACE, statusOf, TYPE } from './http2-frames.ts'
import { programOf, startOracle } from './oracles.ts'
import { HTTP2, type Http2Rule } from './rules/http2.ts'
import { HTTP2_ERRORS } from './rules/http2-errors.ts'
import { startKnowingUpstream, type KnowingUpstream, type Taken } from './upstream.ts'

/** As long as a busy machine may take, and another server may do nothing. */
const PATIENCE_MS = 10_000
const ORACLE_PATIENCE_MS = 400

let upstream: KnowingUpstream
const entries = new Map<string, () => Duplex | Promise<Duplex>>()

/** What Node warns of, which would be in the log of a command. */
const warnings: string[] = []
const note = ({ message }: Error): void => void warnings.push(message)
process.on('warning', note)
afterAll(() => process.off('warning', note))

beforeAll(async () => {
  upstream = await startKnowingUpstream()
  const { port } = await startProxy({
    upstream: upstream.url,
    modes: { mode: 'forward' },
    targets: { proxy: true, upstreams: [{ host: 'a.example', url: upstream.url }] },
    tls: { intercept: ['*'], caDirectory: caDirectory() },
  })
  const { cert: ca } = await openAuthority(caDirectory())
  entries.set('HTTP/2 without TLS', () => connect(port, '127.0.0.1'))
  entries.set('TLS with the gateway', async () => {
    const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] })
    await once(socket, 'secureConnect')
    return socket
  })
  entries.set('TLS in a tunnel', () => tlsTo(port, 'a.example:443', { ALPNProtocols: ['h2'] }))
})

interface Seen {
  readonly comes: string
  readonly taken: readonly Taken[]
}

async function exchange(
  open: () => Duplex | Promise<Duplex>,
  { send }: Http2Rule,
  patienceMs = PATIENCE_MS,
): Promise<Seen> {
  upstream.taken()
  const socket = await open()
  const comes = outcomeOf(socket, patienceMs)
  socket.write(Buffer.concat([PREFACE, frame(TYPE.settings, 0, 0), ...send]))
  return { comes: await comes, taken: upstream.taken() }
}

/** What came first that says something of the request. */
function outcomeOf(socket: Duplex, patienceMs: number): Promise<string> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    const end = (what: string): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(what)
    }
    const look = (): string | undefined => {
      for (const { type, stream, flags, payload } of framesIn(bytes)) {
        if (type === TYPE.goaway && payload.readUInt32BE(4) !== 0) return 'GOAWAY'
        if (type === TYPE.reset && stream === 1) return 'RST'
        if (type === TYPE.headers && (stream === 1 || stream === 3) && (flags & 4) !== 0)
          return stream === 1 ? String(statusOf(payload)) : 'stream 3'
      }
      return undefined
    }
    const timer = setTimeout(() => end('nothing'), patienceMs)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const found = look()
      if (found !== undefined) end(found)
    })
    socket.on('error', () => undefined).once('close', () => end(look() ?? 'closed'))
  })
}

function check({ comes, reaches, drops }: Http2Rule, seen: Seen): void {
  expect(seen.comes).toMatch(comes)
  if (reaches !== undefined) expect(seen.taken.map(({ line }) => line).join(', ')).toBe(reaches)
  if (drops !== undefined) expect(seen.taken[0]?.headers ?? '').not.toMatch(drops)
}

const ROWS = [...HTTP2, ...HTTP2_ERRORS].map((rule) => [rule.section, rule.rule, rule] as const)

describe.for(['HTTP/2 without TLS', 'TLS with the gateway', 'TLS in a tunnel'])('by %s', (name) => {
  it.for(ROWS)('RFC 9113 %s: %s', async ([, , rule], { skip }) => {
    if (rule.isLong === true && name !== 'HTTP/2 without TLS') skip('once is enough')
    const open = entries.get(name) ?? expect.unreachable()
    check(rule, await exchange(open, rule))
    const next = { rule: '', section: '', comes: /^200$/, send: [headers(GET)] }
    expect((await exchange(open, next)).comes).toBe('200')
  })
})

describe('nginx', () => {
  const program = programOf('nginx')
  let open: () => Duplex | Promise<Duplex>

  beforeAll(async () => {
    if (program !== undefined) ({ open } = await startOracle('nginx', program, upstream.port, 'http2'))
  })

  it.for(ROWS)('does as said of RFC 9113 %s: %s (nginx)', async ([, , rule], { skip }) => {
    if (program === undefined) skip('nginx is not installed: apt-get install nginx')
    const seen = await exchange(open, rule, ORACLE_PATIENCE_MS)
    if (rule.nginx === undefined) check(rule, seen)
    else expect(seen.comes).toBe(rule.nginx[0])
  })
})

it('has Node warn of nothing, whatever clients sent', () => {
  expect(warnings).toEqual([])
})

import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { SimAPI } from '../../src/api.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import { caDirectory, serve, startProxy, tlsTo } from '../flow/kit.ts'
import { openTunnel } from '../flow/raw-client.ts'
import type { KnowingUpstream } from './upstream.ts'

/** An entry by which requests reach an answer, over one connection each. */
export interface Entry {
  readonly name: string
  /** Whether the answers are the upstream's. */
  readonly isForwarding: boolean
  /** Whether the requests are seen by the upstream, as they are now. */
  readonly reachesUpstream: boolean
  /** What requests name: ends with a slash. */
  readonly target: string
  readonly host: string
  readonly open: () => Duplex | Promise<Duplex>
}

type Common = Omit<Entry, 'name' | 'open' | 'reachesUpstream'>

const FORWARDING: Common = { isForwarding: true, target: '/', host: 'a.example' }
const at = (port: number) => () => connect({ port, host: '127.0.0.1' })

/** A gateway that answers by itself what the upstream would. */
export async function run(): Promise<Entry> {
  const api = new SimAPI({ seed: 1 })
  for (const path of ['/', '/{path*}'] as const)
    api.get(path, {}).post(path, {}).put(path, {}).delete(path, {})
  const { port } = await serve(api.asWebApp())
  return { ...FORWARDING, isForwarding: false, name: 'run', reachesUpstream: false, open: at(port) }
}

/** Gateways in front of an upstream, but for replay, which comes after all have been recorded. */
export async function forwardingEntries({ url, port }: KnowingUpstream, recording: string): Promise<Entry[]> {
  const start = async (options: Partial<GatewayOptions>): Promise<number> =>
    (await startProxy({ upstream: url, ...options })).port
  const tls = { intercept: ['*'], caDirectory: caDirectory() }
  const authority = `127.0.0.1:${port}`
  const plain = await start({ modes: { mode: 'forward' }, tls: { caDirectory: caDirectory() } })
  const targets = { proxy: true, upstreams: [{ host: 'tls.example', url }] }
  const ending = await start({ modes: { mode: 'forward' }, tls, targets })
  const recorder = await start({ modes: { mode: 'record' }, record: recording })
  const common = { ...FORWARDING, reachesUpstream: true }
  const host = 'tls.example'
  return [
    { ...common, name: 'forward', open: at(plain) },
    { ...common, name: 'absolute-form', target: `http://${authority}/`, host: authority, open: at(plain) },
    { ...common, name: 'CONNECT', host: authority, open: () => openTunnel(plain, authority) },
    { ...common, name: 'CONNECT that ends here', host: authority, open: () => openTunnel(ending, authority) },
    { ...common, name: 'record', open: at(recorder) },
    {
      ...common,
      name: 'TLS',
      host,
      open: () => tlsTo(ending, 'tls.example:443', { ALPNProtocols: ['http/1.1'] }),
    },
    {
      ...common,
      name: 'TLS with the gateway',
      open: () => openOwnTls(plain),
    },
    { ...common, name: 'SOCKS5 that ends here', host: authority, open: () => openSocks5(ending, port) },
  ]
}

async function openOwnTls(port: number): Promise<Duplex> {
  const { cert: ca } = await openAuthority(caDirectory())
  const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  return socket
}

/** A connection to a port of this machine, by way of a gateway. */
async function openSocks5(gateway: number, port: number): Promise<Duplex> {
  const socket = at(gateway)()
  socket.write(Buffer.from([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 0xff]))
  for (let length = 0; length < 12;) {
    await once(socket, 'readable')
    // All that is there: to wait for more with some of it unread would never end.
    length += ((socket.read() as Buffer | null) ?? []).length
  }
  return socket
}

/** Gateways that answer what was recorded. */
export async function replayingEntries({ url }: KnowingUpstream, recording: string): Promise<Entry[]> {
  const replay = await startProxy({ modes: { mode: 'replay' }, recording })
  const spy = await startProxy({ upstream: url, modes: { mode: 'spy' }, recording: 'recordings/sample' })
  return [
    { ...FORWARDING, name: 'replay', reachesUpstream: false, open: at(replay.port) },
    { ...FORWARDING, name: 'spy', reachesUpstream: true, open: at(spy.port) },
  ]
}

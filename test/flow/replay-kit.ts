import type { Server } from 'node:http'
import { request, type Dispatcher } from 'undici'
import { expect } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import type { ReplayOptions } from '../../src/recording/replay/replay-options.ts'
import { temporaryDirectory } from '../recording/samples.ts'
import { createLogger, type Logged } from '../pipeline/logger.ts'
import { listen, serve, type Served } from './kit.ts'

/** A request: its path and what undici takes besides. */
export type Sent = readonly [path: string, options?: Parameters<typeof request>[1]]

export interface Seen {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly body: Buffer
  readonly text: string
  readonly trailers: Record<string, string>
}

export async function ask(base: string, ...[path, options]: Sent): Promise<Seen> {
  const { statusCode: status, headers, body, trailers } = await request(`${base}${path}`, options)
  const bytes = Buffer.from(await body.arrayBuffer())
  return { status, headers, body: bytes, text: bytes.toString(), trailers }
}

export interface Started extends Served {
  readonly logged: readonly Logged[]
}

/** Starts a gateway that keeps what it logs. */
export async function start(options: Partial<GatewayOptions>): Promise<Started> {
  const logged: Logged[] = []
  const engine = new SimAPI({ seed: 1 }).engine()
  return { ...(await serve(createGateway({ engine, logger: createLogger(logged), ...options }))), logged }
}

/** A gateway that replays, and the clock of its default session. */
export interface Replaying extends Started {
  freeze(): Promise<void>
  advance(ms: number): Promise<void>
  /** The body of an answer, or its status if that is not 200. */
  find(...sent: Sent): Promise<string>
}

export async function startReplay(
  recording: string,
  replay: ReplayOptions = {},
  options: Partial<GatewayOptions> = {},
): Promise<Replaying> {
  const started = await start({ modes: { mode: 'replay' }, recording, replay, ...options })
  const clock = async (what: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', body: JSON.stringify(body), headers } as const
    expect((await ask(started.url, `/__sim/clock/${what}`, sent)).status).toBe(200)
  }
  return {
    ...started,
    freeze: () => clock('freeze', {}),
    advance: (ms) => clock('advance', { ms }),
    async find(...sent) {
      const { status, text } = await ask(started.url, ...sent)
      return status === 200 ? text : String(status)
    },
  }
}

/** Records what is done, then stops the server; where the recording is. */
export async function recorded(server: Server, act: (url: string) => Promise<void>): Promise<string> {
  const directory = await temporaryDirectory()
  const upstream = await listen(server)
  const recorder = await start({ upstream: upstream.url, record: directory })
  await act(recorder.url)
  await recorder.app.close()
  upstream.stop()
  return directory
}

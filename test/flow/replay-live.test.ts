import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { collect, temporaryDirectory } from '../recording/samples.ts'
import { ask, start, type Started } from './replay-setup.ts'

async function listen(server: Server): Promise<{ readonly url: string; stop(): void }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = (): void => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

/** Records what is done, then stops the server and replays it by a clock that stands still. */
async function recorded(
  server: Server,
  act: (url: string) => Promise<void>,
): Promise<{
  readonly directory: string
  replaying(): Promise<Started & { advance(ms: number): Promise<void> }>
}> {
  const directory = await temporaryDirectory()
  const upstream = await listen(server)
  const recorder = await start({ upstream: upstream.url, record: directory })
  await act(recorder.url)
  await recorder.app.close()
  upstream.stop()
  return {
    directory,
    async replaying() {
      const started = await start({ modes: { mode: 'replay' }, recording: directory })
      const post = async (what: string, body: object): Promise<void> => {
        const headers = { 'content-type': 'application/json' }
        const options = { method: 'POST', body: JSON.stringify(body), headers } as const
        expect((await ask(started.url, [`/__sim/clock/${what}`, options])).status).toBe(200)
      }
      await post('freeze', {})
      return { ...started, advance: (ms) => post('advance', { ms }) }
    },
  }
}

const EVENTS = [1, 2, 3].map((id) => `data: {"id":${id},"token":"s3cret-${id}-of-some-length"}\n\n`)

describe('an event stream', () => {
  it.for([false, true])('is recorded and replayed event by event (gzip: %s)', async (isCoded) => {
    const play = async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        ...(isCoded && { 'content-encoding': 'gzip' }),
      })
      response.flushHeaders()
      const out = isCoded ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : response
      if (out !== response) out.pipe(response)
      for (const event of EVENTS) {
        out.write(event)
        await wait(60)
      }
      out.end()
    }
    const server = createServer((request, response) => void play(request, response))
    const { directory, replaying } = await recorded(server, async (url) => void (await ask(url, ['/events'])))
    const [exchange] = await collect(readExchanges(directory))
    const stored = exchange?.response.content.text?.match(/data.*\n\n/g) ?? []
    expect(stored).toHaveLength(3)

    const { url, advance } = await replaying()
    const asked = once(get(`${url}/events`, { agent: false }), 'response') as Promise<[IncomingMessage]>
    let seen = ''
    let hasEnded = false
    // The head waits for the clock too.
    await expect
      .poll(
        async () => {
          await advance(1)
          return Promise.race([asked.then(() => true), wait(5, false)])
        },
        { interval: 1, timeout: 10_000 },
      )
      .toBe(true)
    const [answer] = await asked
    answer.on('data', (chunk: Buffer) => (seen += chunk.toString())).once('end', () => (hasEnded = true))
    const lengths = new Set<number>()
    await expect
      .poll(
        async () => {
          await advance(5)
          await wait(5)
          lengths.add(seen.length)
          return hasEnded
        },
        { interval: 1, timeout: 10_000 },
      )
      .toBe(true)
    expect(seen).toBe(stored.join(''))
    const ends = stored.map((_event, index) => stored.slice(0, index + 1).join('').length)
    expect([...lengths].filter((length) => length > 0)).toEqual(ends)
  })
})

describe('a WebSocket', () => {
  it('is recorded and replayed, in text and bytes', async () => {
    const server = createServer()
    const sockets = new WebSocketServer({ server, handleProtocols: () => 'chat' })
    sockets.on('connection', (socket) => {
      socket.send('hello')
      socket.on('message', (data: Buffer, isBinary) => {
        socket.send(isBinary ? Buffer.from(data.toReversed()) : `you said ${data.toString()}`, {
          binary: isBinary,
        })
      })
    })
    const converse = async (url: string): Promise<unknown[]> => {
      const heard: unknown[] = []
      const client = new WebSocket(`${url.replace('http', 'ws')}/chat?room=1`, ['chat'])
      client.on('message', (data: Buffer, isBinary) => heard.push(isBinary ? [...data] : data.toString()))
      await expect.poll(() => heard.length).toBe(1)
      client.send('one')
      await expect.poll(() => heard.length).toBe(2)
      client.send(Buffer.from([1, 2, 255]))
      await expect.poll(() => heard.length).toBe(3)
      client.close(1000)
      await once(client, 'close')
      return [client.protocol, ...heard]
    }
    let live: unknown[] = []
    const { directory } = await recorded(server, async (url) => void (live = await converse(url)))
    const { url } = await start({
      modes: { mode: 'replay' },
      recording: directory,
      replay: { timing: 'none' },
    })
    expect(await converse(url)).toEqual(live)
    expect(live).toEqual(['chat', 'hello', 'you said one', [255, 2, 1]])
  })
})

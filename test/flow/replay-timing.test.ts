import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { ReplayOptions } from '../../src/recording/replay/replay-options.ts'
import { exchangeOf, temporaryDirectory, writeLines, type Parts } from '../recording/samples.ts'
import { getStream } from './kit.ts'
import { ask, startReplay, type Replaying } from './replay-kit.ts'

const HOST = 'http://api.test'
const EVENTS = ['data: one\n\n', 'data: two\n\n', 'data: three\n\n']

/** An exchange whose body came in pieces, at these milliseconds. */
function timed(parts: Parts, wait: number, chunks: readonly { time: number; bytes: number }[]): object {
  const exchange = exchangeOf(parts)
  const content = { ...exchange.response.content, _chunks: chunks }
  const timings = { ...exchange.timings, wait }
  return { ...exchange, timings, response: { ...exchange.response, content } }
}

const events = timed(
  {
    url: `${HOST}/events`,
    responseHeaders: [['content-type', 'text/event-stream']],
    responseBody: EVENTS.join(''),
  },
  0,
  EVENTS.map((event, index) => ({ time: index * 1000, bytes: event.length })),
)
const page = timed({ url: `${HOST}/page`, responseBody: 'a page' }, 5000, [])
const pieces = timed({ url: `${HOST}/pieces`, responseBody: 'a long text' }, 0, [
  { time: 0, bytes: 2 },
  { time: 900, bytes: 5 },
])

async function replaying(replay: ReplayOptions, ...exchanges: readonly object[]): Promise<Replaying> {
  return startReplay(await writeLines(await temporaryDirectory(), ...exchanges), replay)
}

/** The pieces of a body as they arrive. */
async function listen(
  url: string,
): Promise<{ readonly text: () => string; readonly hasEnded: () => boolean }> {
  const { body } = await request(url)
  let text = ''
  let hasEnded = false
  body.on('data', (chunk: Buffer) => (text += chunk.toString()))
  body.once('end', () => (hasEnded = true))
  return { text: () => text, hasEnded: () => hasEnded }
}

describe('replayed timing', () => {
  it.for([
    [{}, 1000],
    [{ timing: 'original', speed: 4 }, 250],
  ] as const)(
    'gives an event stream event by event, as the clock of the session goes, with %j',
    async ([replay, step]) => {
      const { url, freeze, advance } = await replaying(replay, events)
      await freeze()
      const { text, hasEnded } = await listen(`${url}/events`)
      await expect.poll(text).toBe(EVENTS[0])
      await advance(step - 1)
      expect(text()).toBe(EVENTS[0])
      await advance(1)
      await expect.poll(text).toBe(EVENTS.slice(0, 2).join(''))
      expect(hasEnded()).toBe(false)
      await advance(step)
      await expect.poll(hasEnded).toBe(true)
      expect(text()).toBe(EVENTS.join(''))
    },
  )

  it('gives other bodies in their pieces when all timing is original, the rest with the last', async () => {
    const { url, freeze, advance } = await replaying({ timing: 'original' }, pieces)
    await freeze()
    const { text, hasEnded } = await listen(`${url}/pieces`)
    await expect.poll(text).toBe('a ')
    await advance(900)
    await expect.poll(hasEnded).toBe(true)
    expect(text()).toBe('a long text')
  })

  it('waits as long as the recorded server did when all timing is original', async () => {
    const { url, freeze, advance } = await replaying({ timing: 'original' }, page)
    await freeze()
    let advanced = 0
    let since = 0
    const answered = ask(url, '/page').then(({ text }) => {
      since = advanced
      return text
    })
    await expect
      .poll(async () => {
        await advance(1000)
        advanced += 1000
        return since
      })
      .toBeGreaterThanOrEqual(5000)
    expect(await answered).toBe('a page')
  })

  it.for([
    ['streams', '/page', 'a page'],
    ['streams', '/pieces', 'a long text'],
    ['none', '/events', EVENTS.join('')],
    ['none', '/page', 'a page'],
  ] as const)('gives at once, with timing %s, %s', async ([timing, path, wanted]) => {
    const { url, freeze } = await replaying({ timing }, events, page, pieces)
    await freeze()
    expect((await ask(url, path)).text).toBe(wanted)
  })

  it('keeps a stream open whose end was not seen, until the client leaves', async () => {
    const { response, ...exchange } = events as { response: object }
    const cut = { ...exchange, response: { ...response, _aborted: true } }
    const { url, freeze, advance } = await replaying({}, cut)
    await freeze()
    const answer = await getStream(`${url}/events`)
    let heard = ''
    answer.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('error', () => undefined)
    await advance(1_000_000)
    await expect.poll(() => heard).toBe(EVENTS.join(''))
    expect(answer.complete).toBe(false)
    answer.destroy()
  })

  it('lets a client leave in the middle of a stream, and answers the next', async () => {
    const { url, freeze } = await replaying({}, events)
    await freeze()
    for (let times = 0; times < 3; times++) {
      const answer = await getStream(`${url}/events`)
      await once(answer, 'data')
      answer.destroy()
    }
    expect((await ask(url, '/__sim/health')).status).toBe(200)
    const noted = async (): Promise<number> => {
      const { text } = await ask(url, '/__sim/requests?path=/events')
      return (JSON.parse(text) as unknown[]).length
    }
    await expect.poll(noted).toBe(3)
  })
})

/** What two sides of a WebSocket sent, at seconds since the handshake. */
function socket(...messages: readonly (readonly [string, number, string | Buffer])[]): object {
  const exchange = exchangeOf({ url: `${HOST}/chat`, status: 101 })
  return {
    ...exchange,
    timings: { ...exchange.timings, wait: 0 },
    response: {
      ...exchange.response,
      headers: [
        ['Upgrade', 'websocket'],
        ['Connection', 'Upgrade'],
        ['Sec-WebSocket-Accept', 'of another key'],
        ['Sec-WebSocket-Extensions', 'permessage-deflate'],
        ['Sec-WebSocket-Protocol', 'chat'],
        ['X-Server', 'one'],
      ].map(([name, value]) => ({ name, value })),
    },
    _webSocketMessages: messages.map(([type, time, data]) => ({
      type,
      time,
      opcode: typeof data === 'string' ? 1 : 2,
      data: typeof data === 'string' ? data : data.toString('base64'),
    })),
  }
}

interface Chat {
  readonly heard: (string | Buffer)[]
  readonly socket: WebSocket
  readonly headers: object
}

async function chat(url: string, protocols: string[] = ['other', 'chat']): Promise<Chat> {
  const heard: (string | Buffer)[] = []
  const opened = new WebSocket(`${url.replace('http', 'ws')}/chat`, protocols)
  opened.on('message', (data: Buffer, isBinary) => heard.push(isBinary ? data : data.toString()))
  const [[{ headers }]] = (await Promise.all([once(opened, 'upgrade'), once(opened, 'open')])) as [
    [{ headers: object }],
    unknown,
  ]
  return { heard, socket: opened, headers }
}

describe('a replayed WebSocket', () => {
  it('sends what the recorded server sent, after as much from the client', async () => {
    const bytes = Buffer.from([0, 255, 1])
    const { url } = await replaying(
      { timing: 'none' },
      socket(
        ['receive', 1, 'hello'],
        ['send', 2, 'a'],
        ['receive', 3, 'to a'],
        ['receive', 4, bytes],
        ['send', 5, 'b'],
        ['send', 6, 'c'],
        ['receive', 7, 'to c'],
      ),
    )
    const { heard, socket: client, headers } = await chat(url)
    expect(client.protocol).toBe('chat')
    expect(headers).toMatchObject({ 'x-server': 'one' })
    await expect.poll(() => heard).toEqual(['hello'])
    client.send('a')
    await expect.poll(() => heard).toEqual(['hello', 'to a', bytes])
    client.send('b')
    client.ping()
    await once(client, 'pong')
    expect(heard).toHaveLength(3)
    client.send('c')
    await expect.poll(() => heard).toEqual(['hello', 'to a', bytes, 'to c'])
    client.close(1000)
    expect((await once(client, 'close'))[0]).toBe(1000)
  })

  it('answers what the client says, in any order, and the same again in turn', async () => {
    const { url } = await replaying(
      { timing: 'none', ignoreBody: ['/at'] },
      socket(
        ['send', 1, '{"get":"a","at":1}'],
        ['receive', 2, 'a1'],
        ['send', 3, '{"get":"b","at":2}'],
        ['receive', 4, 'b1'],
        ['send', 5, '{"get":"a","at":3}'],
        ['receive', 6, 'a2'],
      ),
      socket(['receive', 1, 'welcome'], ['send', 2, '{"get":"c"}'], ['receive', 3, 'c1']),
    )
    const { heard, socket: client } = await chat(url)
    for (const get of ['b', 'a', 'a', 'a', 'c']) client.send(JSON.stringify({ at: 9, get }))
    await expect.poll(() => heard).toEqual(['b1', 'a1', 'a2', 'a2', 'c1'])
    client.terminate()
  })

  it('answers a client that draws its own ids with those, each message with what was said to it', async () => {
    const drawn = [
      '6f1c2b9e-63a4-4d0f-9d0c-0b3f3a1d2e4f',
      'f0a9d1c8-5b7e-4e2a-8c3d-9e8f7a6b5c4d',
      1_763_790_000_123,
      '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
      'c56a4180-65aa-42ec-a945-5fd21dec0538',
      1_863_790_000_456,
    ] as const
    const [a, b, c, own, other, third] = drawn
    const ask = (id: string | number, get: string): string => JSON.stringify({ id, get })
    const answer = (id: string | number, is: string): string => JSON.stringify({ for: [id], is })
    const { url } = await replaying(
      { timing: 'none' },
      socket(
        ['send', 1, ask(a, 'count')],
        ['send', 2, ask(b, 'count')],
        ['send', 3, ask(c, 'name')],
        ['receive', 4, answer(a, 'a1')],
        ['receive', 5, answer(b, 'b1')],
        ['receive', 6, answer(c, 'c1')],
        ['receive', 7, answer(a, 'a2')],
        ['send', 8, ask(a, 'stop')],
        ['receive', 9, 'stopped'],
      ),
    )
    const { heard, socket: client } = await chat(url)
    client.send(ask(third, 'name'))
    await expect.poll(() => heard).toEqual([answer(third, 'c1')])
    client.send(ask(own, 'count'))
    client.send(ask(other, 'count'))
    client.send(ask(own, 'stop'))
    await expect
      .poll(() => heard.slice(1))
      .toEqual([answer(own, 'a1'), answer(own, 'a2'), answer(other, 'b1'), 'stopped'])
    client.send(ask(other, 'stop'))
    expect((await once(client, 'close'))[0]).toBe(4404)
  })

  it('answers calls that are counted in another order by what they call', async () => {
    const call = (id: number, method: string): string => JSON.stringify({ jsonrpc: '2.0', id, method })
    const result = (id: number, value: number): string => JSON.stringify({ id, result: { id: value } })
    const { url } = await replaying(
      { timing: 'none' },
      socket(
        ['send', 1, call(1, 'one')],
        ['send', 2, call(2, 'two')],
        ['receive', 3, result(2, 1)],
        ['receive', 4, result(1, 2)],
        ['receive', 5, call(1, 'from the server')],
      ),
    )
    const { heard, socket: client } = await chat(url)
    client.send(call(1, 'two'))
    client.send(call(2, 'one'))
    await expect.poll(() => heard).toHaveLength(3)
    expect(heard.toSorted()).toEqual([call(1, 'from the server'), result(1, 1), result(2, 2)].toSorted())
    client.terminate()
  })

  it('sends at once what is left of one reply when the client says more', async () => {
    const { url, freeze } = await replaying(
      {},
      socket(
        ['send', 0, 'a'],
        ['receive', 50, 'tick'],
        ['receive', 90, 'tock'],
        ['send', 91, 'b'],
        ['receive', 91, 'end'],
      ),
    )
    await freeze()
    const { heard, socket: client } = await chat(url)
    client.send('a')
    client.send('b')
    await expect.poll(() => heard).toEqual(['tick', 'tock', 'end'])
    client.terminate()
  })

  it('leaves others their turn while a client says very much at once', async () => {
    const { url } = await replaying({}, socket(['send', 0, 'a'], ['send', 1, 'z'], ['receive', 1, 'end']))
    const { heard, socket: client } = await chat(url)
    for (let said = 0; said < 10_000; said++) client.send('a')
    client.send('z')
    const began = performance.now()
    let longest = 0
    while (heard.length === 0) {
      const turn = performance.now()
      await setImmediate()
      longest = Math.max(longest, performance.now() - turn)
    }
    expect(heard).toEqual(['end'])
    expect(longest).toBeLessThan((performance.now() - began) / 2)
    client.terminate()
  })

  it('ends with a miss when the client says what was not recorded', async () => {
    const { url, logged } = await replaying({}, socket(['send', 0, 'a'], ['receive', 0, 'to a']))
    const { heard, socket: client } = await chat(url)
    client.send('{"password":"s3cret","say":"b"}')
    const [code, reason] = (await once(client, 'close')) as [number, Buffer]
    expect([code, reason.toString(), heard]).toEqual([
      4404,
      'SIM_NOT_RECORDED: this message is not in the recording',
      [],
    ])
    expect(logged.map(({ message }) => message)).toEqual([
      expect.stringContaining('the recording has no message'),
    ])
    expect(JSON.stringify(logged)).not.toContain('s3cret')
    const misses = async (): Promise<unknown> =>
      JSON.parse((await ask(url, '/__sim/requests?status=404')).text) as unknown
    await expect.poll(misses).toMatchObject([{ path: '/chat', mode: 'replay', status: 404 }])
  })

  it('keeps the recorded spacing, by the clock of the session', async () => {
    const { url, freeze, advance } = await replaying(
      {},
      socket(['receive', 0, 'one'], ['receive', 2, 'two'], ['send', 3, 'x'], ['receive', 4.5, 'three']),
    )
    await freeze()
    const { heard, socket: client } = await chat(url)
    await expect.poll(() => heard).toEqual(['one'])
    await advance(1999)
    expect(heard).toEqual(['one'])
    await advance(1)
    await expect.poll(() => heard).toEqual(['one', 'two'])
    client.send('x')
    client.ping()
    await once(client, 'pong')
    expect(heard).toHaveLength(2)
    await advance(1500)
    await expect.poll(() => heard).toEqual(['one', 'two', 'three'])
    client.terminate()
  })

  it('may be left while it waits to send, and ends in good order with its gateway', async () => {
    const { app, url, freeze } = await replaying({}, socket(['receive', 0, 'one'], ['receive', 5, 'two']))
    await freeze()
    const [left, staying] = [await chat(url), await chat(url)]
    await expect.poll(() => [left.heard, staying.heard]).toEqual([['one'], ['one']])
    left.socket.terminate()
    const journal = async (): Promise<unknown> => JSON.parse((await ask(url, '/__sim/requests')).text)
    await expect.poll(journal).toMatchObject([{ path: '/chat', status: 101 }])
    const closed = once(staying.socket, 'close')
    await app.close()
    expect((await closed)[0]).toBe(1001)
  })

  it('is kept apart from a plain request to the same URL, and its messages must be recorded', async () => {
    const { _webSocketMessages: _left, ...silent } = socket() as { _webSocketMessages: unknown }
    const { url } = await replaying({}, silent, exchangeOf({ url: `${HOST}/chat`, responseBody: 'a page' }))
    expect((await ask(url, '/chat')).text).toBe('a page')
    const client = new WebSocket(`${url.replace('http', 'ws')}/chat`)
    const [error] = (await once(client, 'error')) as [Error]
    expect(error.message).toContain('500')

    const other = await replaying({}, socket())
    expect(JSON.parse((await ask(other.url, '/chat')).text)).toMatchObject({
      nearest: [{ request: `GET ${HOST}/chat`, differs: ['a WebSocket instead of a plain request'] }],
    })
  })

  it('gets the recorded answer of a server that refused it, and 404 where nothing was recorded', async () => {
    const { url } = await replaying({}, exchangeOf({ url: `${HOST}/chat`, status: 403 }))
    for (const [path, status] of [
      ['/chat', '403'],
      ['/other', '404'],
    ] as const) {
      const client = new WebSocket(`${url.replace('http', 'ws')}${path}`)
      const [error] = (await once(client, 'error')) as [Error]
      expect(error.message).toContain(status)
    }
  })
})

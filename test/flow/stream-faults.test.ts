import { once } from 'node:events'
import { createParser } from 'eventsource-parser'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { ChaosRule } from '../../src/engine/chaos-rule.ts'
import { atEnd } from '../at-end.ts'
import { gatewayTo, openFolder, startGateway, startUpstream } from './kit.ts'
import { http2To, socketOver } from './http2-websocket.ts'

/** How long who hears nothing waits until that counts. */
const SILENCE_MS = 300

type Faults = NonNullable<ChaosRule['faults']>

const EVENTS = [1, 2, 3, 4].map((each) => `id: ${each}\ndata: {"n":${each}}\n\n`)

/** A gateway with a fault, in front of an upstream that sends four messages of a kind and then says no more. */
async function startStream(faults: Faults, type: string, messages: readonly string[], ends: boolean) {
  return gatewayTo(
    (_request, response) => {
      response.setHeader('content-type', type)
      // Chunks end elsewhere than messages do.
      const text = messages.join('')
      for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7))
      if (ends) response.end()
    },
    { chaos: { rules: [{ faults }] } },
  )
}

/** What comes of a body, until it ends, breaks, or nothing came for a while. */
async function readStream(url: string): Promise<{ text: string; how: 'ended' | 'broke' | 'silent' }> {
  const leaving = new AbortController()
  const { body } = await fetch(url, { signal: leaving.signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let how: 'ended' | 'broke' | 'silent' = 'ended'
  for (;;) {
    const silence = new Promise<'silent'>((resolve) => setTimeout(resolve, SILENCE_MS, 'silent'))
    const next = await Promise.race([reader?.read(), silence]).catch(() => 'broke' as const)
    if (next === 'silent' || next === 'broke') {
      how = next
      break
    }
    if (next === undefined || next.done) break
    text += next.value
  }
  leaving.abort()
  return { text, how }
}

function dataOf(text: string): readonly string[] {
  const found: string[] = []
  createParser({ onEvent: ({ data }) => void found.push(data) }).feed(text)
  return found
}

describe('a fault within an event stream', () => {
  it('cuts it after an event', async () => {
    const { url } = await startStream(
      { 'cut-stream': { rate: 1, after: 2 } },
      'text/event-stream',
      EVENTS,
      false,
    )
    expect(await readStream(url)).toEqual({ text: EVENTS.slice(0, 2).join(''), how: 'broke' })
  })

  it('cuts it before its first', async () => {
    const { url } = await startStream(
      { 'cut-stream': { rate: 1, after: 0 } },
      'text/event-stream',
      EVENTS,
      false,
    )
    expect(await readStream(url)).toEqual({ text: '', how: 'broke' })
  })

  it('stalls it after an event, though the upstream has ended it', async () => {
    const { url } = await startStream({ 'stall-stream': 1 }, 'text/event-stream; charset=utf-8', EVENTS, true)
    expect(await readStream(url)).toEqual({ text: EVENTS[0], how: 'silent' })
  })

  it('garbles the data of one event, the same at each run', async () => {
    const start = () =>
      startStream({ 'garble-stream': { rate: 1, after: 2 } }, 'text/event-stream', EVENTS, true)
    const [one, other] = [await readStream((await start()).url), await readStream((await start()).url)]
    const [first, second, third, ...rest] = dataOf(one.text)
    expect([first, second, ...rest]).toEqual(['{"n":1}', '{"n":2}', '{"n":4}'])
    expect(third).toHaveLength('{"n":3}'.length)
    expect(() => JSON.parse(third as string) as unknown).toThrow(SyntaxError)
    expect(other).toEqual(one)
    expect(one.text).toContain('id: 3\ndata: ')
  })
})

it('is within lines of JSON too, and leaves other bodies as they are', async () => {
  const lines = ['{"a":1}\n', '{"a":2}\n', '{"a":3}\n']
  const faults = { 'cut-stream': { rate: 1, after: 2 } }
  const inLines = await startStream(faults, 'application/x-ndjson', lines, true)
  expect(await readStream(inLines.url)).toEqual({ text: '{"a":1}\n{"a":2}\n', how: 'broke' })
  const inText = await startStream(faults, 'text/plain', lines, true)
  expect(await readStream(inText.url)).toEqual({ text: lines.join(''), how: 'ended' })
})

it('is within what is recorded as it was sent', async () => {
  const record = openFolder().path
  const upstream = await startUpstream((_request, response) => {
    response.setHeader('content-type', 'text/event-stream')
    response.end(EVENTS.join(''))
  })
  const rules = [{ faults: { 'cut-stream': 1 } }]
  const recording = await startGateway({
    upstream: upstream.url,
    modes: { mode: 'record' },
    record,
    chaos: { rules },
  })
  expect(await readStream(recording.url)).toEqual({ text: EVENTS[0], how: 'broke' })
  await recording.app.close()
  const { url } = await startGateway({
    modes: { mode: 'replay' },
    recording: record,
    chaos: { rules: [{ faults: { 'cut-stream': { rate: 1, after: 3 } } }] },
  })
  expect(await readStream(url)).toEqual({ text: EVENTS.slice(0, 3).join(''), how: 'broke' })
})

/** An upstream that says what it is for each message, and three times the first. */
async function startTalker() {
  const upstream = await startUpstream(() => undefined)
  const sockets = new WebSocketServer({ server: upstream.server })
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined)
    for (const each of ['one', 'two', 'three']) socket.send(each)
    socket.on('message', (data: Buffer) => socket.send(`heard ${data.toString()}`))
  })
  atEnd(() => sockets.close())
  return upstream
}

/** What a client hears until it has heard so much, nothing for a while, or the end; and how it was closed. */
async function hear(
  socket: WebSocket,
  most: number,
  atOpen?: string,
): Promise<{ heard: string[]; code: number | undefined }> {
  const heard: string[] = []
  const all = new Promise<undefined>((resolve) => {
    socket.on('message', (data: Buffer) => {
      heard.push(data.toString())
      if (heard.length === most) resolve(undefined)
    })
    // Only those that wait for more than comes get here.
    setTimeout(resolve, SILENCE_MS, undefined)
  })
  socket.on('error', () => undefined)
  if (atOpen !== undefined) socket.once('open', () => socket.send(atOpen))
  const end = await Promise.race([once(socket, 'close') as Promise<[number]>, all])
  socket.terminate()
  return { heard, code: end?.[0] }
}

describe('a fault within a WebSocket', () => {
  const start = async (faults: Faults) => {
    const { url } = await startGateway({
      upstream: (await startTalker()).url,
      chaos: { rules: [{ faults }] },
    })
    return { url, socket: () => new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false }) }
  }

  it('cuts it after a message, without a word', async () => {
    const { socket } = await start({ 'cut-stream': { rate: 1, after: 2 } })
    expect(await hear(socket(), Infinity)).toEqual({ heard: ['one', 'two'], code: 1006 })
  })

  it('stalls it after a message', async () => {
    const { socket } = await start({ 'stall-stream': { rate: 1, after: 3 } })
    expect(await hear(socket(), Infinity, 'hello')).toEqual({
      heard: ['one', 'two', 'three'],
      code: undefined,
    })
  })

  it('garbles one message', async () => {
    const { socket } = await start({ 'garble-stream': 1 })
    const { heard, code } = await hear(socket(), 4, 'hello')
    expect([heard[0], ...heard.slice(2), code]).toEqual(['one', 'three', 'heard hello', undefined])
    expect(heard[1]).toMatch(/^[!-~]{3}$/)
    expect(heard[1]).not.toBe('two')
  })

  it('cuts one over HTTP/2', async () => {
    const { url } = await start({ 'cut-stream': { rate: 1, after: 2 } })
    const { heard } = await hear(socketOver(await http2To(url), '/'), Infinity)
    expect(heard).toEqual(['one', 'two'])
  })

  it('cuts one that is replayed', async () => {
    const record = openFolder().path
    const upstream = await startTalker()
    const recording = await startGateway({ upstream: upstream.url, modes: { mode: 'record' }, record })
    expect((await hear(new WebSocket(recording.url.replace('http', 'ws')), 3)).heard).toHaveLength(3)
    await recording.app.close()
    const rules = [{ faults: { 'cut-stream': 1 } }]
    const { url } = await startGateway({ modes: { mode: 'replay' }, recording: record, chaos: { rules } })
    expect(await hear(new WebSocket(url.replace('http', 'ws')), Infinity)).toEqual({
      heard: ['one'],
      code: 1006,
    })
  })
})

it('of rules for bodies is within WebSockets as well', async () => {
  const rules = [{ faults: { 'slow-body': { rate: 1, bytesPerSecond: 100_000 } } }]
  const { url } = await startGateway({ upstream: (await startTalker()).url, chaos: { rules } })
  expect((await hear(new WebSocket(url.replace('http', 'ws')), 4, 'hello')).heard).toHaveLength(4)
})

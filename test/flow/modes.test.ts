import { cpSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Type from 'typebox'
import { request } from 'undici'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { MODE_NAMES, type ModeName } from '../../src/modes/choose-mode.ts'
import { createLogger, type Logged } from '../pipeline/logger.ts'
import { imageBytes } from '../recording/samples.ts'
import {
  fetchFrom,
  openFolder,
  post,
  send,
  startGateway,
  startUpstream,
  type Answer,
  type Served,
} from './kit.ts'

const api = new SimAPI({ seed: 1 })
const By = Type.Object({ by: Type.Literal('engine') })
api.get('/declared/recorded', { output: By }).get('/declared/new', { output: By })

describe('a gateway', () => {
  let upstream: string
  let served = 0
  const recording = openFolder().path
  const logged: Logged[] = []

  const start = (options: Partial<GatewayOptions>): Promise<Served> =>
    startGateway({ engine: api.engine(), logger: createLogger(logged), ...options })
  const replay = async (directory: string): Promise<string> =>
    (await start({ modes: { mode: 'replay' }, recording: directory })).url
  type Sent = readonly [path: string, body?: string, headers?: Readonly<Record<string, string>>]
  const ask = (url: string, [path, body, headers]: Sent): Promise<Answer> =>
    send(body === undefined ? 'GET' : 'POST', `${url}${path}`, body, headers)
  /** Records requests to an upstream; where. */
  const record = async (requests: readonly Sent[], directory = openFolder().path): Promise<string> => {
    const { app, url } = await start({ upstream, modes: { mode: 'record' }, record: directory })
    for (const each of requests) await ask(url, each)
    await app.close()
    return directory
  }

  beforeAll(async () => {
    const answer: RequestListener = (incoming, response) => {
      const count = ++served
      void text(incoming).then((sent) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ by: 'upstream', served: count, sent })),
      )
    }
    upstream = (await startUpstream(answer)).url
    await record([['/declared/recorded'], ['/other/recorded']], recording)
  })
  beforeEach(() => {
    logged.length = 0
  })

  /** Who answers, or with which error, in every mode. */
  const answererOf = (
    mode: ModeName,
    isDeclared: boolean,
    isRecorded: boolean,
    hasUpstream: boolean,
  ): string => {
    const forwarded = hasUpstream ? 'upstream' : 'TargetMissing'
    const replayed = isRecorded ? 'recording' : 'NotRecorded'
    const table: Record<ModeName, string> = {
      simulate: isDeclared ? 'engine' : hasUpstream ? 'upstream' : 'RouteNotFound',
      forward: forwarded,
      record: forwarded,
      replay: replayed,
      spy: isRecorded || !hasUpstream ? replayed : 'upstream',
      'new-episodes': isRecorded || !hasUpstream ? replayed : 'upstream',
      diff: forwarded,
      shadow: isDeclared ? 'engine' : hasUpstream ? 'upstream' : 'RouteNotFound',
    }
    return table[mode]
  }
  const cases = MODE_NAMES.flatMap((mode) =>
    [true, false].flatMap((isDeclared) =>
      [true, false].flatMap((isRecorded) =>
        [true, false].map((hasUpstream) => ({ mode, isDeclared, isRecorded, hasUpstream })),
      ),
    ),
  )

  it.for(cases)(
    'in mode $mode, declared $isDeclared, recorded $isRecorded, upstream $hasUpstream',
    async (each) => {
      const { mode, isDeclared, isRecorded, hasUpstream } = each
      const copy = openFolder().path
      cpSync(recording, copy, { recursive: true })
      const before = served
      const { app, url } = await start({
        modes: { mode },
        recording: copy,
        ...(mode === 'record' && { record: join(copy, 'more') }),
        ...(hasUpstream && { upstream }),
      })
      const path = `/${isDeclared ? 'declared' : 'other'}/${isRecorded ? 'recorded' : 'new'}`
      const { status, body } = await fetchFrom(`${url}${path}`)
      const wasServed = served > before
      const who = status < 300 ? (body.by === 'upstream' && !wasServed ? 'recording' : body.by) : body.error

      expect(who).toBe(answererOf(mode, isDeclared, isRecorded, hasUpstream))
      expect(wasServed).toBe(who === 'upstream')
      if (status >= 300) expect(status).toBe(404)

      await app.close()
      const lines = (directory: string): Promise<number> =>
        readFile(join(directory, 'exchanges.ndjson'), 'utf8').then(
          (content) => content.split('\n').length - 1,
          () => 0,
        )
      expect(await lines(copy)).toBe(mode === 'new-episodes' && who === 'upstream' ? 3 : 2)
      expect(await lines(join(copy, 'more'))).toBe(mode === 'record' && who === 'upstream' ? 1 : 0)
    },
  )

  it('says in a miss which recorded requests are nearest, and what differs', async () => {
    const { body } = await fetchFrom(`${await replay(recording)}/other/recorded?page=2&api_key=s3cret`)
    expect(body).toMatchObject({
      error: 'NotRecorded',
      detail: expect.stringMatching(
        /^GET \/other\/recorded\?page=2&api_key=redacted-[0-9a-f]{16} is not in the recording$/,
      ) as unknown,
      nearest: [
        {
          request: `GET ${upstream}/other/recorded`,
          differs: ['query api_key: nothing instead of redacted', 'query page: nothing instead of 2'],
        },
        { request: `GET ${upstream}/declared/recorded` },
      ],
    })
  })

  it('replays equal requests in the order they were recorded, then holds the last', async () => {
    const url = await replay(await record([['/a?x=1&y=2'], ['/a?y=2&x=1'], ['/a?x=1&y=2'], ['/a?x=2&y=2']]))
    const seen: number[] = []
    for (let i = 0; i < 5; i++) seen.push((await fetchFrom(`${url}/a?y=2&x=1`)).body.served)
    const [first = 0] = seen
    expect(seen.map((each) => each - first)).toEqual([0, 1, 2, 2, 2])
  })

  it('keeps requests apart by their bodies: JSON by its value, and secrets as equal', async () => {
    const sent = (value: string, type = 'application/json'): Sent => ['/b', value, { 'content-type': type }]
    const url = await replay(
      await record([
        sent('{"a":1,"password":"one","b":[1,2]}'),
        sent('{"a":2}'),
        sent('plain', 'text/plain'),
      ]),
    )
    const sentOf = async (each: Sent): Promise<unknown> => {
      const { body } = await ask(url, each)
      return body.sent ?? body.error
    }
    expect(await sentOf(sent('{ "b": [1, 2], "password": "two", "a": 1 }'))).toContain('"a":1')
    expect(await sentOf(sent('{"a":2}'))).toBe('{"a":2}')
    expect(await sentOf(sent('plain', 'text/plain'))).toBe('plain')
    expect(await sentOf(sent('{"a":3}'))).toBe('NotRecorded')
    expect(await sentOf(sent('plain ', 'text/plain'))).toBe('NotRecorded')
  })

  /** Replays what was recorded of a server that is gone. */
  const replayOf = async (
    listener: RequestListener,
    act: (url: string) => Promise<unknown>,
  ): Promise<string> => {
    const directory = openFolder().path
    const server = await startUpstream(listener)
    const { app, url } = await start({ upstream: server.url, record: directory })
    await act(`${url}/x`)
    await app.close()
    server.stop()
    return `${await replay(directory)}/x`
  }

  it('replays statuses, repeated headers and bodies over 32 KiB as they were, and HEAD without one', async () => {
    const long = 'ä'.repeat(40_000)
    const url = await replayOf(
      ({ method }, response) => {
        const headers = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Kind', 'odd']
        response.writeHead(418, 'Short and stout', headers)
        response.end(method === 'HEAD' ? undefined : long)
      },
      async (recorder) => {
        await fetchFrom(recorder)
        await send('HEAD', recorder)
      },
    )
    const response = await fetch(url)
    expect([response.status, response.statusText, response.headers.get('x-kind')]).toEqual([
      418,
      'Short and stout',
      'odd',
    ])
    expect(response.headers.getSetCookie()).toHaveLength(2)
    expect(await response.text()).toBe(long)
    const head = await send('HEAD', url)
    expect([head.status, head.text]).toEqual([418, ''])
  })

  it('replays a body of many megabytes in a stream, unchanged', async () => {
    const bytes = imageBytes(5_000_000)
    const url = await replayOf(
      (_request, response) => response.setHeader('content-type', 'image/png').end(bytes),
      (recorder) => fetchFrom(recorder, { accept: 'image/png' }),
    )
    const { headers, body } = await request(url, { reset: true })
    expect(headers['content-length']).toBe('5000000')
    expect(Buffer.from(await body.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('replays what mode new-episodes has just saved, even to a recording that was not there', async () => {
    const fresh = join(openFolder().path, 'fresh')
    const { url } = await start({ upstream, modes: { mode: 'new-episodes' }, recording: fresh })
    const again = async (): Promise<number> => (await fetchFrom(`${url}/n`)).body.served
    const first = await again()
    await expect.poll(async () => (await again()) === (await again())).toBe(true)
    expect(first).toBeLessThanOrEqual(await again())
  })

  it('forwards a body that was read to look for it in the recording, whole', async () => {
    const directory = await record([['/l', 'short']])
    const { url } = await start({ upstream, modes: { mode: 'spy' }, recording: directory })
    for (const size of [10, 100_000, 1_000_000])
      expect((await post(`${url}/l`, 'x'.repeat(size))).body.sent.length).toBe(size)
  })

  it('takes the mode of the first rule that fits', async () => {
    const { url } = await start({
      upstream,
      recording,
      modes: {
        rules: [
          { mode: 'replay', path: '/other/**', method: 'get' },
          { mode: 'forward', headers: { 'x-live': '*' } },
          { mode: 'diff', host: '*.example.com' },
        ],
      },
    })
    const byOf = async (path: string, headers = {}): Promise<unknown> => {
      const { body } = await fetchFrom(`${url}${path}`, headers)
      return body.by ?? body.error
    }
    expect(await byOf('/other/x/y')).toBe('NotRecorded')
    expect(await byOf('/declared/new')).toBe('engine')
    expect(await byOf('/declared/new', { 'X-Live': '1' })).toBe('upstream')
  })

  it.for<[Partial<GatewayOptions>, string]>([
    [{ modes: { mode: 'record' } }, "Mode 'record' needs a directory to record to: --record <dir>"],
    [{ modes: { mode: 'replay' } }, "Mode 'replay' needs a recording to read: --recording <dir>"],
    [{ modes: { rules: [{ mode: 'spy' }] } }, "Mode 'spy' needs a recording to read"],
    [{ modes: { mode: 'mock' as ModeName } }, "There is no mode 'mock'. Modes: simulate, forward"],
    [{ modes: { rules: [{ mode: 'diff', host: 'a b' }] } }, "A mode's host must be a host such as"],
  ])('refuses %j', ([options, message]) => {
    expect(() => createGateway({ engine: api.engine(), ...options })).toThrow(message)
  })

  it('fails to start when there is nothing to replay', async () => {
    await expect(start({ modes: { mode: 'replay' }, recording: join(recording, 'none') })).rejects.toThrow(
      'Cannot read',
    )
  })

  describe('in mode diff', () => {
    const expectDrift = async (
      options: Partial<GatewayOptions>,
      path: string,
      ...drift: readonly unknown[]
    ): Promise<void> => {
      const { url } = await start({ upstream, modes: { mode: 'diff' }, ...options })
      for (const each of [path, path, '/last']) await fetchFrom(`${url}${each}`)
      const messages = (): readonly unknown[] => logged.map(({ message }) => message)
      await expect
        .poll(messages)
        .toEqual([...drift, 'GET /last differs: warning: path not declared: nothing -> GET'])
    }

    it('logs once how answers differ from the declared model', async () => {
      await expectDrift(
        {},
        '/declared/new',
        'GET /declared/new differs: warning: new enum value at /by: "engine" -> "upstream"',
        'GET /declared/new differs: additive: field added at /served: nothing -> integer',
        'GET /declared/new differs: additive: field added at /sent: nothing -> string',
      )
    })

    it('logs nothing when answers are as those that were recorded', async () => {
      await expectDrift({ recording }, '/other/recorded')
    })

    it('logs what is neither declared nor recorded', async () => {
      const drift = 'GET /other/new differs: warning: path not declared: nothing -> GET'
      await expectDrift({ recording }, '/other/new', drift)
    })

    it('logs nothing when an answer is as it was declared', async () => {
      const output = Type.Object({ by: Type.String(), served: Type.Integer(), sent: Type.String() })
      const same = new SimAPI({ seed: 1 }).get('/x', { output })
      await expectDrift({ engine: same.engine() }, '/x')
    })
  })
})

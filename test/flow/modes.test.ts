import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { MODE_NAMES, type ModeName } from '../../src/modes/mode-name.ts'
import { createLogger, type Logged } from '../pipeline/logger.ts'
import { imageBytes } from '../recording/samples.ts'

const api = new SimAPI({ seed: 1 })
const By = Type.Object({ by: Type.Literal('engine') })
api.get('/declared/recorded', { output: By }).get('/declared/new', { output: By })

describe('a gateway', () => {
  let server: Server
  let upstream: string
  let folder: string
  let recording: string
  let served = 0
  const open: FastifyInstance[] = []
  const logged: Logged[] = []

  const start = async (options: Partial<GatewayOptions>): Promise<string> => {
    const app = createGateway({ engine: api.engine(), logger: createLogger(logged), ...options })
    open.push(app)
    return app.listen({ port: 0, host: '127.0.0.1' })
  }
  const record = async (
    directory: string,
    requests: readonly (readonly [string, RequestInit?])[],
  ): Promise<void> => {
    const url = await start({ upstream, modes: { mode: 'record' }, record: directory })
    for (const [path, init] of requests) await (await fetch(`${url}${path}`, init)).text()
    await open.pop()?.close()
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sim-modes-'))
    server = createServer((request, response) => {
      served++
      const answer = async (): Promise<void> => {
        const count = served
        const sent = await text(request)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ by: 'upstream', served: count, sent }))
      }
      void answer()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    recording = join(folder, 'known')
    await record(recording, [['/declared/recorded'], ['/other/recorded']])
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()))
    logged.length = 0
  })
  afterAll(async () => {
    server.close()
    await rm(folder, { recursive: true })
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
      const copy = await mkdtemp(join(folder, 'copy-'))
      await record(copy, [['/declared/recorded'], ['/other/recorded']])
      const before = served
      const url = await start({
        modes: { mode },
        recording: copy,
        ...(mode === 'record' && { record: join(copy, 'more') }),
        ...(hasUpstream && { upstream }),
      })
      const path = `/${isDeclared ? 'declared' : 'other'}/${isRecorded ? 'recorded' : 'new'}`
      const response = await fetch(`${url}${path}`)
      const body = (await response.json()) as { by?: string; error?: string }
      const wasServed = served > before
      const who = response.ok ? (body.by === 'upstream' && !wasServed ? 'recording' : body.by) : body.error

      expect(who).toBe(answererOf(mode, isDeclared, isRecorded, hasUpstream))
      expect(wasServed).toBe(who === 'upstream')
      if (!response.ok) expect(response.status).toBe(404)

      await open.pop()?.close()
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
    const url = await start({ modes: { mode: 'replay' }, recording })
    const body = (await (await fetch(`${url}/other/recorded?page=2&api_key=s3cret`)).json()) as object
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
    const directory = join(folder, 'turns')
    await record(directory, [['/a?x=1&y=2'], ['/a?y=2&x=1'], ['/a?x=1&y=2'], ['/a?x=2&y=2']])
    const url = await start({ modes: { mode: 'replay' }, recording: directory })
    const seen: number[] = []
    for (let i = 0; i < 5; i++) {
      seen.push(((await (await fetch(`${url}/a?y=2&x=1`)).json()) as { served: number }).served)
    }
    const [first = 0] = seen
    expect(seen.map((each) => each - first)).toEqual([0, 1, 2, 2, 2])
  })

  it('tells requests apart by their bodies: JSON by its value, and secrets as equal', async () => {
    const directory = join(folder, 'bodies')
    const post = (value: string, type = 'application/json'): RequestInit => ({
      method: 'POST',
      body: value,
      headers: { 'content-type': type },
    })
    await record(directory, [
      ['/b', post('{"a":1,"password":"one","b":[1,2]}')],
      ['/b', post('{"a":2}')],
      ['/b', post('plain', 'text/plain')],
    ])
    const url = await start({ modes: { mode: 'replay' }, recording: directory })
    const sentOf = async (init: RequestInit): Promise<unknown> => {
      const body = (await (await fetch(`${url}/b`, init)).json()) as { sent?: string; error?: string }
      return body.sent ?? body.error
    }
    expect(await sentOf(post('{ "b": [1, 2], "password": "two", "a": 1 }'))).toContain('"a":1')
    expect(await sentOf(post('{"a":2}'))).toBe('{"a":2}')
    expect(await sentOf(post('plain', 'text/plain'))).toBe('plain')
    expect(await sentOf(post('{"a":3}'))).toBe('NotRecorded')
    expect(await sentOf(post('plain ', 'text/plain'))).toBe('NotRecorded')
  })

  it('replays statuses, repeated headers and bodies over 32 KiB as they were, and HEAD without one', async () => {
    const long = 'ä'.repeat(40_000)
    const odd = createServer((request, response) => {
      response.writeHead(418, 'Short and stout', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Kind', 'odd'])
      response.end(request.method === 'HEAD' ? undefined : long)
    })
    await new Promise<void>((done) => odd.listen(0, '127.0.0.1', done))
    const directory = join(folder, 'odd')
    const target = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
    const recorder = await start({ upstream: target, record: directory })
    await (await fetch(`${recorder}/tea`)).text()
    await fetch(`${recorder}/tea`, { method: 'HEAD' })
    await open.pop()?.close()
    odd.close()

    const url = await start({ modes: { mode: 'replay' }, recording: directory })
    const response = await fetch(`${url}/tea`)
    expect([response.status, response.statusText, response.headers.get('x-kind')]).toEqual([
      418,
      'Short and stout',
      'odd',
    ])
    expect(response.headers.getSetCookie()).toHaveLength(2)
    expect(await response.text()).toBe(long)
    const head = await fetch(`${url}/tea`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([418, ''])
  })

  it('replays a body of many megabytes in a stream, unchanged', async () => {
    const bytes = imageBytes(5_000_000)
    const large = createServer((_request, response) =>
      response.setHeader('content-type', 'image/png').end(bytes),
    )
    await new Promise<void>((done) => large.listen(0, '127.0.0.1', done))
    const directory = join(folder, 'large')
    const target = `http://127.0.0.1:${(large.address() as AddressInfo).port}`
    const recorder = await start({ upstream: target, record: directory })
    await (await fetch(`${recorder}/x`, { headers: { accept: 'image/png' } })).arrayBuffer()
    await open.pop()?.close()
    large.close()

    const url = await start({ modes: { mode: 'replay' }, recording: directory })
    const { headers, body } = await request(`${url}/x`, { reset: true })
    expect(headers['content-length']).toBe('5000000')
    expect(Buffer.from(await body.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('replays what mode new-episodes has just saved, even to a recording that was not there', async () => {
    const url = await start({ upstream, modes: { mode: 'new-episodes' }, recording: join(folder, 'fresh') })
    const first = (await (await fetch(`${url}/n`)).json()) as { served: number }
    const again = async (): Promise<number> =>
      ((await (await fetch(`${url}/n`)).json()) as { served: number }).served
    await expect.poll(async () => (await again()) === (await again())).toBe(true)
    expect(first.served).toBeLessThanOrEqual(await again())
  })

  it('forwards a body that was read to look for it in the recording, whole', async () => {
    const directory = join(folder, 'long')
    await record(directory, [['/l', { method: 'POST', body: 'short' }]])
    const url = await start({ upstream, modes: { mode: 'spy' }, recording: directory })
    for (const size of [10, 100_000, 1_000_000]) {
      const body = 'x'.repeat(size)
      const answer = (await (await fetch(`${url}/l`, { method: 'POST', body })).json()) as { sent: string }
      expect(answer.sent.length).toBe(size)
    }
  })

  it('takes the mode of the first rule that fits', async () => {
    const url = await start({
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
    const byOf = async (path: string, init?: RequestInit): Promise<unknown> => {
      const body = (await (await fetch(`${url}${path}`, init)).json()) as { by?: string; error?: string }
      return body.by ?? body.error
    }
    expect(await byOf('/other/x/y')).toBe('NotRecorded')
    expect(await byOf('/declared/new')).toBe('engine')
    expect(await byOf('/declared/new', { headers: { 'X-Live': '1' } })).toBe('upstream')
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
    await expect(start({ modes: { mode: 'replay' }, recording: join(folder, 'none') })).rejects.toThrow(
      'Cannot read',
    )
  })

  describe('in mode diff', () => {
    const expectDrift = async (
      options: Partial<GatewayOptions>,
      path: string,
      ...drift: readonly unknown[]
    ): Promise<void> => {
      const url = await start({ upstream, modes: { mode: 'diff' }, ...options })
      for (const each of [path, path, '/last']) await (await fetch(`${url}${each}`)).text()
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
      const told = 'GET /other/new differs: warning: path not declared: nothing -> GET'
      await expectDrift({ recording }, '/other/new', told)
    })

    it('logs nothing when an answer is as it was declared', async () => {
      const output = Type.Object({ by: Type.String(), served: Type.Integer(), sent: Type.String() })
      const same = new SimAPI({ seed: 1 }).get('/x', { output })
      await expectDrift({ engine: same.engine() }, '/x')
    })
  })
})

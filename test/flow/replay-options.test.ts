import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GatewayOptions } from '../../src/gateway.ts'
import { pruneRecording } from '../../src/recording/files/rewrite.ts'
import type { ReplayOptions } from '../../src/recording/replay/replay-options.ts'
import {
  exchangeOf,
  temporaryDirectory,
  writeLines,
  writeRecording,
  type Parts,
} from '../recording/samples.ts'
import { startUpstream } from './kit.ts'
import { ask, start, startReplay, type Replaying } from './replay-kit.ts'

const HOST = 'http://api.test'
const json = [['content-type', 'application/json']] as const
const FORM = [['content-type', 'application/x-www-form-urlencoded']] as const

const one: Parts = { url: `${HOST}/a`, responseBody: 'one' }
/** A recorded POST to /a. */
const posted = (parts: Parts): Parts => ({ method: 'POST', url: `${HOST}/a`, requestHeaders: json, ...parts })

const recordingOf = async (...parts: readonly Parts[]): Promise<string> =>
  writeRecording(await temporaryDirectory(), ...parts)

async function replaying(replay: ReplayOptions, ...parts: readonly Parts[]): Promise<Replaying['find']> {
  return (await startReplay(await recordingOf(...parts), replay)).find
}

function post(value: unknown, headers: object = { 'content-type': 'application/json' }): object {
  return { method: 'POST', body: typeof value === 'string' ? value : JSON.stringify(value), headers }
}

describe('replay', () => {
  it('needs no headers to be as recorded unless some are named, and then those', async () => {
    const language = (value: string): Parts => ({
      url: `${HOST}/a`,
      requestHeaders: [['Accept-Language', value]],
      responseBody: value,
    })
    const french = { headers: { 'accept-language': 'fr' } }
    const any = await replaying({}, language('de'), language('fr'))
    expect([await any('/a', french), await any('/a')]).toEqual(['fr', 'de'])
    const some = await replaying({ matchHeaders: ['Accept-Language'] }, language('de'), language('fr'))
    expect([await some('/a', french), await some('/a', french), await some('/a')]).toEqual([
      'fr',
      'fr',
      '404',
    ])
  })

  it('keeps users apart by a secret header that it is to match', async () => {
    const directory = await temporaryDirectory()
    const upstream = await startUpstream(({ headers }, response) => response.end(headers.authorization))
    const recorder = await start({ upstream: upstream.url, record: directory })
    const as = (user: string): object => ({ headers: { authorization: `Bearer ${user}` } })
    for (const user of ['ann', 'ben']) await ask(recorder.url, '/me', as(user))
    await recorder.app.close()

    const { find } = await startReplay(directory, { matchHeaders: ['authorization'] })
    expect(await find('/me', as('ben'))).toBe('Bearer ben')
    expect(await find('/me', as('cat'))).toBe('404')
  })

  it('ignores query parameters by name or glob', async () => {
    const find = await replaying(
      { ignoreQuery: ['nonce', 'utm_*'] },
      { url: `${HOST}/a?q=1&nonce=5&utm_source=x`, responseBody: 'one' },
    )
    expect(await find('/a?utm_medium=y&nonce=6&q=1')).toBe('one')
    expect(await find('/a?q=1')).toBe('one')
    expect(await find('/a?q=2&nonce=5')).toBe('404')
  })

  it('ignores what pointers lead to in JSON, at every item and member, and in forms', async () => {
    const find = await replaying(
      { ignoreBody: ['/at', '/items/*/id', '/by/*/when'] },
      posted({
        requestBody: '{"at":1,"n":2,"items":[{"id":1,"x":1},{"id":2,"x":2}],"by":{"ann":{"when":1}}}',
        responseBody: 'json',
      }),
      posted({ requestHeaders: FORM, requestBody: 'at=1&n=2', responseBody: 'form' }),
    )
    const body = { n: 2, items: [{ id: 7, x: 1 }, { x: 2 }], by: { ann: {} } }
    expect(await find('/a', post(body))).toBe('json')
    expect(await find('/a', post({ ...body, at: 9 }))).toBe('json')
    expect(await find('/a', post({ ...body, items: [{ x: 2 }, { x: 1 }] }))).toBe('404')
    const type = Object.fromEntries(FORM)
    expect(await find('/a', post('n=2&at=5', type))).toBe('form')
    expect(await find('/a', post('n=3&at=5', type))).toBe('404')
  })

  it('answers with the values of the request in place of the recorded ones that do not count', async () => {
    const [was, is] = ['6f1c2b9e-63a4-4d0f-9d0c-0b3f3a1d2e4f', '1b4e28ba-2fa1-41d2-883f-0016d3cca427']
    const call = (id: unknown, of: number) => ({ jsonrpc: '2.0', method: 'of', params: [of], id })
    const find = await replaying(
      { ignoreBody: ['/run', '/n'], ignoreQuery: ['callback'] },
      posted({ requestBody: JSON.stringify(call(1, 7)), responseBody: '{"id": 1,"result":[1,"1"]}' }),
      posted({
        requestBody: JSON.stringify([call(2, 8), call(was, 9)]),
        responseBody: `[{"id":"${was}","result":2},{"id":2}]`,
      }),
      posted({ requestBody: `{"run":"${was}","n":3}`, responseBody: `{"n":3,"m":3,"at":"/runs/${was}/é"}` }),
      { url: `${HOST}/a?callback=jQuery123_456`, responseBody: 'jQuery123_456({"n":1})' },
    )
    expect(await find('/a', post(call('x', 7)))).toBe('{"id": "x","result":[1,"1"]}')
    expect(await find('/a', post([call(was, 8), call(2, 9)]))).toBe(`[{"id":2,"result":2},{"id":"${was}"}]`)
    expect(await find('/a', post({ run: is, n: 4 }))).toBe(`{"n":4,"m":3,"at":"/runs/${is}/é"}`)
    expect(await find('/a?callback=jQuery9_8')).toBe('jQuery9_8({"n":1})')
    // Notifications are not calls.
    expect(await find('/a', post({ jsonrpc: '2.0', method: 'of', params: [7] }))).toBe('404')
  })

  it('ignores whole bodies by the empty pointer', async () => {
    const find = await replaying(
      { ignoreBody: [''] },
      posted({ requestHeaders: [], requestBody: 'x', responseBody: 'one' }),
    )
    expect([await find('/a', post('y')), await find('/a', { method: 'POST' })]).toEqual(['one', 'one'])
  })

  it('ignores what patterns match in path, query, headers and bodies', async () => {
    const find = await replaying(
      { ignorePatterns: ['\\d{10,}', '(?<=run-)\\w+'], matchHeaders: ['x-run'] },
      posted({
        url: `${HOST}/runs/run-a1?at=1700000000`,
        requestHeaders: [...json, ['x-run', 'run-a1']],
        requestBody: '{"at":1700000000,"run":"run-a1","n":5}',
        responseBody: 'one',
      }),
    )
    const body = { at: 1800000001, run: 'run-zz', n: 5 }
    const run = post(body, { 'content-type': 'application/json', 'x-run': 'run-q' })
    expect(await find('/runs/run-b2?at=1800000000', run)).toBe('one')
    expect(await find('/runs/fun-b2?at=1800000000', run)).toBe('404')
    expect(await find('/runs/run-b2?at=1800000000', post({ ...body, n: 6 }, { 'x-run': 'run-q' }))).toBe(
      '404',
    )
  })

  it('answers 500 with the pattern that takes too long, and goes on', async () => {
    const { url } = await startReplay(await recordingOf(one), { ignorePatterns: ['(x+)+y'] })
    const { status, text } = await ask(url, `/${'x'.repeat(60)}`)
    expect([status, text]).toEqual([500, expect.stringContaining("'(x+)+y' took longer than")])
    expect((await ask(url, '/a')).status).toBe(200)
  })

  it('takes what was recorded of any host where hosts are ignored', async () => {
    const recording = await recordingOf(one)
    for (const [ignoreHost, status] of [
      [false, 404],
      [true, 200],
    ] as const) {
      const { url } = await startReplay(recording, { ignoreHost }, { upstream: 'http://127.0.0.1:9' })
      expect((await ask(url, '/a')).status).toBe(status)
    }
  })

  it.for([
    ['hold', ['1', '2', '2', '2', '2']],
    ['loop', ['1', '2', '1', '2', '1']],
    ['miss', ['1', '2', '404', '404', '404']],
  ] as const)(
    'gives after the last recorded answer what %s says, to each session',
    async ([after, wanted]) => {
      const find = await replaying(
        { after },
        { url: `${HOST}/a`, responseBody: '1' },
        { url: `${HOST}/b`, responseBody: 'b' },
        { url: `${HOST}/a`, responseBody: '2' },
      )
      for (const session of ['', 'other']) {
        const seen: string[] = []
        for (const _each of wanted) seen.push(await find('/a', { headers: { 'x-sim-session': session } }))
        expect(seen).toEqual(wanted)
      }
    },
  )

  it('says in a miss after the last answer that all were given', async () => {
    const { url } = await startReplay(await recordingOf(one), { after: 'miss' })
    await ask(url, '/a')
    expect(JSON.parse((await ask(url, '/a')).text)).toMatchObject({
      nearest: [{ request: `GET ${HOST}/a`, differs: ['nothing: all 1 of its recorded answers were given'] }],
    })
  })

  it('says in a miss what differs in bodies, by pointer and without secrets', async () => {
    const recorded = (requestBody: string, path = '/a'): Parts =>
      posted({ url: `${HOST}${path}`, requestBody, responseBody: 'one' })
    const recording = await recordingOf(
      recorded('{"user":{"name":"Ann","password":"s3cret"},"tags":["x","y"],"n":1}'),
      recorded('{"other":true}'),
      recorded('{"user":{"name":"Bob"}}', '/b'),
      { url: `${HOST}/a` },
    )
    const { url } = await startReplay(recording)
    const sent = { user: { name: 'Bob', password: 'hunter2' }, tags: ['x'], n: 1, more: 'm'.repeat(500) }
    const { text } = await ask(url, '/a', post(sent))
    expect(JSON.parse(text)).toMatchObject({
      nearest: [
        {
          request: `POST ${HOST}/a`,
          differs: [
            'body /user/name: "Ann" instead of "Bob"',
            'body /tags/1: "y" instead of nothing',
            expect.stringMatching(/^body \/more: nothing instead of "m{79}…$/) as unknown,
          ],
        },
        {
          request: `POST ${HOST}/a`,
          differs: expect.arrayContaining(['body /other: true instead of nothing']) as unknown,
        },
        {
          request: `GET ${HOST}/a`,
          differs: ['method GET instead of POST', 'body: nothing instead of JSON'],
        },
      ],
    })
    expect(text).not.toMatch(/s3cret|hidden/)
  })

  it('compares JSON that is nested without end, as a text', async () => {
    const deep = (count: number): string => `${'['.repeat(count)}${']'.repeat(count)}`
    const find = await replaying(
      { ignoreBody: ['/x'] },
      posted({ requestBody: deep(1000), responseBody: 'less' }),
      posted({ requestBody: deep(15_000), responseBody: 'deep' }),
    )
    expect(await find('/a', post(deep(15_000)))).toBe('deep')
    expect(await find('/a', post(deep(1000)))).toBe('less')
    expect(await find('/a', post(deep(14_999)))).toBe('404')
  })

  it('reads on as the recording grows, and anew when it is pruned or replaced', async () => {
    const directory = await temporaryDirectory()
    const file = join(directory, 'exchanges.ndjson')
    const line = (path: string, responseBody: string): object =>
      exchangeOf({ url: `${HOST}${path}`, responseBody })
    await writeLines(directory, line('/a', '1'), line('/b', 'b'), line('/c', 'c'))
    const { find } = await startReplay(directory)
    expect([await find('/a'), await find('/d')]).toEqual(['1', '404'])
    await writeLines(directory, line('/d', 'd'))
    expect([await find('/d'), await find('/c')]).toEqual(['d', 'c'])

    const torn = JSON.stringify(line('/e', 'e'))
    await writeFile(file, torn.slice(0, 20), { flag: 'a' })
    expect([await find('/e'), await find('/d')]).toEqual(['404', 'd'])
    await writeFile(file, `${torn.slice(20)}\n`, { flag: 'a' })
    expect(await find('/e')).toBe('e')

    await pruneRecording(directory, { maxExchanges: 2 })
    expect([await find('/a'), await find('/d'), await find('/e')]).toEqual(['404', 'd', 'e'])
    await writeFile(`${file}.new`, `${JSON.stringify(line('/d', 'new'))}\n`)
    await rename(`${file}.new`, file)
    expect([await find('/d'), await find('/e')]).toEqual(['new', '404'])
    // In place, and longer than before.
    await writeFile(
      file,
      `${JSON.stringify(line('/f', 'f'.repeat(1000)))}\n${JSON.stringify(line('/g', 'g'))}\n`,
    )
    expect([await find('/d'), await find('/g')]).toEqual(['404', 'g'])
  })

  it('finds what mode new-episodes adds after each miss, where answers are given once', async () => {
    let served = 0
    const upstream = await startUpstream((_request, response) => response.end(String(++served)))
    const recording = join(await temporaryDirectory(), 'new')
    const options: Partial<GatewayOptions> = { upstream: upstream.url, modes: { mode: 'new-episodes' } }
    const { url } = await startReplay(recording, { after: 'miss' }, options)
    const find = async (session: string): Promise<string> =>
      (await ask(url, '/a', { headers: { 'x-sim-session': session } })).text
    expect(await find('one')).toBe('1')
    await expect.poll(() => find(Math.random().toString())).toBe('1')
    expect(served).toBeGreaterThan(0)
  })

  it.for<[ReplayOptions, string]>([
    [{ ignoreBody: ['user'] }, 'replay: ignoreBody must be a list of JSON pointers such as /user/id'],
    [
      { ignorePatterns: ['('] },
      'replay: ignorePatterns must be a list of regular expressions (Invalid regular',
    ],
    [{ matchHeaders: ['a b'] }, 'replay: matchHeaders must be a list of names of headers'],
    [{ speed: 0 }, 'replay: speed must be a number above 0, not 0'],
    [{ after: 'again' as 'loop' }, 'replay: after must be one of hold, loop, miss, not "again"'],
    [{ ignoreQueries: ['a'] } as ReplayOptions, "replay has no option 'ignoreQueries'"],
  ])('refuses %j', async ([replay, message]) => {
    await expect(start({ replay })).rejects.toThrow(message)
  })
})

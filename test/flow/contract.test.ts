import type { RequestListener } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { textFile } from '../../src/data-files/text-file.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { loadDescription } from '../../src/loaders/load-description.ts'
import type { AppEngine } from '../../src/simulation/engine.ts'
import type { Plugin } from '../../src/pipeline/route.ts'
import { CASES, DESCRIPTION, type CaseAnswer, type ContractCase } from './contract-cases.ts'
import { openFolder, send, serve, startUpstream, type Served } from './kit.ts'

const ANSWERS = new Map(CASES.map((each) => [each.path, each.answer]))

function answerTo(url: string): CaseAnswer {
  return ANSWERS.get(url) ?? { status: 500, headers: {}, body: `no case for ${url}` }
}

const listener: RequestListener = (request, response) => {
  const { status, headers, body } = answerTo(request.url ?? '')
  request.resume()
  request.once('end', () => response.writeHead(status, headers).end(body))
}

// Has what is simulated answer as a case says.
const forced: Plugin = {
  name: 'forced',
  plan: ({ source }) =>
    source === 'declared'
      ? {
          after({ url }) {
            const { status, headers, body } = answerTo(url)
            return { status, headers: Object.entries(headers).flat(), body }
          },
        }
      : undefined,
}

async function engineOf(text: string): Promise<AppEngine> {
  const { api, problems } = await loadDescription(textFile('cases.json', text), {
    defaults: {},
    options: { seed: 1 },
  })
  expect(problems).toEqual([])
  return api.engine()
}

/** What a client gets for the request of a case. */
async function ask(url: string, { method, path, headers = {}, body }: ContractCase): Promise<CaseAnswer> {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}

/** Side, part, pointer and rule of what the journal has of each request, by its URL. */
async function violationsOf(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { body } = await send('GET', `${url}/__sim/requests?limit=1000`)
  expect(body).toBeInstanceOf(Array)
  const entries = body as { url: string; violations?: Record<string, string>[] }[]
  return new Map(
    entries.map((entry) => [
      entry.url,
      (entry.violations ?? []).map(({ side, part, pointer, rule }) => `${side} ${part} ${pointer} ${rule}`),
    ]),
  )
}

function found(cases: readonly ContractCase[], all: ReadonlyMap<string, readonly string[]>): unknown {
  return cases.map(({ name, path }) => [name, [...new Set(all.get(path) ?? ['not there'])].toSorted()])
}

function expected(cases: readonly ContractCase[]): unknown {
  return cases.map(({ name, violations }) => [name, [...violations].toSorted()])
}

/** What becomes of a case that is enforced: its status and code. */
function enforced({ violations }: ContractCase): readonly unknown[] {
  const [first = ''] = violations
  if (first === '') return ['passed', undefined]
  if (first.startsWith('response')) return [502, 'SIM_RESPONSE_VIOLATES_CONTRACT']
  if (first.includes('security')) return [401, undefined]
  if (first.includes('media-type')) return [415, 'SIM_MEDIA_TYPE_UNSUPPORTED']
  if (!first.includes('operation')) return [422, 'SIM_REQUEST_VIOLATES_CONTRACT']
  return [
    expect.toSatisfy((status) => status === 404 || status === 405),
    expect.stringMatching(/^SIM_(ROUTE_NOT_FOUND|METHOD_NOT_ALLOWED)$/),
  ]
}

describe('a contract', () => {
  let upstream: string
  let engine: AppEngine
  const recording = openFolder().path
  const start = (options: Partial<GatewayOptions>): Promise<Served> =>
    serve(createGateway({ engine, sessions: { journal: 1000 }, ...options }))

  beforeAll(async () => {
    upstream = (await startUpstream(listener)).url
    engine = await engineOf(DESCRIPTION)
    const { app, url } = await start({ upstream, modes: { mode: 'record' }, record: recording })
    for (const each of CASES) await ask(url, each)
    await app.close()
  })

  const ways: readonly (readonly [string, () => Partial<GatewayOptions>])[] = [
    ['simulated', () => ({ plugins: [forced] })],
    ['forwarded', () => ({ upstream, modes: { mode: 'forward' } })],
    ['replayed', () => ({ recording, modes: { mode: 'replay' }, replay: { ignoreHost: true } })],
  ] as const

  // A recording keeps no body that cannot be looked into for secrets.
  const isKept = (way: string, { name }: ContractCase): boolean =>
    way !== 'replayed' || name !== 'an answer of no JSON'

  it.for(ways)('finds what is broken in traffic that is %s, and nothing else', async ([way, options]) => {
    const { url } = await start({ ...options(), check: { level: 'report' } })
    const cases = CASES.filter((each) => isKept(way, each))
    for (const each of cases) {
      const { status, headers, body } = await ask(url, each)
      const isRefused = each.violations.some((violation) => violation.startsWith('request'))
      // What is reported is not changed; the simulation itself refuses requests.
      if (way !== 'simulated' || !isRefused)
        expect([each.name, status, body]).toEqual([each.name, each.answer.status, each.answer.body])
      // The head of a forwarded answer has gone before its body is known.
      const isShown = each.violations.length > 0 && (way !== 'forwarded' || isRefused)
      expect([each.name, 'sim-violations' in headers]).toEqual([each.name, isShown])
    }
    expect(found(cases, await violationsOf(url))).toEqual(expected(cases))
  })

  it.for(ways)(
    'refuses what is broken of traffic that is %s, where it is enforced',
    async ([way, options]) => {
      const { url } = await start({ ...options(), check: { level: 'enforce' } })
      const cases = CASES.filter((each) => isKept(way, each))
      const answered = []
      for (const each of cases) {
        const { status, body } = await ask(url, each)
        const code = body.startsWith('{"detail"') ? (JSON.parse(body) as { code?: string }).code : undefined
        answered.push([
          each.name,
          body === each.answer.body && status === each.answer.status ? 'passed' : status,
          code,
        ])
      }
      expect(answered).toEqual(cases.map((each) => [each.name, ...enforced(each)]))
      expect(found(cases, await violationsOf(url))).toEqual(expected(cases))
    },
  )

  it('holds back neither a stream nor what is longer than is checked, and says so', async () => {
    let seen: () => void = () => undefined
    const { url: streaming } = await startUpstream((request, response) => {
      const isStream = request.url === '/events'
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      response.write(isStream ? 'data: 1\n\n' : `"${'x'.repeat(2000)}`)
      // The rest comes when the client has the first part.
      seen = () => response.end(isStream ? 'data: 2\n\n' : '"')
    })
    const content = (type: string, schema: object): object => ({
      get: { responses: { 200: { description: 'good', content: { [type]: { schema } } } } },
    })
    const described = await engineOf(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Streams', version: '1' },
        paths: {
          '/events': content('text/event-stream', { type: 'string' }),
          '/long': content('application/json', { type: 'integer' }),
        },
      }),
    )
    for (const level of ['report', 'enforce'] as const) {
      const { url } = await start({
        engine: described,
        upstream: streaming,
        modes: { mode: 'forward' },
        check: { level, bodyLimit: 1000 },
      })
      for (const path of ['/events', '/long']) {
        const response = await fetch(`${url}${path}`)
        let length = 0
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
          length += chunk.length
          seen()
        }
        expect([path, length]).toEqual([path, path === '/events' ? 18 : 2002])
      }
      const { body } = await send('GET', `${url}/__sim/requests`)
      expect((body as { unchecked: string[] }[]).map(({ unchecked }) => unchecked)).toEqual([
        ["the answer's body: it is longer than 1000 bytes"],
        ["the answer's body: it is a stream"],
      ])
    }
  })
})

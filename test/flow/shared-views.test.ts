import { beforeAll, describe, expect, it } from 'vitest'
import { join } from 'node:path'
import { createGateway } from '../../src/gateway.ts'
import { loadApi } from '../../src/loaders/load-target.ts'
import { sourceOf } from '../../src/loaders/source-of.ts'
import type { Answered } from '../control/ask.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { openFolder, serve, startUpstream, type Served } from './kit.ts'

const redis = sharedRedis()
const NAMES = ['a', 'b', 'c'] as const

const APP = `
options: { stateful: true, seed: 7 }
routes:
  GET /users: { output: { list: { type: object, required: [id], properties: { id: { type: integer } } } } }
`

/** An answer, and which gateway it says that it is about. */
interface Answer {
  readonly status: number
  readonly gateway: string | null
  readonly body: Answered['body']
}

describe.skipIf(!hasRedis)('of three gateways of one state, behind whichever of them', () => {
  let all: readonly Served[]
  const ask = async (index: number, method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${all[index]?.url}${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return {
      status: response.status,
      gateway: response.headers.get('x-sim-state-gateway'),
      body: isJson ? JSON.parse(text) : text,
    }
  }
  const each = async (path: string): Promise<readonly Answer[]> =>
    Promise.all(NAMES.map((_, index) => ask(index, 'GET', path)))
  /** What all of them answer, which is the same. */
  const same = async (path: string): Promise<Answered['body']> => {
    const [first, ...others] = await each(path)
    expect(first).toMatchObject({ status: 200, gateway: null })
    for (const other of others) expect(other).toEqual(first)
    return first?.body
  }

  beforeAll(async () => {
    const folder = openFolder({ 'users.yaml': APP })
    const { unixUrl: url } = await redis.server()
    const open = async (gateway: string): Promise<Served> => {
      const loaded = await loadApi('users.yaml', 'served', folder.path)
      const options = loaded.api.gatewayOptions()
      const given = { targets: ['users.yaml'], load: {}, isJoined: false, options }
      return serve(
        createGateway({
          ...options,
          upstream: upstream.url,
          record: join(folder.path, 'recordings'),
          chaos: {
            rules: [
              {
                match: { path: '/users' },
                requests: { from: 1, to: 2 },
                errors: { rate: 1, codes: [503] },
              },
            ],
          },
          source: { ...sourceOf([loaded], given), directory: folder.path },
          state: { url, gateway },
        }),
      )
    }
    const upstream = await startUpstream((_request, response) => response.end('from there'))
    all = await Promise.all(NAMES.map(open))
    for (const index of NAMES.keys()) await ask(index, 'GET', '/users')
    for (const index of NAMES.keys()) await ask(index, 'GET', '/forwarded')
  })

  it('the journal has the requests of all, and says of each who answered it', async () => {
    const listed = (await same('/__sim/requests')) as { path: string; gateway: string }[]
    expect(listed.map(({ path, gateway }) => `${path} ${gateway}`).toReversed()).toEqual([
      ...NAMES.map((name) => `/users ${name}`),
      ...NAMES.map((name) => `/forwarded ${name}`),
    ])
  })

  it('verify is about the requests of all', async () => {
    for (const index of NAMES.keys()) {
      const requests = [{ path: '/users', exactly: 3 }]
      expect(await ask(index, 'POST', '/__sim/verify', { requests })).toMatchObject({
        status: 200,
        body: { verified: true, counts: [3] },
      })
    }
  })

  it('the event stream has the requests of all as they end, and says who sends it', async () => {
    const response = await fetch(`${all[0]?.url}/__sim/requests/stream?session=*`)
    expect(response.headers.get('x-sim-state-gateway')).toBe('a')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const read = async (wanted: RegExp): Promise<void> => {
      while (!wanted.test(text)) text += (await reader?.read())?.value ?? ''
    }
    await read(/^: /)
    for (const index of NAMES.keys()) await ask(index, 'GET', `/forwarded?by=${NAMES[index]}`)
    await read(/(?:by=[^]*){3}/)
    await reader?.cancel()
    for (const name of NAMES) expect(text).toMatch(new RegExp(`by=${name}[^\\n]*"gateway":"${name}"`))
  })

  it('the chaos report counts what all of them injected, and chaos lists it', async () => {
    const report = (await same('/__sim/chaos/report')) as { injected: { requests: number }[] }
    expect(report.injected).toMatchObject([{ statuses: { 503: 2 } }])
    expect(((await same('/__sim/chaos')) as { log: unknown[] }).log).toHaveLength(2)
  })

  it('routes are counted for all', async () => {
    expect(await same('/__sim/routes')).toMatchObject([{ path: '/users', requests: 3 }])
  })

  it.for(['explain', 'repro'])('%s is of whoever answered, and others say who that is', async (what) => {
    const [{ id } = { id: 0 }] = (await same('/__sim/requests?path=/users')) as { id: number }[]
    const answers = await each(`/__sim/requests/${id}/${what}`)
    expect(answers.map(({ status }) => status)).toEqual([421, 421, 200])
    for (const { body } of answers.slice(0, 2))
      expect(body).toMatchObject({ code: 'SIM_REQUEST_ELSEWHERE', gateway: 'c' })
  })

  it.for(['coverage', 'recordings', 'metrics', 'drift', 'misses'])(
    '%s is of the one that answers, which says who it is',
    async (what) => {
      const answers = await each(`/__sim/${what}`)
      expect(answers.map(({ gateway }) => gateway)).toEqual(NAMES)
      if (what === 'recordings')
        for (const [index, { body }] of answers.entries())
          expect(body).toMatchObject([
            { directory: expect.stringMatching(`${NAMES[index]}$`), recording: true },
          ])
    },
  )

  it('the page is the same, whoever serves it', async () => {
    const [first, ...others] = await each('/__sim/')
    expect(first).toMatchObject({ status: 200, body: expect.stringContaining('<!doctype html>') })
    for (const other of others) expect(other).toEqual(first)
  })
})

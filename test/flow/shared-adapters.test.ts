import { createAdapter, type AdapterConfig, type AdapterDefinition } from 'sim-gateway/adapter'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { adapter as workspace } from '../../adapters/workspace/src/adapter.ts'
import { SimAPI } from '../../src/api.ts'
import { createPassedMarks } from '../../src/http/passed-on.ts'
import { notes } from '../adapter/notes-adapter.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { serve, startGateway, type Served } from './kit.ts'

const redis = sharedRedis()
let url = ''
let names = 0

/** Gateways with one state, each with adapters of its own, and a client that takes them by turns. */
async function gateways<State, Fixture, Config extends AdapterConfig>(
  count: number,
  definition: AdapterDefinition<State, Fixture, Config>,
  config: object = {},
  options: object = {},
): Promise<{
  all: readonly Served[]
  ask: (path: string, init?: RequestInit) => Promise<Response>
  name: string
}> {
  const name = `adapters-${++names}`
  const all: Served[] = []
  for (let index = 0; index < count; index++)
    all.push(
      await startGateway({
        adapters: [{ adapter: createAdapter(definition, config as Config), prefix: '/vendor' }],
        ...(count > 1 && { state: { url, name, gateway: `g${index}` } }),
        ...options,
      }),
    )
  let turn = 0
  return {
    ...{ all, name },
    ask: (path, init) => fetch((all[turn++ % count] as Served).url + path, init),
  }
}

/** All that a client sees, but for the moment and the connection. */
async function seen(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(
    ([name]) => !/^(date|connection|keep-alive|x-sim-state-.*)$/.test(name),
  )
  return [response.status, headers, await response.text()]
}

const json = (method: string, body: unknown, token = 'a-token'): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-note': 'kept' },
})

describe.skipIf(!hasRedis)('an adapter behind several gateways', () => {
  beforeAll(async () => {
    url = (await redis.server()).unixUrl
  })

  it.for([{}, { isolate: 'token' }])('answers the same bytes as behind one: %j', async (isolation) => {
    const lifecycle = Object.fromEntries(
      ['clusters', 'runs'].map((kind) => [kind, { by: 'reads', intermediateReads: 2 }]),
    )
    const config = {
      lifecycle,
      faults: [{ operation: 'clusters.list', status: 503, skip: 1, times: 1 }],
      ...isolation,
    }
    const [one, three] = [await gateways(1, workspace, config), await gateways(3, workspace, config)]
    const cluster = { spark_version: '16.4.x-scala2.12', node_type_id: 'i3.xlarge', num_workers: 1 }
    const both = async (path: string, init: RequestInit = json('GET', undefined)): Promise<string> => {
      const host = { host: 'api.vendor.test' }
      const [alone, shared] = await Promise.all(
        [one, three].map(async ({ ask }) =>
          seen(
            await ask(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...host } }),
          ),
        ),
      )
      expect(shared).toEqual(alone)
      return (alone as string[])[2] ?? ''
    }
    const ids: string[] = []
    for (const token of ['ada', 'bob', 'ada', 'bob']) {
      const created = await both('/vendor/api/2.1/clusters/create', json('POST', cluster, token))
      ids.push((JSON.parse(created) as { cluster_id: string }).cluster_id)
    }
    const get = (id = '', token = 'ada') =>
      both(`/vendor/api/2.1/clusters/get?cluster_id=${id}`, json('GET', undefined, token))
    for (let read = 0; read < 5; read++) for (const id of ids) await get(id)
    await both('/vendor/__sim/clock', json('POST', { advanceMs: 600_000 }, 'ada'))
    await both('/__sim/adapters/sim-workspace/clock', json('POST', { advanceMs: 7 }, 'bob'))
    for (const token of ['ada', 'bob'])
      await both('/vendor/api/2.1/clusters/list?page_size=3', json('GET', undefined, token))
    await both('/vendor/api/2.1/clusters/list')
    await both('/vendor/nowhere', json('DELETE', undefined))
    await both(
      '/vendor/api/2.0/workspace/import',
      json('POST', { path: '/big', content: btoa('x'.repeat(200_000)) }),
    )
    await both('/vendor/api/2.0/workspace/export?path=/big')
    const snapshot = await both('/vendor/__sim/snapshot', json('GET', undefined, 'ada'))
    await both('/vendor/__sim/reset', json('POST', {}, 'ada'))
    await get(ids[0])
    await both('/vendor/__sim/snapshot', json('PUT', JSON.parse(snapshot), 'ada'))
    await get(ids[0])
    expect(await both('/__sim/reset', { method: 'POST' })).toContain('sim-workspace')
    await get(ids[0])
    await get(ids[1], 'bob')
  })

  it('keeps all that was answered to many at once, whatever the length of bodies', async () => {
    const definition = { ...notes, bodyLimit: 10_000_000 }
    const { ask, all } = await gateways(3, definition)
    const long = 'x'.repeat(3_000_000)
    const put = async (index: number): Promise<number> => {
      const value = index % 20 === 0 ? long : `${index}`
      const body = JSON.stringify({ text: value })
      const stream = Readable.toWeb(Readable.from(body.match(/[^]{1,50000}/g) ?? []))
      const init = index % 10 === 0 ? { body: stream, duplex: 'half' } : { body }
      const { status } = await ask(`/vendor/v1/notes/n${index}`, { method: 'PUT', ...init } as RequestInit)
      return status
    }
    const statuses = await Promise.all(Array.from({ length: 120 }, (_, index) => put(index)))
    expect(new Set(statuses)).toEqual(new Set([201]))
    for (let index = 0; index < 120; index += 10)
      for (const gateway of all) {
        const answer = await fetch(`${gateway.url}/vendor/v1/notes/n${index}`)
        expect(((await answer.json()) as { text: string }).text.length).toBe(
          index % 20 === 0 ? long.length : `${index}`.length,
        )
      }
  })

  it('is in one journal: of the gateway that answers, with the address of the client', async () => {
    const { all } = await gateways(2, notes)
    const [holder, other] = all as [Served, Served]
    await fetch(`${holder.url}/vendor/v1/notes`)
    const answer = await fetch(`${other.url}/vendor/v1/notes/a?q=1`, { headers: { via: '1.0 client' } })
    expect([answer.status, answer.headers.get('x-sim-peer')]).toEqual([200, null])
    const journal = async ({ url: base }: Served) =>
      (await (await fetch(`${base}/__sim/requests?limit=5`)).json()) as {
        path: string
        headers: unknown[]
      }[]
    const [noted] = await journal(holder)
    expect(noted).toMatchObject({ path: '/vendor/v1/notes/a' })
    expect(noted?.headers).toContainEqual(['via', '1.0 client'])
    expect(JSON.stringify(noted)).not.toContain('x-sim-peer')
    expect(await journal(other)).toEqual(await journal(holder))
    expect(noted).toMatchObject({ gateway: 'g0' })
  })

  it('is used in the session that a client names, by whichever gateway', async () => {
    const { all } = await gateways(2, notes)
    for (const { url: base } of all)
      await fetch(`${base}/vendor/v1/notes/a`, { headers: { 'x-sim-session': 'own' } })
    for (const { url: base } of all) {
      const headers = { 'x-sim-session': 'own' }
      const listed = await fetch(`${base}/__sim/requests`, { headers })
      expect(await listed.json()).toHaveLength(2)
    }
  })

  it('takes no mark that other gateways have not made', async () => {
    const { all, name } = await gateways(2, notes)
    const [holder] = all as [Served]
    const status = async (mark: string): Promise<unknown> => {
      const answer = await fetch(`${holder.url}/vendor/v1/notes`, { headers: { 'x-sim-peer': mark } })
      return [answer.status, ((await answer.json()) as { error: string }).error]
    }
    const from = { scheme: 'http', host: 'x', isProxied: false, at: Date.now() } as const
    const forged = createPassedMarks(Buffer.alloc(32), 'me').sign('GET', '/vendor/v1/notes', {
      ...from,
      to: 'me',
    })
    for (const mark of ['', 'v1', 'v1..', 'answered', forged])
      expect(await status(mark)).toEqual([403, 'PeerUntrusted'])
    const key = Buffer.from((await redis.server()).cli('GET', `sim:{${name}}:peer-key`), 'base64')
    const marks = createPassedMarks(key, 'me')
    const refused = [
      marks.sign('GET', '/vendor/v1/notes', { ...from, to: 'another' }),
      marks.sign('POST', '/vendor/v1/notes', { ...from, to: 'me' }),
      marks.sign('GET', '/vendor/v1/notes', { ...from, to: 'me', at: Date.now() - 120_000 }),
    ]
    for (const mark of refused) expect(await status(mark)).toEqual([403, 'PeerUntrusted'])
  })

  it('loses no request while gateways end one after the other', async () => {
    const { all } = await gateways(3, notes)
    let live = [...all]
    let [turn, next] = [0, 0]
    const failures: string[] = []
    const acknowledged: string[] = []
    const write = async (): Promise<void> => {
      while (live.length > 0) {
        const { url: base } = live[turn++ % live.length] as Served
        const id = `n${next++}`
        const answer = await fetch(`${base}/vendor/v1/notes/${id}`, { method: 'PUT', body: '{"text":"x"}' })
        if (answer.status === 201) acknowledged.push(id)
        else failures.push(`${answer.status} ${await answer.text()}`)
      }
    }
    const writers = [write(), write(), write(), write()]
    for (const gone of all.slice(0, 2)) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(before + 30)
      // As a balancer does first.
      live = live.filter((each) => each !== gone)
      const at = acknowledged.length
      await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(at + 10)
      await gone.app.close()
    }
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(before + 30)
    const [last] = live as [Served]
    live = []
    await Promise.all(writers)
    expect(failures).toEqual([])
    for (const id of acknowledged) expect((await fetch(`${last.url}/vendor/v1/notes/${id}`)).status).toBe(200)
  })

  it('says whom it waits for where a gateway is gone without a word, and goes on after its lease', async () => {
    const { all, name } = await gateways(2, notes)
    const [holder, other] = all as [Served, Served]
    await fetch(`${holder.url}/vendor/v1/notes/x`, { method: 'PUT', body: '{"text":"x"}' })
    // What others see of one that was killed.
    holder.app.server.close()
    holder.app.server.closeAllConnections()
    const answer = await fetch(`${other.url}/vendor/v1/notes/x`)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: 'StateElsewhere', code: 'SIM_STATE_ELSEWHERE' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(5)
    ;(await redis.server()).cli('DEL', `sim:{${name}/!sim-notes}:lease`)
    const next = await fetch(`${other.url}/vendor/v1/notes/x`)
    expect(await next.json()).toEqual({ id: 'x', text: 'x' })
  })

  it('is reached where it shares its port with others, or does not listen', async () => {
    const { all } = await gateways(2, notes)
    const [, listening] = all as [Served, Served]
    const name = `adapters-${names}`
    const silent = await serve(
      (await import('../../src/gateway.ts')).createGateway({
        engine: new SimAPI({ seed: 1 }).engine(),
        adapters: [{ adapter: createAdapter(notes), prefix: '/vendor' }],
        state: { url, name, gateway: 'silent' },
      }),
    )
    silent.app.server.close()
    silent.app.server.closeAllConnections()
    expect((await silent.app.inject('/vendor/v1/notes/a')).statusCode).toBe(200)
    const sent = request(`${listening.url}/vendor/v1/notes/a`).end()
    const answer = await new Promise<import('node:http').IncomingMessage>((resolve) =>
      sent.once('response', resolve),
    )
    expect(await text(answer)).toContain('"first"')
  })
})

import { describe, expect, it } from 'vitest'
import Type from 'typebox'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { openFolder, serve, spawnSim } from './kit.ts'

const redis = sharedRedis({ aof: 'everysec' })
let names = 0

type Ask = (index: number, path: string, init?: RequestInit) => Promise<Response>

async function openThree(api: () => SimAPI, options: Partial<GatewayOptions> = {}): Promise<Ask> {
  const name = `promises-${++names}`
  const { unixUrl: url } = await redis.server()
  const all = await Promise.all(
    ['a', 'b', 'c'].map((gateway) =>
      serve(createGateway({ ...api().gatewayOptions(), ...options, state: { url, name, gateway } })),
    ),
  )
  return (index, path, init) => fetch(`${all[index % 3]?.url}${path}`, init)
}

const pings = (policies: object = {}): SimAPI =>
  new SimAPI({ seed: 7 }).get('/ping', { output: Type.Object({ ok: Type.Boolean() }), ...policies })
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const sorted = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b)

describe.skipIf(!hasRedis)('three gateways of one state', () => {
  it('meet each failure that the seed has once, one after the other and at once', async () => {
    const rules = [{ errors: { rate: 0.5, codes: [502, 503] } }]
    const ask = await openThree(pings, { chaos: { rules } })
    const schedule = await ask(2, '/__sim/chaos/schedule?route=GET%20/ping&count=60')
    const planned = (await schedule.json()) as { readonly status?: number }[]
    expect([schedule.status, planned]).toEqual([200, expect.any(Array)])
    const expected = planned.map(({ status = 200 }) => status)
    expect(new Set(expected).size).toBe(3)
    const byTurns: number[] = []
    for (const index of upTo(30)) byTurns.push((await ask(index, '/ping')).status)
    expect(byTurns).toEqual(expected.slice(0, 30))
    const atOnce = await Promise.all(upTo(30).map(async (index) => (await ask(index, '/ping')).status))
    expect(sorted(atOnce)).toEqual(sorted(expected.slice(30)))
  })

  it('admit as many requests as a limit says, and count none that they refuse', async () => {
    const ask = await openThree(() => pings({ rateLimit: 20 }))
    await ask(0, '/__sim/clock/freeze', { method: 'POST' })
    const statuses = async (count: number): Promise<number[]> =>
      Promise.all(upTo(count).map(async (index) => (await ask(index, '/ping')).status))
    const first = await statuses(60)
    expect(first.filter((status) => status === 200)).toHaveLength(20)
    expect(new Set(first)).toEqual(new Set([200, 429]))
    const headers = { 'content-type': 'application/json' }
    await ask(1, '/__sim/clock/advance', { method: 'POST', headers, body: '{"ms":1001}' })
    expect((await statuses(45)).filter((status) => status === 200)).toHaveLength(20)
  })

  it('give no id twice where one is killed, and leave out at most one for each that it had under way', async () => {
    const { path } = openFolder({
      'app.yaml': `options: { stateful: true }
models:
  Item: { type: object, required: [id], properties: { id: { type: integer } } }
routes:
  POST /items: { status: 201, output: { $ref: '#/models/Item' } }
  GET /items: { output: { list: { $ref: '#/models/Item' } } }
`,
    })
    const { unixUrl } = await redis.server()
    const start = (gateway: string) =>
      spawnSim(
        [
          ...['run', 'app.yaml', '--seed', '1', '--log-format', 'none', '--state', unixUrl],
          ...['--state-name', 'killed', '--state-gateway', gateway],
        ],
        path,
      )
    const [stays, goes] = await Promise.all([start('stays'), start('goes')])
    const create = async (url: string): Promise<number> => {
      const answer = await fetch(`${url}/items`, { method: 'POST' })
      expect(answer.status).toBe(201)
      return ((await answer.json()) as { readonly id: number }).id
    }
    const ids: number[] = []
    const underWay = 8
    const clients = upTo(underWay).map(async () => {
      for (;;) ids.push(await create(goes.url))
    })
    await expect.poll(() => ids.length, { interval: 2 }).toBeGreaterThan(100)
    goes.process.kill('SIGKILL')
    await Promise.allSettled(clients)
    ids.push(await create(stays.url))
    const listed = await (await fetch(`${stays.url}/items`)).json()
    const kept = (listed as { readonly id: number }[]).map(({ id }) => id)
    expect(new Set(kept).size).toBe(kept.length)
    expect(ids.filter((id) => !kept.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    expect(Math.max(...kept) - kept.length).toBeLessThanOrEqual(underWay)
  })
})

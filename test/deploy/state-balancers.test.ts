import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import { FromInput } from '../../src/index.ts'
import Type from 'typebox'
import { serve, type Served } from '../flow/kit.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { BALANCERS, programFor, startBalancer } from './balancer.ts'
import { readSample } from './samples.ts'

const redis = sharedRedis()
const REQUESTS = 60

async function startGateway(name: string, gateway: string): Promise<Served> {
  const api = new SimAPI({ seed: 42, stateful: true })
  const Note = Type.Object({ id: Type.Integer(), text: Type.String(FromInput('text')) })
  api.post('/notes', { input: Type.Object({ text: Type.String() }), output: Note, status: 201 })
  const state = { url: (await redis.server()).unixUrl, name, gateway }
  return serve(createGateway({ ...api.gatewayOptions(), state }))
}

// A machine that stands still for seconds has all of them left out for a moment.
async function create(url: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/notes`, { method: 'POST', headers, body: '{"text":"here"}' })
  if (response.status === 201) return ((await response.json()) as { readonly id: number }).id
  const text = await response.text()
  if (response.status !== 503) throw new Error(`${response.status} ${text}`)
  await wait(100)
  return create(url)
}

describe.skipIf(!hasRedis)('gateways that share their state', () => {
  it.for(BALANCERS)(
    'are one behind %s with its sample, and one that is gone is missed by nobody',
    async (name, { skip }) => {
      const program = programFor(name, skip)
      const gateways = await Promise.all(['a', 'b', 'c'].map((gateway) => startGateway(name, gateway)))
      const sample = { haproxy: 'haproxy-state.cfg', nginx: 'nginx-state.conf' }[name]
      const url = await startBalancer(
        name,
        program,
        sample,
        gateways.map(({ port }) => port),
      )

      const ids: number[] = []
      for (let index = 0; index < REQUESTS; index++) ids.push(await create(url))
      expect(ids).toEqual(Array.from({ length: REQUESTS }, (_, index) => index + 1))
      const journal = await fetch(`${url}/__sim/requests`)
      const noted = (await journal.json()) as { readonly gateway: string }[]
      const counts = ['a', 'b', 'c'].map((each) => noted.filter(({ gateway }) => gateway === each).length)
      expect(counts.every((count) => count >= REQUESTS / 3 - 5)).toBe(true)

      const [gone] = gateways as [Served]
      gone.app.server.closeAllConnections()
      await gone.app.close()
      const after = await Promise.all(Array.from({ length: REQUESTS }, () => create(url)))
      expect(after.toSorted((a, b) => a - b)).toEqual(ids.map((id) => id + REQUESTS))
    },
  )

  it('have the same balancer with compose, where only addresses are others', () => {
    const composed = readSample('haproxy-compose.cfg')
      .replaceAll(/gateway-(\d):8080/g, '127.0.0.1:800$1')
      .replace('bind :8080', 'bind 127.0.0.1:8080')
      .replace(' resolvers docker init-addr last,libc,none', '')
    const rulesOf = (text: string): string => text.slice(text.indexOf('defaults\n'))
    expect(rulesOf(composed)).toBe(rulesOf(readSample('haproxy-state.cfg')))
  })
})

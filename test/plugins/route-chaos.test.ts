import { expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { SimAPI } from '../../src/api.ts'
import type { RouteChaos } from '../../src/engine/chaos-rule.ts'
import type { Plugin } from '../../src/pipeline/route.ts'

const BUSY: RouteChaos = {
  errors: {
    ...{ rate: 1, codes: [503], latency: { distribution: 'fixed', ms: 7 } },
    answers: { 503: { headers: { 'retry-after': '9', 'content-type': 'text/plain' }, text: 'busy' } },
  },
}

async function answerOf(chaos: RouteChaos, sleeps: number[] = [], rules: readonly object[] = []) {
  const api = new SimAPI({ seed: 1 }).get('/a', { chaos, output: { const: 'x'.repeat(1000) } })
  const clock: Plugin = {
    name: 'clock',
    before: 'count',
    plan(_route, session) {
      session.clock.freeze(0)
      session.clock.sleep = async (ms) => void sleeps.push(ms)
      return undefined
    },
  }
  const app = createGateway({ ...api.gatewayOptions(), plugins: [clock], chaos: { rules } })
  const { statusCode, headers, body } = await app.inject('/a')
  const { log } = (await app.inject('/__sim/chaos')).json<{ log: readonly { rule: string }[] }>()
  await app.close()
  return { statusCode, headers, body, rules: log.map(({ rule }) => rule) }
}

it('answers failures of a route as it says, after as long as it says', async () => {
  const sleeps: number[] = []
  const { statusCode, headers, body, rules } = await answerOf(BUSY, sleeps)
  expect([statusCode, headers['retry-after'], headers['content-type'], body, rules, sleeps]).toEqual([
    ...[503, '9', 'text/plain', 'busy'],
    ['route'],
    [7],
  ])
})

it('comes after the rules of the gateway', async () => {
  const { statusCode, rules } = await answerOf(BUSY, [], [{ name: 'own', errors: { rate: 1, codes: [500] } }])
  expect([statusCode, rules]).toEqual([500, ['own']])
})

it('sends the body over the share of the time that is its own', async () => {
  const sleeps: number[] = []
  const { body } = await answerOf({ latency: { distribution: 'fixed', ms: 100, body: 0.4 } }, sleeps)
  expect(body).toBe(JSON.stringify('x'.repeat(1000)))
  const [before, ...during] = sleeps
  expect(before).toBe(60)
  expect(during.at(-1)).toBe(40)
  expect(during.toSorted((a, b) => a - b)).toEqual(during)
  expect(during.length).toBeGreaterThan(1)
})

it('is refused where it cannot be, in code too', () => {
  expect(() => new SimAPI().get('/a', { chaos: { errors: { rate: 2 } } })).toThrow(
    'chaos must be a rule of chaos for one route (errors: rate: Value must be <= 1)',
  )
})

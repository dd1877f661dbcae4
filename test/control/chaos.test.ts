import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { ErrorCase, ScenarioStep } from '../../src/engine/error-case.ts'
import { open } from './ask.ts'

describe('chaos on the control plane', () => {
  it('is read: rules, seed and what it did', async () => {
    const { ask } = open({
      chaos: {
        rules: [
          {
            match: { path: '/users' },
            requests: { to: 1 },
            errors: { rate: 1, codes: [503] },
            rateLimit: { requests: 9, perSeconds: 2 },
            faults: { 'slow-body': { rate: 0, bytesPerSecond: 10 } },
          },
        ],
      },
    })
    await ask('GET', '/users')
    await ask('GET', '/users')
    expect((await ask('GET', '/__sim/chaos')).body).toEqual({
      seed: 7,
      rules: [
        {
          name: 'rule 1',
          match: { path: '/users' },
          requests: { to: 1 },
          errors: { rate: 1, codes: [503] },
          rate_limit: { requests: 9, per_seconds: 2 },
          faults: { 'slow-body': { rate: 0, bytes_per_second: 10 } },
        },
      ],
      log: [{ route: 'GET /users', ordinal: 0, rule: 'rule 1', status: 503 }],
    })
    expect((await ask('GET', '/__sim/chaos?limit=0')).body.log).toEqual([])
  })

  it('reports failures by the options of routes too', async () => {
    const api = new SimAPI({ seed: 7 })
    const input = Type.Object({ name: Type.String() })
    api.get('/mapped', { input, errors: [ErrorCase({ when: ({ name }) => name === 'x', status: 404 })] })
    api.get('/steps', { scenario: [ScenarioStep({ status: 503 }), ScenarioStep({ status: 200 })] })
    api.get('/often', { errorRate: 1, errorCodes: [502] })
    const { ask } = open({}, api)
    for (const url of ['/mapped?name=x', '/mapped?name=y', '/steps', '/steps', '/often'])
      await ask('GET', url)
    expect((await ask('GET', '/__sim/chaos')).body.log).toEqual([
      { route: 'GET /often', ordinal: 0, rule: 'error rate', status: 502 },
      { route: 'GET /steps', ordinal: 0, rule: 'scenario', status: 503 },
      { route: 'GET /mapped', ordinal: 0, rule: 'mapped error', status: 404 },
    ])
  })

  it('is changed while requests come, and ended', async () => {
    const { ask } = open()
    const statusOf = async () => (await ask('GET', '/users')).status
    expect(await statusOf()).toBe(200)
    const rule = { errors: { rate: 1, codes: { 429: 1 } } }
    expect((await ask('PUT', '/__sim/chaos', { rules: [rule] })).body).toMatchObject({ rules: [rule] })
    expect(await statusOf()).toBe(429)
    expect((await ask('PUT', '/__sim/chaos', { preset: 'brownout' })).body.rules[0].name).toBe('brownout')
    expect((await ask('DELETE', '/__sim/chaos')).body).toEqual({ seed: 7, rules: [], log: [] })
    expect(await statusOf()).toBe(200)
  })

  it.for([
    [{ preset: 'mayhem' }, ['body', 'preset'], 'Presets: flaky, slow-3g, brownout, outage'],
    [{ rules: [{ error: {} }] }, ['body', 'error'], 'Unknown field'],
    [{ rules: [{ errors: { rate: 2 } }] }, ['body', 'rules', 0, 'errors', 'rate'], 'must be <= 1'],
    [
      { rules: [{ errors: { rate: 0.8 }, faults: { reset: 0.4 } }] },
      ['body', 'rules', 0],
      'must not exceed 1',
    ],
    [
      { rules: [{ latency: { distribution: 'normal', mean: 1 } }] },
      ['body', 'rules', 0, 'latency'],
      'mean and sd',
    ],
  ] as const)('is refused where it cannot be: %j', async ([chaos, loc, message]) => {
    const { ask } = open()
    const { status, body } = await ask('PUT', '/__sim/chaos', chaos)
    expect(status).toBe(422)
    expect(body.detail[0].loc.at(-1)).toBe(loc.at(-1))
    expect(body.detail[0].msg).toContain(message)
    expect((await ask('GET', '/__sim/chaos')).body.rules).toEqual([])
  })
})

it('says beforehand what will happen to the next requests of a route', async () => {
  const { ask } = open({ chaos: { rules: [{ errors: { rate: 0.5, codes: [503] } }] } })
  await ask('GET', '/users')
  const { body: planned } = await ask('GET', '/__sim/chaos/schedule?route=GET%20/users&count=10')
  const came = []
  for (let i = 0; i < 10; i++) came.push((await ask('GET', '/users')).status)
  expect(planned.map(({ status = 200 }) => status)).toEqual(came)
  expect(new Set(came).size).toBe(2)
  expect((await ask('GET', '/__sim/chaos/schedule?route=users')).status).toBe(404)
})

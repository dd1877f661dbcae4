import { describe, expect, it } from 'vitest'
import { findChaosProblems, readChaos, rulesOf, toData } from '../../plugins/chaos/read-rules.ts'
import { PRESETS } from '../../plugins/chaos/presets.ts'

const DATA = {
  preset: 'flaky',
  rules: [
    {
      name: 'all',
      match: { methods: ['GET'], path: '/**', host: '*', headers: { rate_limit: 'x' } },
      requests: { from: 1, to: 10 },
      seconds: { from: 0.5 },
      latency: { distribution: 'lognormal', p50: 1, p99: 2, rate: 0.5 },
      errors: { rate: 0.1, codes: { 500: 1 } },
      faults: { reset: 0.1, 'slow-body': { rate: 0.1, bytes_per_second: 100 } },
      rate_limit: { requests: 5, per_seconds: 60, by: 'token' },
    },
  ],
}

describe('chaos in files', () => {
  it('is read with the names that it has in code, and written with its own', () => {
    const options = readChaos(DATA)
    expect(options.rules?.[0]).toMatchObject({
      rateLimit: { requests: 5, perSeconds: 60 },
      faults: { 'slow-body': { bytesPerSecond: 100 } },
      match: { headers: { rate_limit: 'x' } },
    })
    expect(toData(options)).toEqual(DATA)
  })

  it('has the rules of its preset after its own', () => {
    expect(rulesOf(readChaos(DATA)).map(({ name }) => name)).toEqual(['all', 'flaky'])
    expect(rulesOf({})).toEqual([])
  })

  it('has presets that can be', () => {
    for (const [preset, rules] of Object.entries(PRESETS)) {
      expect(findChaosProblems(toData({ rules }))).toEqual([])
      expect(rulesOf({ preset })).toEqual(rules)
    }
  })

  it.for([
    [{ rules: {} }, 'chaos.rules: Value must be array'],
    [{ preset: 'x' }, "chaos.preset: 'x' is not a preset. Presets: flaky, slow-3g, brownout, outage"],
    [{ rules: [{ latency: -1 }] }, 'chaos.rules.0.latency: Value must be >= 0'],
    [{ rules: [{ latency: 'slow' }] }, 'chaos.rules.0.latency: Value must be number,object'],
    [{ rules: [{ latency: { p50: 1 } }] }, 'chaos.rules.0.latency.distribution: Field required'],
    [{ rules: [{ latency: { distribution: 'fixed', ms: 1, sd: 1 } }] }, 'fixed takes ms, in milliseconds'],
    [{ rules: [{ latency: { distribution: 'lognormal', p50: 9, p99: 1 } }] }, 'p50 must be more than 0'],
    [{ rules: [{ latency: { distribution: 'lognormal', p50: 0, p99: 1 } }] }, 'p50 must be more than 0'],
    [{ rules: [{ latency: { distribution: 'uniform', min: 9, max: 1 } }] }, 'min must not be more than max'],
    [
      { rules: [{ latency: { distribution: 'percentiles', percentiles: { 50: 9, 95: 1 } } }] },
      'a percentile must not be less than a lower one',
    ],
    [{ rules: [{ errors: { rate: 0.1, codes: [] } }] }, 'chaos.rules.0.errors.codes'],
    [
      { rules: [{ errors: { rate: 0.1, codes: [200] } }] },
      'chaos.rules.0.errors.codes.0: Value must be >= 400',
    ],
    [
      { rules: [{ errors: { rate: 0.1, codes: { 302: 1 } } }] },
      'chaos.rules.0.errors.codes.302: Unknown field',
    ],
    [{ rules: [{ faults: { explode: 1 } }] }, 'chaos.rules.0.faults.explode: Unknown field'],
    [{ rules: [{ erors: { rate: 1 } }] }, "chaos.rules.0.erors: Unknown field. Did you mean 'errors'?"],
    [{ rules: [{ match: { pth: '/' } }] }, "chaos.rules.0.match.pth: Unknown field. Did you mean 'path'?"],
    [{ rules: [{ faults: { reset: { rate: 1, bytes_per_second: 1 } } }] }, 'Unknown field'],
    [{ rules: [{ faults: { reset: 0.6, hang: 0.6 } }] }, 'add up to 1.2, and must not exceed 1'],
    [
      { rules: [{ errors: { rate: 0.1, codes: [503], answers: { 500: { text: 'x' } } } }] },
      'chaos.rules.0.errors.answers.500: 500 is none of the codes',
    ],
    [
      { rules: [{ errors: { rate: 0.1, latency: { distribution: 'fixed' } } }] },
      'chaos.rules.0.errors.latency: fixed takes ms',
    ],
    [{ rules: [{ requests: { from: 0 } }] }, 'chaos.rules.0.requests.from: Value must be >= 1'],
    [{ rules: [{ requests: { from: 9, to: 3 } }] }, "'from' must not be greater than 'to'"],
    [{ rules: [{ seconds: { from: 9, to: 3 } }] }, "'from' must not be greater than 'to'"],
    [{ rules: [{ rate_limit: { requests: 1, by: 'cookie' } }] }, 'chaos.rules.0.rate_limit.by'],
  ] as const)('is refused where it cannot be: %j', ([data, message]) => {
    expect(() => readChaos(data)).toThrow(message)
  })

  it('is refused in code as well', () => {
    expect(() => rulesOf({ rules: [{ faults: { reset: 3 } }] })).toThrow('chaos.rules.0.faults.reset')
  })
})

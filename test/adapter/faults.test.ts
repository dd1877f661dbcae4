import { describe, expect, it } from 'vitest'
import { createFaults, type FaultRule } from '../../src/adapter/faults.ts'
import { OptionInvalid } from '../../src/errors.ts'

function statuses(
  rules: readonly FaultRule[],
  count: number,
  operation = 'list',
  seed = 1,
): (number | undefined)[] {
  const faults = createFaults(seed, rules)
  return Array.from({ length: count }, () => faults.decide(operation, 'before').failure?.status)
}

describe('fault rules', () => {
  it('injectFault every request, or those of an operation', () => {
    expect(statuses([{ status: 503 }], 2)).toEqual([503, 503])
    expect(statuses([{ status: 503, operation: 'get*' }], 1)).toEqual([undefined])
    expect(statuses([{ status: 503, operation: 'l?st' }], 1)).toEqual([503])
  })

  it('begin after some requests and end after some more', () => {
    expect(statuses([{ status: 503, skip: 1, times: 2 }], 5)).toEqual([
      undefined,
      503,
      503,
      undefined,
      undefined,
    ])
  })

  it('give way to the next once they are through', () => {
    const rules = [
      { status: 503, times: 1 },
      { status: 429, times: 2 },
    ]
    expect(statuses(rules, 4)).toEqual([503, 429, 429, undefined])
  })

  it('injectFault a share of requests, the same for the same seed', () => {
    const rules = [{ status: 500, rate: 0.3 }]
    const first = statuses(rules, 1000)
    const failed = first.filter((status) => status === 500).length
    expect(failed).toBeGreaterThan(230)
    expect(failed).toBeLessThan(370)
    expect(statuses(rules, 1000)).toEqual(first)
    expect(statuses(rules, 1000, 'list', 2)).not.toEqual(first)
  })

  it('are met before or after the state changed', () => {
    const faults = createFaults(1, [{ status: 503, when: 'after', code: 'OVERLOADED', retryAfterSeconds: 2 }])
    expect(faults.decide('list', 'before').failure).toBeUndefined()
    expect(faults.decide('list', 'after').failure).toEqual({
      kind: 'injected',
      status: 503,
      code: 'OVERLOADED',
      retryAfterSeconds: 2,
    })
  })

  it('wait, with jitter that the seed draws', () => {
    const waits = (seed: number) => {
      const faults = createFaults(seed, [{ latencyMs: 100, jitterMs: 50 }, { latencyMs: 1 }])
      return [1, 2, 3].map(() => faults.decide('list', 'before').waitMs)
    }
    expect(waits(1)).toEqual(waits(1))
    expect(waits(1)).not.toEqual(waits(2))
    expect(new Set(waits(1)).size).toBe(3)
    expect(waits(1).every((ms) => ms >= 101 && ms < 151)).toBe(true)
  })

  it('can be added, replaced, cleared and set back', () => {
    const faults = createFaults(1, [{ status: 500, times: 1 }])
    faults.add({ status: 502 })
    expect(faults.rules).toHaveLength(2)
    faults.set([{ status: 504 }])
    expect(faults.decide('list', 'before').failure?.status).toBe(504)
    faults.clear()
    expect(faults.decide('list', 'before')).toEqual({ waitMs: 0, failure: undefined })
    faults.reset()
    expect(faults.decide('list', 'before').failure?.status).toBe(500)
    expect(faults.decide('list', 'before').failure).toBeUndefined()
    faults.reset()
    expect(faults.decide('list', 'before').failure?.status).toBe(500)
  })

  it.for([
    [{ status: 200 }, 'status'],
    [{ rate: 2 }, 'rate'],
    [{ latencyMs: -1 }, 'latencyMs'],
    [{ times: 1.5 }, 'times'],
    [{ when: 'never' }, 'when'],
    [{ stauts: 500 }, 'stauts: Unknown field'],
    ['none', 'Value must be object'],
  ] as const)('cannot be %j', ([rule, message]) => {
    const faults = createFaults(1, [{ status: 500 }])
    expect(() => faults.set([rule as unknown as FaultRule])).toThrow(OptionInvalid)
    expect(() => faults.add({ status: 501 }, rule as unknown as FaultRule)).toThrow(message)
    expect(faults.rules).toEqual([{ status: 500 }])
  })
})

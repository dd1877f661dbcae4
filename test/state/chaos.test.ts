import { describe, expect, it } from 'vitest'
import { createMatchRule, type Occasion } from '../../src/state/chaos.ts'
import type { ChaosRule } from '../../src/engine/chaos-rule.ts'

const CALL: Occasion['call'] = {
  method: 'GET',
  host: 'api.example.com:8080',
  path: '/orders/7/items',
  headers: { 'x-canary': '1', accept: 'text/html', via: ['a', 'b'] },
}

describe('a rule', () => {
  it.for<[ChaosRule, boolean]>([
    [{}, true],
    [{ match: {} }, true],
    [{ match: { methods: ['get', 'POST'] } }, true],
    [{ match: { methods: ['POST'] } }, false],
    [{ match: { path: '/orders/**' } }, true],
    [{ match: { path: '/orders/*' } }, false],
    [{ match: { path: '/orders/*/items' } }, true],
    [{ match: { path: '/{users,orders}/**' } }, true],
    [{ match: { host: '*.example.com' } }, true],
    [{ match: { host: '*.EXAMPLE.com:8080' } }, true],
    [{ match: { host: 'example.com' } }, false],
    [{ match: { headers: { 'X-Canary': '1' } } }, true],
    [{ match: { headers: { accept: '*' } } }, true],
    [{ match: { headers: { via: 'b' } } }, true],
    [{ match: { headers: { 'x-canary': '2' } } }, false],
    [{ match: { headers: { missing: '*' } } }, false],
    [{ match: { path: '/orders/**', methods: ['POST'] } }, false],
  ])('%j is for a request: %s', ([rule, expected]) => {
    expect(createMatchRule(rule)({ call: CALL, ordinal: 0, seconds: 0 })).toBe(expected)
  })

  it.for<[ChaosRule['requests'], number[]]>([
    [{ from: 2, to: 3 }, [2, 3]],
    [{ from: 4 }, [4, 5]],
    [{ to: 1 }, [1]],
  ])('is for the n-th requests %j', ([requests, expected]) => {
    const matches = createMatchRule({ ...(requests && { requests }) })
    expect([1, 2, 3, 4, 5].filter((n) => matches({ call: CALL, ordinal: n - 1, seconds: 0 }))).toEqual(
      expected,
    )
  })

  it('is for a time', () => {
    const matches = createMatchRule({ seconds: { from: 10, to: 20 } })
    const times = [0, 9.9, 10, 15, 20, 20.1]
    expect(times.filter((seconds) => matches({ call: CALL, ordinal: 0, seconds }))).toEqual([10, 15, 20])
  })
})

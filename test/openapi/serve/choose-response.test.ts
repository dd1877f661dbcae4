import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { responseFor, ruleOf, successOf } from '../../../src/openapi/serve/choose-response.ts'
import type { Operation, ResponseRule } from '../../../src/engine/operation.ts'
import { response } from './describing.ts'
import { appliedText, otherPreferences, readPreferences } from '../../../src/openapi/serve/prefer.ts'

function operationOf(...statuses: ResponseRule['status'][]): Operation {
  return { place: '', parameters: [], security: [], responses: statuses.map((status) => response(status)) }
}

describe('successOf', () => {
  it.for([
    [[404, 204, 200, 'default'], 200, 200],
    [['4XX', 'default', '2XX'], 200, '2XX'],
    [['default', 302, 301], 301, 301],
    [['3XX', 404], 300, '3XX'],
    [[404, 'default'], 200, 'default'],
    [[500, 404], 500, 500],
    [[101, 400, 500], 400, 400],
  ] as const)('of %j is %s', ([statuses, status, rule]) => {
    const chosen = successOf(operationOf(...statuses))
    expect([chosen.status, chosen.rule.status]).toEqual([status, rule])
  })

  it('is empty where nothing is declared', () => {
    for (const statuses of [[], [101]]) {
      const { status, rule } = successOf(operationOf(...statuses))
      expect([status, rule.content.size]).toEqual([200, 0])
    }
  })

  it('is the one of the status that the route has', () => {
    expect(successOf(operationOf(200, '2XX'), 202)).toMatchObject({ status: 202, rule: { status: '2XX' } })
    expect(successOf(operationOf(200), 202).status).toBe(200)
  })
})

describe('responseFor', () => {
  it('prefers the number to the class, and that to the default', () => {
    const operation = operationOf('default', '4XX', 404)
    const rules = ['404', '410', '500'].map((code) => responseFor(operation, code, 'GET /').rule.status)
    expect(rules).toEqual([404, '4XX', 'default'])
  })

  it.for(['404', 'abc', '100', '600', ''])('refuses %s where it is not declared', (code) => {
    expect(() => responseFor(operationOf(200), code, 'GET /pets')).toThrow('GET /pets declares no response')
  })

  it('finds no rule where there is none', () => {
    expect(ruleOf([], 404)).toBeUndefined()
    expect(() => responseFor(operationOf(), '200', 'GET /')).toThrow('it declares none')
  })
})

describe('readPreferences', () => {
  it.for([
    ['code=404', { code: '404' }],
    ['code=404, example=rex', { code: '404', example: 'rex' }],
    ['code=404; example=rex', { code: '404', example: 'rex' }],
    ['CODE = 404 ;; ,Example = "a \\"b\\", c"', { code: '404', example: 'a "b", c' }],
    ['code=404, code=500', { code: '404' }],
    ['dynamic=true', { dynamic: true }],
    ['dynamic', { dynamic: true }],
    ['dynamic=False', { dynamic: false }],
    ['respond-async; wait=10, foo="code=500", code=200', { code: '200' }],
    ['code=404 or so, example=rex', { example: 'rex' }],
    ['code=', {}],
    ['"code=404"', {}],
    ['', {}],
  ] as const)('reads %s', ([text, preferences]) => {
    expect(readPreferences({ prefer: text })).toEqual(preferences)
  })

  it('reads several headers, and none', () => {
    expect(readPreferences({ prefer: ['code=404', 'example=rex'] })).toEqual({ code: '404', example: 'rex' })
    expect(readPreferences({})).toEqual({})
  })

  it('reads back what it says was applied, whatever the example is called', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (example) => {
        expect(readPreferences({ prefer: appliedText({ code: '404', example }) })).toEqual({
          code: '404',
          example,
        })
      }),
    )
  })

  it('ends on every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', ';', ',', '=', ' ', 'a') }), (prefer) => {
        expect(readPreferences({ prefer })).toEqual({})
      }),
    )
  })
})

describe('otherPreferences', () => {
  it.for([
    ['respond-async', 'respond-async'],
    ['dynamic=true', undefined],
    ['code=404; return=minimal, Example="a, b"', 'return=minimal'],
    ['wait=10, dynamic, foo="code=500"', 'wait=10, foo="code=500"'],
    ['', ''],
  ] as const)('of %s are %s', ([text, others]) => {
    expect(otherPreferences(text)).toBe(others)
  })
})

describe('appliedText', () => {
  it('is nothing where nothing was', () => {
    expect(appliedText({})).toBeUndefined()
    expect(appliedText({ dynamic: true, code: undefined })).toBe('dynamic=true')
  })
})

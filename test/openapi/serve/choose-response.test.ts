import { describe, expect, it } from 'vitest'
import { responseFor, ruleOf, successOf } from '../../../src/openapi/serve/choose-response.ts'
import type { Operation, ResponseRule } from '../../../src/engine/operation.ts'
import { response } from './describing.ts'

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
  ] as const)('of %j is %s', ([statuses, status, rule]) => {
    const chosen = successOf(operationOf(...statuses))
    expect([chosen.status, chosen.rule.status]).toEqual([status, rule])
  })

  it('is empty where nothing is declared', () => {
    const { status, rule } = successOf(operationOf())
    expect([status, rule.content.size]).toEqual([200, 0])
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

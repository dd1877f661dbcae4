import { describe, expect, it } from 'vitest'
import { createSampleInput } from '../../../src/loaders/sampling/sample-input.ts'
import { PageParams, list } from '../../../src/engine/schema/list.ts'
import { PageTable } from '../../../src/engine/fixtures/page-table.ts'
import type { RouteOptions } from '../../../src/engine/route-options.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'

const text = { type: 'string', minLength: 1 }

function sample(method: Method, path: string, options: RouteOptions, attempt = 0): unknown {
  return createSampleInput(createRoute(method, path, options), 1)(attempt)
}

describe('the sample input', () => {
  it('of a route without a model is empty', () => {
    expect(sample('POST', '/x', {})).toEqual({})
  })

  it('of a GET has what must be given and nothing else', () => {
    const input = {
      type: 'object',
      properties: { a: text, b: text, c: { ...text, default: 'c' }, id: text },
      required: ['a', 'c'],
    }
    expect(Object.keys(sample('GET', '/x/{id}', { input }) as object).toSorted()).toEqual(['a', 'id'])
    expect(sample('GET', '/x', { input: PageParams })).toEqual({})
  })

  it('of a GET has everything where the model does not let it go', () => {
    const input = { type: 'object', properties: { a: text, b: text }, minProperties: 2 }
    expect(Object.keys(sample('GET', '/x', { input }) as object)).toEqual(['a', 'b'])
  })

  it('of other methods has every field', () => {
    const input = { type: 'object', properties: { a: text, b: text } }
    expect(Object.keys(sample('PATCH', '/x', { input }) as object)).toEqual(['a', 'b'])
  })

  it('asks for few items and for the first page', () => {
    const input = {
      type: 'object',
      properties: { count: { type: 'integer' }, token: { type: 'string' } },
      required: ['count', 'token'],
    }
    const pageTable = new PageTable({ pages: { '': [] }, tokenField: 'token' })
    expect(
      sample('GET', '/x', { input, output: list({ type: 'object' }), listCount: 'count', pageTable }),
    ).toEqual({
      count: 3,
      token: '',
    })
  })

  it('keeps the model where few items are too few', () => {
    const input = {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 7, maximum: 7 } },
      required: ['count'],
    }
    expect(sample('GET', '/x', { input, output: list({}), listCount: 'count' })).toEqual({ count: 7 })
  })

  it('is another one for another attempt, and the same for the same', () => {
    const input = { type: 'object', properties: { a: { type: 'string', format: 'uuid' } }, required: ['a'] }
    expect(sample('GET', '/x', { input }, 0)).toEqual(sample('GET', '/x', { input }, 0))
    expect(sample('GET', '/x', { input }, 0)).not.toEqual(sample('GET', '/x', { input }, 1))
  })

  it('is none where nothing fits', () => {
    const input = { type: 'object', properties: { a: { type: 'integer', not: {} } }, required: ['a'] }
    expect(sample('POST', '/x', { input })).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import type { ItemRequest } from '../../../../src/collections/item-operations.ts'
import { bodyFieldsOf, createSuppliedReader } from '../../../../src/openapi/serve/resource/item-factory.ts'
import type { Item } from '../../../../src/state/store.ts'
import { described, json, query } from '../describing.ts'

const takes = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'integer', default: 3 } },
}
const route = described('POST', '/orgs/{org}/pets', [json(201, {})], {
  takes,
  parameters: [query('name', {})],
})
const operation = route.operation!

function request(body: unknown, input: Record<string, unknown>): ItemRequest {
  return {
    request: {
      method: 'POST',
      scheme: 'http' as const,
      host: 'a',
      path: '/orgs/7/pets',
      search: '',
      headers: {},
      body,
    },
    params: { org: '7' },
    input,
    path: '/orgs/7/pets',
    id: '',
  }
}

const suppliedFields = (asked: ItemRequest, wrapper: readonly string[]): Item =>
  createSuppliedReader({ ...route, operation }, wrapper).fields(asked)
const suppliedWithDefaults = (asked: ItemRequest, wrapper: readonly string[]): Item =>
  createSuppliedReader({ ...route, operation }, wrapper).withDefaults(asked)

describe('what a request supplies', () => {
  it('is the body, its values as they were read, and never a parameter', () => {
    const asked = request({ name: 'Rex', size: '4' }, { org: '7', name: 'from the query', size: 4 })
    expect(suppliedFields(asked, [])).toEqual({ name: 'Rex', size: 4 })
    expect(suppliedWithDefaults(asked, [])).toEqual({ name: 'Rex', size: 4 })
  })

  it('has defaults where they are asked for', () => {
    const asked = request({}, { org: '7', size: 3 })
    expect([suppliedFields(asked, []), suppliedWithDefaults(asked, [])]).toEqual([{}, { size: 3 }])
  })

  it('is opened where it is wrapped, and nothing where it is no object', () => {
    expect(suppliedFields(request({ pet: { name: 'Rex' } }, {}), ['pet'])).toEqual({ name: 'Rex' })
    expect(suppliedFields(request({ owner: { name: 'Rex' } }, {}), ['pet'])).toEqual({
      owner: { name: 'Rex' },
    })
    expect(suppliedFields(request([1], {}), ['pet'])).toEqual({})
  })
})

describe('bodyFieldsOf', () => {
  it('names the fields of the body, wrapped or not', () => {
    const wrapped = described('POST', '/pets', [], { takes: { type: 'object', properties: { pet: takes } } })
    expect(bodyFieldsOf(operation, ['pet'])).toEqual(['name', 'size'])
    expect(bodyFieldsOf(wrapped.operation!, ['pet'])).toEqual(['name', 'size'])
    expect(bodyFieldsOf(wrapped.operation!, [])).toEqual(['pet'])
    expect(bodyFieldsOf(described('POST', '/pets', []).operation!, [])).toEqual([])
  })
})

import { expect, it } from 'vitest'
import { pagedInput, pagedModel } from '../../../src/recording/inference/paged-model.ts'
import type { Paging } from '../../../src/recording/inference/paging.ts'

const PAGING: Paging = {
  parameters: { style: 'page', at: 'page', size: 'size', usualSize: 20, firstPage: 1 },
  field: 'data',
  fields: [
    { path: ['meta', 'total'], schema: {}, required: true, fact: 'total' },
    { path: ['next'], schema: {}, required: true, fact: 'next' },
  ],
  headers: {},
  lists: new Map(),
  varies: false,
  exchanges: 3,
}
const MODEL = {
  type: 'object',
  properties: {
    data: { type: 'array', minItems: 1, items: {} },
    meta: { type: 'object', properties: { total: { type: 'integer', minimum: 5, maximum: 50 } } },
    next: { type: 'string', enum: ['a', 'b'] },
  },
}

it('does not bound what speaks of pages', () => {
  expect(pagedModel(MODEL, PAGING)['properties']).toEqual({
    data: { type: 'array', items: {} },
    meta: { type: 'object', properties: { total: { type: 'integer', minimum: 0 } } },
    next: { type: ['string', 'null'] },
  })
})

it('says how long pages are that requests cannot say it of', () => {
  const paging = { ...PAGING, parameters: { ...PAGING.parameters, size: undefined } }
  expect(pagedModel(MODEL, paging)).toHaveProperty('properties.data.maxItems', 20)
})

it('gives requests what they do not say', () => {
  const input = {
    type: 'object',
    properties: { page: { type: 'integer' }, size: { type: 'integer' }, q: { type: 'string' } },
    required: ['page', 'q'],
  }
  expect(pagedInput(input, PAGING)).toEqual({
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, default: 1 },
      size: { type: 'integer', minimum: 0, default: 20 },
      q: { type: 'string' },
    },
    required: ['q'],
  })
  const cursor = { ...PAGING, parameters: { ...PAGING.parameters, style: 'cursor' as const } }
  expect(pagedInput(input, cursor)).toHaveProperty('properties.page', { type: 'string' })
  expect(pagedInput(undefined, PAGING)).toBeUndefined()
})

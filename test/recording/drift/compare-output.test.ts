import { expect, it } from 'vitest'
import { list } from '../../../src/engine/schema/list.ts'
import { compareOutput } from '../../../src/recording/drift/compare-output.ts'

const Node = {
  $defs: { name: { type: 'string' } },
  type: 'object',
  properties: { name: { $ref: '#/$defs/name' }, children: { type: 'array', items: { $ref: '#' } } },
  required: ['name'],
}

it('compares items of a list with their own model, whose references stay as they were', () => {
  const compare = compareOutput(list(Node))
  expect(compare([{ name: 'a', children: [{ name: 'b' }] }])).toEqual([])
  expect(compare([{ name: 1 }, { name: 2, children: [{}] }])).toMatchObject([
    { change: 'type changed', pointer: '/-/name' },
    { change: 'field removed', pointer: '/-/children/-/name' },
  ])
  expect(compare({ items: [] })).toMatchObject([{ change: 'type changed', pointer: '' }])
})

it('compares pages field by field', () => {
  const page = {
    'x-sim-page': 'offset',
    type: 'object',
    properties: { items: { type: 'array', items: Node }, total: { type: 'integer' } },
    required: ['items', 'total'],
  }
  expect(compareOutput(page)({ items: [{ name: 1 }], total: '1' })).toMatchObject([
    { change: 'type changed', pointer: '/total' },
    { change: 'type changed', pointer: '/items/-/name' },
  ])
})

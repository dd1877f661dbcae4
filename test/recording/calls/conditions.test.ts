import { describe, expect, it } from 'vitest'
import { areConditions, meets } from '../../../src/recording/calls/conditions.ts'
import { inOrderOf, orderingsOf } from '../../../src/recording/calls/orderings.ts'
import type { Item, Linked } from '../../../src/recording/calls/objects.ts'

const tea = { id: 1, name: 'Green Tea', price: 4.5, shop: 's1', sold: null }
const nothing = (): undefined => undefined

describe('conditions', () => {
  it.each<[object, boolean]>([
    [{ price: { _gt: 4, _lte: 4.5 } }, true],
    [{ price: { greaterThanOrEqualTo: 5 } }, false],
    [{ name: { _ilike: '%tea' } }, true],
    [{ name: { _like: 'g%n%' } }, true],
    [{ name: { _ilike: 'tea%' } }, false],
    [{ name: { startsWith: 'Green', mode: 'insensitive' } }, true],
    [{ id: { in: [2, 1] }, shopId: 's1' }, true],
    [{ id: { _nin: [1] } }, false],
    [{ _or: [{ id: { _eq: 9 } }, { _and: [{ id: { _eq: 1 } }, { sold: { isNull: true } }] }] }, true],
    [{ NOT: { price: { lt: 5 } } }, false],
    [{ sold: { gt: 0 } }, false],
    [{ name: 'Green Tea', price: { not: 4.5 } }, false],
  ])('%j is %s of an object', (conditions, isMet) => {
    expect(meets(tea, conditions, nothing)).toBe(isMet)
  })

  it('go on to objects within', () => {
    const linked: Linked = (item: Item, member) =>
      member === 'shop' ? [[{ id: item['shop'], town: 'Ulm' }, nothing]] : undefined
    expect(meets(tea, { shop: { town: { _eq: 'Ulm' } } }, linked)).toBe(true)
    expect(meets(tea, { shop: { town: { _eq: 'Bonn' } } }, linked)).toBe(false)
  })

  it('are such as compare members that are known', () => {
    const members = new Set(Object.keys(tea))
    expect(areConditions({ _and: [{ price: { _gt: 3 } }, { shopId: { eq: 's1' } }] }, members)).toBe(true)
    expect(areConditions({ size: { _gt: 3 } }, members)).toBe(false)
    expect(areConditions({ name: 'Green Tea' }, members)).toBe(false)
  })
})

describe('orderings', () => {
  const items = [
    { id: 1, unitPrice: 2, kind: 'b' },
    { id: 2, unitPrice: 3, kind: 'a' },
    { id: 3, unitPrice: 2, kind: 'a' },
  ]
  it.each<[unknown, readonly number[]]>([
    [
      [{ unitPrice: 'desc' }, { kind: 'asc' }],
      [2, 3, 1],
    ],
    ['UNIT_PRICE_DESC', [2, 1, 3]],
    [{ field: 'KIND', direction: 'ASC' }, [2, 3, 1]],
    [
      ['kind_asc', 'id_desc'],
      [3, 2, 1],
    ],
    ['-id', [3, 2, 1]],
    [{ id: 'desc_nulls_last' }, [3, 2, 1]],
  ])('%j is %j', (value, ids) => {
    const orderings = orderingsOf(value, new Set(['id', 'unitPrice', 'kind']))
    expect(inOrderOf(items, orderings ?? []).map(({ id }) => id)).toEqual(ids)
  })

  it('say nothing where they name no member', () => {
    expect(orderingsOf([{ size: 'asc' }], new Set(['id']))).toBeUndefined()
  })
})

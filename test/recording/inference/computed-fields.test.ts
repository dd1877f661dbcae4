import { expect, it } from 'vitest'
import { createComputed } from '../../../src/collections/computed-members.ts'
import { findComputedFields } from '../../../src/recording/inference/computed-fields.ts'

function bill(
  prices: readonly (readonly [number, number])[],
  discount = 0,
  fee = 3.5,
): Record<string, unknown> {
  const lines = prices.map(([price, quantity]) => ({ price, quantity, amount: price * quantity }))
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  return {
    ...{ id: prices.length, lines, places: lines.length, subtotal, discount, fee },
    total: subtotal - discount + fee,
  }
}

const BILLS = [
  bill([[12.5, 2]]),
  bill(
    [
      [12.5, 3],
      [7, 4],
    ],
    4.25,
    5,
  ),
  bill(
    [
      [99, 1],
      [3, 12],
      [8, 2],
    ],
    10,
  ),
]

it('finds products, sums over lists, and what is added and taken away', () => {
  const computes = findComputedFields(
    BILLS,
    new Set(['id', 'discount', 'fee', 'lines.price', 'lines.quantity']),
  )
  expect(computes).toEqual({
    '/lines/-/amount': 'price * quantity',
    '/places': 'count(lines)',
    '/subtotal': 'sum(lines.amount)',
    '/total': 'subtotal - discount + fee',
  })
  const other = bill(
    [
      [6, 7],
      [40, 2],
    ],
    8,
    1,
  )
  expect(createComputed(computes)({ ...other, subtotal: 0, total: 1, places: 9 })).toEqual(other)
})

it('takes no number for computed that one item contradicts, that is sent, or that few items show', () => {
  expect(
    findComputedFields(
      [...BILLS, { ...bill([[2, 2]]), total: 8, places: 2 }],
      new Set(['id', 'lines.amount']),
    ),
  ).toEqual({ '/subtotal': 'sum(lines.amount)' })
  expect(findComputedFields(BILLS.slice(0, 1), new Set())).toEqual({})
  const small = [1, 2, 3].map((id) => ({ id, a: id, b: id * 2, c: id * 3 }))
  expect(findComputedFields(small, new Set())).toEqual({})
})

it('rounds where answers do', () => {
  const rounded = BILLS.map((each, at): Readonly<Record<string, unknown>> => ({
    ...each,
    net: [24.58, 63.11, 143.61][at],
    rate: [0.1, 0.2, 0.3][at],
  }))
  const net = rounded.map((each) => ({
    ...each,
    lines: [],
    net: Number((Number(each['subtotal']) * Number(each['rate'])).toFixed(2)),
  }))
  expect(findComputedFields(net, new Set(['subtotal', 'rate', 'total', 'places']))).toMatchObject({
    '/net': 'round(subtotal * rate, 2)',
  })
})

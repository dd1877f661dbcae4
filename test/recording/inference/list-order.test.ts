import { expect, it } from 'vitest'
import { type ListEvent, type ListOrder, orderOf } from '../../../src/recording/inference/list-order.ts'

function page(offset: number, ids: string, total?: number): ListEvent {
  return { kind: 'page', offset, ids: ids.split(''), total }
}

/** Names of one letter; `.` for what is not known. */
function orderIn(events: readonly ListEvent[], seeds = ''): Omit<ListOrder, 'ids'> & { ids: string } {
  const { ids, ...order } = orderOf(events, seeds.split(''))
  return { ...order, ids: ids.map((id) => id ?? '.').join('') }
}

it('puts pages together that were read before and after changes', () => {
  const events: readonly ListEvent[] = [
    page(2, 'cd', 6),
    { kind: 'gone', id: 'd' },
    page(2, 'cb'),
    { kind: 'made', id: 'n' },
    page(4, 'en'),
    page(0, 'fa'),
  ]
  expect(orderIn(events)).toEqual({ ids: 'facdbe', isNewestFirst: false, agreed: 8, broken: 0 })
})

it('sees that new items are the first', () => {
  const events: readonly ListEvent[] = [
    page(0, 'bc'),
    { kind: 'made', id: 'n' },
    page(0, 'nb'),
    page(2, 'cd'),
  ]
  expect(orderIn(events)).toMatchObject({ ids: 'bcd', isNewestFirst: true, broken: 0 })
})

it('knows how many items no page shows, and where they are', () => {
  expect(orderIn([{ kind: 'made', id: 'n' }, page(1, 'bc', 6), page(4, 'en')]).ids).toBe('.bc.e')
})

it('takes what is said of the length for something else where pages do not agree with it', () => {
  expect(orderIn([page(0, 'ab', 2), page(2, 'cd', 2), page(4, 'e', 1)]).ids).toBe('abcde')
})

it('places what no page shows by its neighbours where it was chosen, or by its number', () => {
  const chosen: readonly ListEvent[] = [
    { kind: 'chosen', ids: ['a', 'x', 'c'] },
    { kind: 'gone', id: 'x' },
    page(0, 'ab', 3),
    page(2, 'c'),
  ]
  expect(orderIn(chosen, 'xabc').ids).toBe('axbc')
  const numbered: readonly ListEvent[] = [{ kind: 'gone', id: '4' }, page(0, '12', 5), page(4, '7')]
  expect(orderIn(numbered, '41257').ids).toBe('12.457')
})

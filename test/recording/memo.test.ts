import { expect, it } from 'vitest'
import { createMemo } from '../../src/recording/memo.ts'

it('remembers short texts, and forgets all when there are too many', () => {
  const memo = createMemo<number>(2)
  memo.set('a', 1)
  memo.set('b', 2)
  memo.set('x'.repeat(1000), 3)
  expect([memo.get('a'), memo.get('b'), memo.get('x'.repeat(1000))]).toEqual([1, 2, undefined])
  memo.set('c', 4)
  expect([memo.get('a'), memo.get('b'), memo.get('c')]).toEqual([undefined, undefined, 4])
})

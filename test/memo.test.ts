import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createMemo } from '../src/memo.ts'

it('remembers short texts, and forgets all when there are too many', () => {
  const memo = createMemo<number>(2)
  memo.set('a', 1)
  memo.set('b', 2)
  memo.set('x'.repeat(1000), 3)
  expect([memo.get('a'), memo.get('b'), memo.get('x'.repeat(1000))]).toEqual([1, 2, undefined])
  memo.set('c', 4)
  expect([memo.get('a'), memo.get('b'), memo.get('c')]).toEqual([undefined, undefined, 4])
})

it('does not keep the texts in memory that what it remembers is a piece of', () => {
  setFlagsFromString('--expose_gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const memo = createMemo<boolean>()
  const heldAfter = (count: number): number => {
    for (let index = 0; index < count; index++)
      memo.set(`${index} is the name of a member: ${'x'.repeat(1e6)}`.slice(0, 24), true)
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = heldAfter(1)
  expect(heldAfter(40) - before).toBeLessThan(10e6)
})

it('keeps texts apart that are not valid Unicode', () => {
  const memo = createMemo<number>()
  memo.set('\ud800', 1)
  memo.set('\ud801', 2)
  memo.set('\ufffd', 3)
  expect([memo.get('\ud800'), memo.get('\ud801'), memo.get('\ufffd')]).toEqual([1, 2, 3])
})

import { expect, it } from 'vitest'
import { leavesOf } from '../../../src/recording/inference/leaves.ts'

it('names what has no parts by its path, and the items of a list by one', () => {
  const answer = { items: [{ tag: 'a' }, { tag: null }], meta: { asked: 1 }, none: [] }
  expect([...leavesOf(answer)]).toEqual([
    ['items[].tag', ['a', null]],
    ['meta.asked', [1]],
  ])
  expect([...leavesOf(['x', 'y'])]).toEqual([['[]', ['x', 'y']]])
})

import { expect, it } from 'vitest'
import { findUnorderedLists } from '../../../src/recording/inference/unordered-lists.ts'
import { samplesOf } from './samples.ts'

const made = (sent: object, shown: object) => ['POST /images', { body: sent, response: shown }] as const

it.each<[string, string[], object, object]>([
  ['another order', ['tags'], { tags: ['a', 'b', 'c'] }, { id: 1, tags: ['b', 'c', 'a'] }],
  ['within an envelope', ['tags'], { image: { tags: [1, 2] } }, { image: { id: 1, tags: [2, 1] } }],
  ['sorted', [], { tags: ['b', 'c', 'a'] }, { id: 1, tags: ['a', 'b', 'c'] }],
  ['other values', [], { tags: ['a', 'b'] }, { id: 1, tags: ['b', 'x'] }],
  ['twice', [], { tags: ['a', 'a', 'b'] }, { id: 1, tags: ['b', 'a', 'a'] }],
])('are known by what is sent and comes back in another order: %s', (_how, names, sent, shown) => {
  expect([...findUnorderedLists(samplesOf(made(sent, shown)))]).toEqual(names)
})

import { expect, it } from 'vitest'
import { freshLike } from '../../../src/recording/match/nearest-answer.ts'

it.each([
  ['cus_4fQxJ2pLmA', /^cus_\d[a-z][A-Z][a-z][A-Z]\d[a-z][A-Z][a-z][A-Z]$/],
  ['g.usrvDLCC0IqUGKYT', /^g\.[a-z]{4}[A-Z]{4}\d[A-Z][a-z][A-Z]{5}$/],
  ['"3-825cb35de44c433bfb2df415563a19de"', /^"3-[0-9a-f]{32}"$/],
])('makes another value like %s', (value, form) => {
  const made = [1, 2].map((seed) => freshLike(value, { seed: `${seed}`, now: 0 }))
  expect(made).toEqual([expect.stringMatching(form), expect.stringMatching(form)])
  expect(new Set([value, ...made]).size).toBe(3)
})

import { expect, it } from 'vitest'
import { counted } from '../../src/cli/text.ts'

it.for([
  [0, '0 routes'],
  [1, '1 route'],
  [2, '2 routes'],
] as const)('%i is counted as %s', ([count, words]) => {
  expect(counted(count, 'route')).toBe(words)
})

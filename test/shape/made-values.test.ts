import { expect, it } from 'vitest'
import { madeKind } from '../../src/shape/made-values.ts'

it.for([
  ['W/"2026-03-04T05:06:07.008Z"', 'tag of a time'],
  ['"2026-03-04T05:06:07Z"', 'tag of a time'],
  ['2026-03-04T05:06:07Z', 'date-time'],
  ['W/"0a1b2c3d4e5f"', 'id of 16'],
  ['"2026-03-04"', undefined],
  ['"plain"', undefined],
] as const)('takes %s for %s', ([text, kind]) => {
  expect(madeKind(text)).toBe(kind)
})

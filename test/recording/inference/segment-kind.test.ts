import { expect, it } from 'vitest'
import { segmentKind } from '../../../src/recording/inference/segment-kind.ts'

it.for([
  ['2026-01-31', 'date'],
  ['2026-13-31', 'word'],
  ['42', 'number'],
  ['-1', 'number'],
  ['018f3c1e-7b1a-7c3e-9f00-0123456789ab', 'uuid'],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ulid'],
  ['5f3c9a1be4d0', 'hash'],
  ['deadbeefcafe', 'word'],
  ['users', 'word'],
  ['4x', 'word'],
  ['', 'word'],
])('takes %s for a %s', ([segment = '', kind]) => {
  expect(segmentKind(segment)).toBe(kind)
})

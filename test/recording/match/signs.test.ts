import { expect, it } from 'vitest'
import { sameSigns, signsOf } from '../../../src/recording/match/signs.ts'

it.for<readonly [string, string, string]>([
  ['sum(up', 'avg((', 'sum(up)'],
  ['count(go_info)', 'sum(up)', 'up{'],
  ['a["(("]', 'b["x"]', 'c["x"'],
  ['up', 'go_threads', '1+1'],
])('takes %s for more like %s than like %s', ([text, near, far]) => {
  const like = (other: string): number => sameSigns(signsOf(text), signsOf(other))
  expect(like(near)).toBeGreaterThan(like(far))
})

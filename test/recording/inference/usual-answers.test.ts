import { expect, it } from 'vitest'
import { foldPaths, type Folded } from '../../../src/recording/inference/fold-paths.ts'
import { findMentions } from '../../../src/recording/inference/mentions.ts'
import { usualAnswers, type UsualAnswers } from '../../../src/recording/inference/usual-answers.ts'
import { samplesOf } from './samples.ts'

function usualOf(method: string, path: string, statuses: readonly number[], isStored = false): UsualAnswers {
  const samples = samplesOf(
    ...statuses.map((status, index) => [`${method} ${path}${index}`, { status }] as const),
  )
  return usualAnswers(method, foldPaths(samples, findMentions(samples))[0] as Folded, isStored)
}

it.for<[string, string, number[], number, number]>([
  ['the success that came most', 'GET', [201, 200, 404, 404, 404, 200], 200, 2],
  ['a redirect where there is nothing else', 'GET', [302, 404, 404], 302, 1],
  ['the failure that came most where nothing succeeded', 'POST', [403, 500, 403], 403, 2],
])('takes %s', ([, method, statuses, status, count]) => {
  const found = usualOf(method, '/items/', statuses)
  expect([found.status, found.answered.length]).toEqual([status, count])
  expect(found.isFailure).toBe(status >= 400)
})

it('leaves it to a store to answer for items that are not there', () => {
  expect(usualOf('GET', '/items/', [404, 404], true)).toMatchObject({ status: 200, isMissed: true })
  expect(usualOf('DELETE', '/items/', [404, 404], true)).toMatchObject({ status: 204, isFailure: false })
  expect(usualOf('DELETE', '/items/', [404, 405], true)).toMatchObject({ isMissed: false, isFailure: true })
})

import { expect, it } from 'vitest'
import { tableOf } from '../../../src/recording/match/deciding-place.ts'

const answersTo = (urls: readonly string[], bodyOf: (url: URL) => unknown) =>
  urls.map((url) => ({ when: { url }, status: 200, body: bodyOf(new URL(url, 'http://x')) }))
const nameOf = (url: URL): unknown => url.searchParams.get('name')?.length

it.each<[string, string[], string | undefined]>([
  ['the only place that differs', ['/t?name=a', '/t?name=bb', '/t?name=ccc'], 'query/name'],
  [
    'the place whose values came again',
    ['/t?name=a&n=1', '/t?name=a&n=2', '/t?name=bb&n=3', '/t?name=ccc&n=4'],
    'query/name',
  ],
  ['no place of two that always differ', ['/t?name=a&n=1', '/t?name=bb&n=2', '/t?name=ccc&n=3'], undefined],
  ['no place of too few values', ['/t?name=a', '/t?name=bb'], undefined],
])('finds %s', (_, urls, place) => {
  expect(tableOf(answersTo(urls, nameOf), 'GET')?.place).toBe(place)
})

it('finds none where one value had several answers, or requests change something', () => {
  const urls = ['/t?name=a', '/t?name=a', '/t?name=b', '/t?name=c']
  let count = 0
  expect(
    tableOf(
      answersTo(urls, () => count++),
      'GET',
    ),
  ).toBeUndefined()
  expect(tableOf(answersTo(urls, nameOf), 'PUT')).toBeUndefined()
})

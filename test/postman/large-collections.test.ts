import { expect, it } from 'vitest'
import { readCollection } from '../../src/postman/collection.ts'
import { toOpenApi } from '../../src/postman/to-openapi.ts'

// What takes the square of these does not end in the time of a test.
const converted = (...item: readonly object[]): ReturnType<typeof toOpenApi> =>
  toOpenApi(readCollection({ info: { name: 'Large' }, item }))
const timesOf = (count: number): readonly number[] => [...Array(count).keys()]

it('has thousands of requests without an answer', () => {
  const requests = timesOf(20_000).map((index) => ({ request: { method: 'GET', url: `/a/${index}` } }))
  expect(converted(...requests).saved.size).toBe(20_000)
})

it('has thousands of answers of one name', () => {
  const response = timesOf(5_000).map(() => ({ name: 'OK', code: 200, body: '1' }))
  const answers = converted({ request: { url: '/a' }, response }).saved.get('GET /a') ?? []
  expect([0, 1, 4_999].map((index) => answers[index]?.name)).toEqual(['OK', 'OK 2', 'OK 5000'])
})

it('has thousands of parameters of one name in a path', () => {
  const [path] = converted({ request: { url: { path: timesOf(100_000).map(() => ':id') } } }).saved.keys()
  expect(path?.split('/').at(-1)).toBe('{id100000}')
})

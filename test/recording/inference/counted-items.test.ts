import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

const todo = (id: number, done: boolean): Entry => [
  'POST /todos',
  { status: 201, body: { title: `no ${id}`, done }, response: { id, title: `no ${id}`, done } },
]
const count = (query: string, response: unknown): Entry => [`GET /todos/count${query}`, { response }]
const where = `?where=${encodeURIComponent('{"done":true}')}`
const read: Entry = ['GET /todos/2', { response: { id: 2, title: 'no 2', done: false } }]

function routeOf(...entries: Entry[]): unknown {
  const { routes } = toRouteFile(inferRoutes(samplesOf(...entries))).document
  return Object.entries(routes as object).find(([key]) => /count|first/.test(key))?.[1]
}

it('is the number of the items that there are, or that a request chooses', () => {
  const titles: Entry = ['GET /todos?fields=id', { response: [1, 2, 3].map((id) => ({ id })) }]
  const all = [todo(1, true), todo(2, false), read, todo(3, true), titles]
  expect(routeOf(count('', { count: 0 }), ...all, count('', { count: 3 }))).toMatchObject({
    item: { at: '/todos', counts: '/count' },
  })
  expect(routeOf(...all, count('', 3), count(where, 2))).toMatchObject({
    item: { at: '/todos', counts: '' },
    select: { where: 'where' },
  })
  expect(routeOf(...all, count('', 3), count('?done=false', 1))).toMatchObject({ select: { filter: 'any' } })
})

it('is another number where it was not that of the items', () => {
  expect(routeOf(todo(1, true), todo(2, false), read, count('', { count: 7 }))).not.toHaveProperty('item')
})

it('are answered by the first that a request chooses', () => {
  const filter = (title: string): string => encodeURIComponent(JSON.stringify({ where: { title } }))
  const item = (id: number, done: boolean) => ({ id, title: `no ${id}`, done })
  const first = (query: string, response: unknown, status = 200): Entry => [
    `GET /todos/first?${query}`,
    { status, response },
  ]
  const all = [todo(1, true), todo(2, false), read, todo(3, false)]
  const none = first(`filter=${filter('none')}`, { error: 'none' }, 404)
  const byFilter = [2, 3].map((id) => first(`filter=${filter(`no ${id}`)}`, item(id, false)))
  expect(routeOf(...all, ...byFilter, none)).toMatchObject({
    item: { at: '/todos', first: true },
    select: { where: 'filter.where' },
  })
  const byField = [first('done=true', item(1, true)), first('done=false', item(2, false))]
  expect(routeOf(...all, ...byField)).toMatchObject({ item: { first: true }, select: { filter: 'any' } })
  const other = [first('done=true', item(1, true)), first('done=false', item(3, false))]
  expect(routeOf(...all, ...other)).not.toHaveProperty('item.first')
})

import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

function routesOf(...entries: readonly Entry[]): Readonly<Record<string, unknown>> {
  const { document } = toRouteFile(inferRoutes(samplesOf(...entries)))
  return document['routes'] as Readonly<Record<string, unknown>>
}

it('has each route answer items where its own answers have them', () => {
  const tag = { name: 'owner', note: 'who owns it' }
  const changed = { ...tag, note: 'changed', colour: null }
  const read: Entry = ['GET /tags/owner', { response: { version: 1, tag: { ...tag, colour: null } } }]
  const routes = routesOf(
    ['POST /tags', { status: 201, body: tag, response: tag }],
    read,
    ['PUT /tags/owner', { body: { note: 'changed' }, response: { message: 'ok', saved: changed } }],
    ['GET /tags/owner', { response: { version: 1, tag: changed } }],
    ['DELETE /tags/owner', { response: { deleted: true, previous: changed } }],
    ['GET /tags/owner', { status: 404, response: { message: 'none' } }],
  )
  const answerOf = (key: string): unknown =>
    (routes[key] as { readonly item?: { readonly answer?: string } }).item?.answer
  expect(Object.keys(routes).map((key) => [key, answerOf(key)])).toEqual([
    ['POST /tags', undefined],
    ['GET /tags/{name}', '/tag'],
    ['PUT /tags/{name}', '/saved'],
    ['DELETE /tags/{name}', '/previous'],
  ])
})

it('leaves out what writes and other reads of an item do not show, and shows what lists alone have', () => {
  const made = (id: number) => ({ id, name: `n${id}`, secret: 'x' })
  const read = (id: number, more: object = {}) => ({ id, name: `n${id}`, kind: 'a', ...more })
  const routes = routesOf(
    ['POST /hosts', { status: 201, body: { name: 'n7', secret: 'x' }, response: made(7) }],
    ['GET /hosts/7', { response: read(7) }],
    ['POST /hosts', { status: 201, body: { name: 'n8', secret: 'x' }, response: made(8) }],
    ['GET /hosts/8', { response: read(8) }],
    ['GET /hosts', { response: [read(7, { uses: 0 }), read(8, { uses: 0 })] }],
    ['PUT /hosts/7', { body: { name: 'n9' }, response: { id: 7, name: 'n9' } }],
    ['GET /hosts/7', { response: read(7, { name: 'n9' }) }],
    ['DELETE /hosts/7', { response: { deleted: true, host: { id: 7, name: 'n9' } } }],
  )
  expect(routes['POST /hosts']).toMatchObject({ item: { begins: { uses: 0 } } })
  expect(routes['GET /hosts/{id}']).toMatchObject({ select: { hides: ['/uses'] } })
  expect(routes['PUT /hosts/{id}']).toMatchObject({ select: { hides: ['/kind', '/uses'] } })
  expect(routes['DELETE /hosts/{id}']).toMatchObject({
    item: { answer: '/host' },
    select: { hides: ['/kind', '/uses'] },
  })
})

it('takes what is posted to a path with one item for a change, where that is answered as it is read', () => {
  const settings = (title: string) => ({ title, zone: 'UTC', size: 10 })
  const routes = routesOf(
    ['GET /settings', { response: settings('Site') }],
    ['POST /settings', { body: { title: 'Other' }, response: settings('Other') }],
    ['GET /settings', { response: settings('Other') }],
  )
  expect(routes['POST /settings']).toMatchObject({ item: { only: true, does: 'change' } })
  expect(routes['GET /settings']).toMatchObject({ item: { only: true } })
})

it('unites what a list and a single item show of the entries of one member, and leaves out of each what it has not', () => {
  const made = (id: number) => ({ id, name: `n${id}` })
  const single = (id: number) => ({ ...made(id), places: [{ name: 'a', yes: 0 }] })
  const listed = (id: number) => ({ ...made(id), places: [{ name: 'a', no: false }] })
  const routes = routesOf(
    ...[1, 2].flatMap((id): readonly Entry[] => [
      ['POST /flags', { status: 201, body: { name: `n${id}` }, response: made(id) }],
      [`GET /flags/${id}`, { response: single(id) }],
    ]),
    ['GET /flags', { response: [listed(1), listed(2)] }],
  )
  expect(routes['POST /flags']).toMatchObject({
    item: { stores: { properties: { places: { const: [{ name: 'a', yes: 0, no: false }] } } } },
  })
  expect(routes['GET /flags/{id}']).toMatchObject({ select: { hides: ['/places/-/no'] } })
  expect(routes['GET /flags']).toMatchObject({ select: { hides: ['/places/-/yes'] } })
})

it('knows what a path makes and lists by what names it, where nothing has an id', () => {
  const tag = (value: string): object => ({ type: 'simple', value })
  const post = (value: string): Entry => [
    'POST /flags/f1/tags',
    { status: 201, body: tag(value), response: tag(value) },
  ]
  const list = (...values: string[]): Entry => [
    'GET /flags/f1/tags',
    { response: { version: 1, tags: values.map((value) => ({ ...tag(value), colour: '#fff' })) } },
  ]
  const routes = routesOf(list(), post('a'), post('b'), list('a', 'b'))
  expect(routes['POST /flags/f1/tags']).toMatchObject({ item: { id: '/value', ids: 'sent' } })
  expect(routesOf(list(), post('a'), post('a'), list('a', 'a'))['POST /flags/f1/tags']).not.toHaveProperty(
    'item',
  )
})

it('takes a thing that was not there until it was put for the only one, within an envelope beside what is empty', () => {
  const shown = (title: string, size: number) => ({ data: { id: 1, title, size }, meta: {} })
  const routes = routesOf(
    ['GET /api/posts/1', { response: { data: { id: 1, text: 'a' }, meta: {} } }],
    ['GET /api/setting', { status: 404, response: { error: 'Not Found' } }],
    ['PUT /api/setting', { body: { data: { title: 'Site', size: 5 } }, response: shown('Site', 5) }],
    ['GET /api/setting', { response: shown('Site', 5) }],
    ['PUT /api/setting', { body: { data: { size: 6 } }, response: shown('Site', 6) }],
    ['GET /api/setting', { response: shown('Site', 6) }],
  )
  const item = { only: true, answer: '/data' }
  expect(routes['GET /api/setting']).toMatchObject({ item })
  expect(routes['PUT /api/setting']).toMatchObject({ item: { ...item, body: '/data' } })
})

import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

type Routes = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

function routesOf(entries: readonly Entry[]): Routes {
  return toRouteFile(inferRoutes(samplesOf(...entries))).document['routes'] as Routes
}

const item = (id: number, owner: number) => ({ title: `item ${id}`, id, owner_id: owner })
const user = (id: number, ...items: object[]) => ({ email: `u${id}@x.org`, id, items })
const make = (id: number, owner: number): Entry => [
  `POST /users/${owner}/items`,
  { body: { title: `item ${id}` }, response: item(id, owner) },
]

it('finds items that are listed at one path alone, made at another, and shown within what they are of', () => {
  const routes = routesOf([
    ['POST /users', { body: { email: 'u1@x.org' }, response: user(1) }],
    ['POST /users', { body: { email: 'u2@x.org' }, response: user(2) }],
    ...[make(1, 1), make(2, 2), make(3, 1)],
    ['GET /items', { response: [item(1, 1), item(2, 2), item(3, 1)] }],
    ['GET /items?skip=1&limit=1', { response: [item(2, 2)] }],
    ['GET /users/1', { response: user(1, item(1, 1), item(3, 1)) }],
    ['GET /users', { response: [user(1, item(1, 1), item(3, 1)), user(2, item(2, 2))] }],
  ])
  expect(routes['POST /users/{owner_id}/items']).toMatchObject({ item: { at: '/items' } })
  const items = { at: '/items', by: 'owner_id', list: true }
  expect(routes['GET /users/{id}']).toMatchObject({ item: { embeds: { members: { items } } } })
})

it('finds one collection where what is listed below its owner is listed by itself, before more is made', () => {
  const routes = routesOf([
    ['GET /items', { response: [item(1, 1), item(2, 2), item(3, 1)] }],
    ['GET /users/2/items', { response: [item(2, 2)] }],
    ['GET /users/1/items', { response: [item(1, 1), item(3, 1)] }],
    make(4, 1),
    ['GET /users/1/items', { response: [item(1, 1), item(3, 1), item(4, 1)] }],
  ])
  expect(routes['POST /users/{owner_id}/items']).toMatchObject({ item: { at: '/items' } })
  expect(routes['GET /users/{owner_id}/items']).toMatchObject({ item: { at: '/items' } })
})

it('takes no list for that of what is made elsewhere, where it shows other things', () => {
  const routes = routesOf([
    ...[make(1, 1), make(2, 2)],
    ['GET /items', { response: [{ id: 1, rank: 'first' }] }],
  ])
  expect(routes['POST /users/{owner_id}/items']).not.toMatchObject({ item: { at: '/items' } })
})

it('knows names that were given to a path that makes what is beside it', () => {
  const volume = (Name: string, Options: unknown) => ({
    ...{ Name, Options, Driver: 'local', Scope: 'local' },
    Mountpoint: `/var/${Name}`,
  })
  const create = (Name: string): Entry => [
    'POST /volumes/create',
    { status: 201, body: { Name }, response: volume(Name, null) },
  ]
  const routes = routesOf([
    ...[create('data'), create('logs')],
    ['GET /volumes/logs', { response: volume('logs', {}) }],
    ['GET /volumes', { response: { Volumes: [volume('data', {}), volume('logs', {})] } }],
    ['DELETE /volumes/data', { status: 204 }],
    ['DELETE /volumes/data', { status: 404, response: { message: 'none' } }],
    ['GET /volumes/nope', { status: 404, response: { message: 'none' } }],
  ])
  expect(Object.keys(routes).toSorted()).toEqual([
    'DELETE /volumes/{Name}',
    'GET /volumes',
    'GET /volumes/{Name}',
    'POST /volumes/create',
  ])
  expect(routes['POST /volumes/create']).toMatchObject({ item: { at: '/volumes' } })
})

it('knows the form of ids by those that were not found, too', () => {
  const invalid = { detail: [{ loc: ['path', 'id'], msg: 'not an integer', type: 'type_error.integer' }] }
  const routes = routesOf([
    ['GET /users/1', { response: user(1) }],
    ['GET /users/99', { status: 404, response: { detail: 'User not found' } }],
    ['GET /users/foo', { status: 422, response: invalid }],
  ])
  expect(routes['GET /users/{id}']).toMatchObject({ input: { properties: { id: { type: 'integer' } } } })
})

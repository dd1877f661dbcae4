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

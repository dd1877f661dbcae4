import { expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

const box = (id: number, isLocked: boolean, color = 'red') => ({ id, isLocked, color })
const made = (id: number, isLocked: boolean): Entry => [
  'POST /boxes',
  { status: 201, body: { isLocked, color: 'red' }, response: box(id, isLocked) },
]
const removed = (id: number): Entry => [`DELETE /boxes/${id}`, { status: 204 }]
const refused = (id: number, error = 'refused'): Entry => [
  `DELETE /boxes/${id}`,
  { status: 403, response: { error } },
]
const unlocked = (id: number, color?: string): Entry => [
  `PATCH /boxes/${id}`,
  { body: { isLocked: false, ...(color && { color }) }, response: box(id, false, color) },
]

it.each<[string, Entry[], object | undefined]>([
  ['the refusal says so', [refused(1, 'isLocked: true'), removed(2)], { isLocked: [false] }],
  ['nothing else changed', [refused(1), unlocked(1), removed(1)], { isLocked: [false] }],
  ['it may have been another change', [refused(1), unlocked(1, 'blue'), removed(1)], undefined],
  ['one was removed in that state', [refused(1, 'isLocked: true'), removed(3)], undefined],
])('is what keeps items from being removed where %s', (_why, entries, from) => {
  const list: Entry = ['GET /boxes', { response: [box(1, true), box(2, false), box(3, true)] }]
  const all = [made(1, true), made(2, false), made(3, true), list, ...entries]
  const { document } = toRouteFile(inferRoutes(samplesOf(...all)))
  expect(document['routes']).toMatchObject({ 'DELETE /boxes/{id}': from ? { item: { from } } : {} })
  const text = JSON.stringify(document)
  expect(text.includes('"SIM_ITEM_IN_USE":{"status":403')).toBe(from !== undefined)
  expect(text.includes('"from"')).toBe(from !== undefined)
})

it('is heeded by what removes items', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const output = { type: 'object', properties: { id: { type: 'integer' }, isLocked: { type: 'boolean' } } }
  api.get('/boxes/{id}', { output })
  api.delete('/boxes/{id}', { item: { from: { isLocked: [false] } } })
  api.seedStore('/boxes', [box(1, true), box(2, false)])
  const app = api.asWebApp()
  const remove = async (id: number): Promise<number> =>
    (await app.inject({ method: 'DELETE', url: `/boxes/${id}` })).statusCode
  expect([await remove(1), await remove(2)]).toEqual([409, 204])
})

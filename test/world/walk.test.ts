import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Json } from '../corpus/json.ts'
import { createClient } from './client.ts'
import { drawsOf, SAID_TWICE } from './place.ts'
import { walk } from './walk.ts'
import { worldOf } from './world.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const pet = { type: 'object', properties: { id: integer, name: text, status: text } }
const toy = { type: 'object', properties: { id: integer, petId: integer, size: integer } }
const toys = {
  type: 'object',
  properties: { data: { type: 'array', items: toy }, total: integer, next: text },
}
const ok = (schema: object) => ({ 200: { description: 'OK', content: { 'application/json': { schema } } } })
const parameter = (name: string, place: string) => ({
  ...{ name, in: place, required: place === 'path' },
  schema: name === 'status' || name === 'name' ? text : integer,
})
const get = (schema: object, inPath: readonly string[], inQuery: readonly string[] = []) => ({
  get: {
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...inQuery.map((name) => parameter(name, 'query')),
    ],
    responses: ok(schema),
  },
})
const document = {
  openapi: '3.0.3',
  paths: {
    '/pets': get({ type: 'array', items: pet }, [], ['status', 'limit', 'offset']),
    '/pets/{petId}': get(pet, ['petId']),
    '/pets/named/{name}': get(pet, ['name']),
    '/toys': get(toys, [], ['limit', 'offset']),
    '/pets/{petId}/toys': get(toys, ['petId'], ['limit', 'offset']),
    '/pets/{petId}/toys/{toyId}': get(toy, ['petId', 'toyId']),
  },
}

type Answer = (path: string, given: URLSearchParams) => unknown
const pets = [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `p${id}`, status: id < 3 ? 'sold' : 'free' }))
const all = Array.from({ length: 18 }, (_, index) => ({ id: index + 1, petId: 1 + (index % 6), size: 2 }))
const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

/** The pets and their toys as an honest server answers them. */
const honest: Answer = (path, given) => {
  const [, first, second = '', third, fourth] = path.split('/')
  const offset = Number(given.get('offset') ?? 0)
  const limit = Number(given.get('limit') ?? 100)
  if (first === 'toys' || (third === 'toys' && fourth === undefined)) {
    const some = all.filter(({ petId }) => first === 'toys' || petId === Number(second))
    const next = offset + limit < some.length ? `${path}?limit=${limit}&offset=${offset + limit}` : null
    return { data: some.slice(offset, offset + limit), total: some.length, next }
  }
  if (third === 'toys') return all.find(({ id }) => id === Number(fourth))
  if (second !== '') return pets.find(({ id, name }) => second === String(id) || name === third)
  const status = given.get('status')
  const kept = pets.filter((each) => status === null || each.status === status)
  return kept.slice(offset, offset + limit)
}
const toysOf = (path: string): boolean => path.endsWith('/toys')
const change =
  (isOf: (path: string) => boolean, changed: (answer: Record<string, unknown>) => unknown): Answer =>
  (path, given) => {
    const answer = honest(path, given)
    return isOf(path) ? changed(answer as Record<string, unknown>) : answer
  }

async function rulesBroken(answer: Answer, described: Json = document): Promise<string[]> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const body = answer(pathname, searchParams)
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  ended.push(
    () => server.close(),
    () => client.close(),
  )
  const { findings } = await walk({ ...worldOf(described), client, writes: false }, 300, drawsOf(1))
  return [...new Set(findings.map(({ rule }) => rule))].toSorted()
}

it('finds nothing wrong with a server whose answers agree', async () => {
  expect(await rulesBroken(honest)).toEqual([])
})

it.for<[string, Answer]>([
  ['an id of a list leads nowhere', (path, given) => (path === '/pets/2' ? undefined : honest(path, given))],
  [
    'a list contradicts an item',
    (path, given) => (path === '/pets/2' ? { id: 2, status: 'lost' } : honest(path, given)),
  ],
  ['two items have one id', (path, given) => (path === '/pets' ? [...pets, pets[0]] : honest(path, given))],
  [
    'a filter lets others through',
    (path, given) => honest(path, new URLSearchParams([...given].filter(([name]) => name !== 'status'))),
  ],
  [
    'pages are not the list',
    (path, given) => honest(path, new URLSearchParams([...given].filter(([name]) => name !== 'offset'))),
  ],
  [
    'an item was changed before it was made',
    change(
      (path) => path === '/pets',
      (answer) =>
        Object.values(answer).map((each) => ({ ...(each as object), created_at: 2, updated_at: 1 })),
    ),
  ],
  [
    'what is looked up is another item',
    change(
      (path) => path.includes('/named/'),
      () => pets[0],
    ),
  ],
  [
    'what is looked up is not there',
    change(
      (path) => path.includes('/named/'),
      () => undefined,
    ),
  ],
  [
    'a list of all leaves an item out',
    change(
      (path) => path === '/toys',
      ({ data, ...rest }) => ({ ...rest, data: (data as unknown[]).slice(12) }),
    ),
  ],
  [
    'a list of all contradicts its part',
    change(
      (path) => path === '/toys',
      ({ data, ...rest }) => ({ ...rest, data: (data as object[]).map((each) => ({ ...each, size: 1 })) }),
    ),
  ],
  ['a total is not true', change(toysOf, (answer) => ({ ...answer, total: 4 }))],
  [
    'next pages are not the list',
    change(toysOf, ({ next, ...rest }) => ({ ...rest, next: next && '/toys?limit=2' })),
  ],
])('finds that %s', async ([rule, answer]) => {
  expect(await rulesBroken(answer)).toContain(rule)
})

it('holds against the description what its examples say of an item in two ways', async () => {
  const shown = (schema: object, example: unknown) => ({
    200: { description: 'OK', content: { 'application/json': { schema, example } } },
  })
  const { '/pets': many, '/pets/{petId}': one } = document.paths
  const [first, other] = [pets[0], { id: 1, status: 'lost' }]
  const withExamples = {
    ...document,
    paths: {
      '/pets': { get: { ...many.get, responses: shown({ type: 'array', items: pet }, [first]) } },
      '/pets/{petId}': { get: { ...one.get, responses: shown(pet, other) } },
    },
  }
  const asShown: Answer = (path, given) => (path === '/pets/1' ? other : honest(path, given))
  expect(await rulesBroken(asShown, withExamples)).toEqual([SAID_TWICE])
})

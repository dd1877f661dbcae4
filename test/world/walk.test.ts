import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Json } from '../corpus/json.ts'
import { createClient } from './client.ts'
import { drawsOf, SAID_TWICE, walk } from './walk.ts'
import { worldOf } from './world.ts'

const pet = { type: 'object', properties: { id: { type: 'integer' }, status: { type: 'string' } } }
const ok = (schema: object) => ({ 200: { description: 'OK', content: { 'application/json': { schema } } } })
const query = (name: string) => ({
  name,
  in: 'query',
  schema: { type: name === 'status' ? 'string' : 'integer' },
})
const document = {
  openapi: '3.0.3',
  paths: {
    '/pets': {
      get: {
        parameters: ['status', 'limit', 'offset'].map(query),
        responses: ok({ type: 'array', items: pet }),
      },
    },
    '/pets/{petId}': {
      get: {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: ok(pet),
      },
    },
  },
}

type Answer = (path: string, given: URLSearchParams) => unknown
const pets = [1, 2, 3, 4, 5, 6].map((id) => ({ id, status: id < 3 ? 'sold' : 'free' }))
const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

/** The pets as an honest server answers them. */
const honest: Answer = (path, given) => {
  if (path !== '/pets') return pets.find(({ id }) => path === `/pets/${id}`)
  const status = given.get('status')
  const kept = pets.filter((each) => status === null || each.status === status)
  const offset = Number(given.get('offset') ?? 0)
  return kept.slice(offset, offset + Number(given.get('limit') ?? 100))
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
  const { findings } = await walk({ ...worldOf(described), client, writes: false }, 80, drawsOf(1))
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
  ['a filter lets others through', (path) => honest(path, new URLSearchParams())],
  [
    'pages are not the list',
    (path, given) => honest(path, new URLSearchParams([...given].filter(([name]) => name !== 'offset'))),
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

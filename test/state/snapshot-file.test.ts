import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Type from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'

const folder = mkdtempSync(join(tmpdir(), 'sim-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

const User = Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'User' })

function users(): SimAPI {
  const api = new SimAPI({ seed: 1, stateful: true, store: { maxItems: 5 } })
  api
    .get('/users', { output: list(User) })
    .post('/users', { output: User })
    .get('/users/{id}', { output: User })
  return api.get('/orgs/{org}/users', { output: list(User) })
}

async function read(api: SimAPI, url: string): Promise<unknown> {
  return (await api.asWebApp().inject(url)).json()
}

describe('a seeded store', () => {
  it('answers with the items, in order, and gives ids to those without', async () => {
    const api = users()
    api.seedStore('/users', [{ id: 7, name: 'Ada' }, { name: 'Bob' }, { name: 'Eve' }])
    expect(await read(api, '/users')).toEqual([
      { id: 7, name: 'Ada' },
      { id: 1, name: 'Bob' },
      { id: 2, name: 'Eve' },
    ])
    expect(await read(api, '/users/7')).toEqual({ id: 7, name: 'Ada' })
  })

  it('takes its items from a fixture, whose path is relative to the calling file', async () => {
    const file = join(import.meta.dirname, 'seed-fixture.json')
    writeFileSync(file, JSON.stringify({ users: [{ id: 1, name: 'Ada' }], one: {} }))
    const api = users()
    api.seedStore('/users', { path: 'seed-fixture.json', pointer: '/users' })
    expect(await read(api, '/users/1')).toEqual({ id: 1, name: 'Ada' })
    api.seedStore('/orgs/1/users', { path: 'seed-fixture.json', pointer: '/users', unseen: [[0, 2]] })
    expect([...api.store.collection('/orgs/1/users').items()].map(({ id }) => id)).toEqual([2, 3, 1])
    expect(() => api.seedStore('/users', { path: 'seed-fixture.json', pointer: '/one' })).toThrow(
      "'/one' is not a list",
    )
    expect(() => api.seedStore('/users', { path: 'seed-fixture.json', pointer: '/two' })).toThrow(
      "'two' is missing",
    )
    expect(() => api.seedStore('/users', { path: 'nowhere.json' })).toThrow('nowhere.json is not there')
    rmSync(file)
  })

  it('takes concrete paths of nested collections', async () => {
    const api = users()
    api.seedStore('/orgs/7/users', [{ id: 1, name: 'Ada' }])
    expect(await read(api, '/orgs/7/users')).toHaveLength(1)
    expect(await read(api, '/orgs/8/users')).toEqual([])
  })

  it.for([
    ['/users', [{ id: 1, name: 2 }], '/users: item 0: name: Value must be string'],
    ['/users', [{ id: 1, name: 'a' }, 5], '/users: item 1 must be an object'],
    [
      '/users',
      [
        { id: 1, name: 'a' },
        { id: 1, name: 'b' },
      ],
      '/users already has an item with the id 1',
    ],
    [
      '/users',
      Array.from({ length: 6 }, (_, id) => ({ id, name: 'x' })),
      '/users holds 5 items, the most it may',
    ],
    ['/people', [], 'No route with an output model answers GET or POST /people'],
  ] as const)('refuses for %s the items %j, and stores none', async ([path, items, message]) => {
    const api = users()
    expect(() => api.seedStore(path, items)).toThrow(message)
    expect(await read(api, '/users')).toEqual([])
  })
})

describe('a saved store', () => {
  it('is restored by another app, ids going on where they were', async () => {
    const file = join(folder, 'store.json')
    const [first, second] = [users(), users()]
    const create = async (api: SimAPI) =>
      (await api.asWebApp().inject({ method: 'POST', url: '/users' })).json<{ id: number }>()
    await create(first)
    await create(first)
    first.saveStore(file)
    second.restoreStore(file)
    expect(await read(second, '/users')).toEqual(await read(first, '/users'))
    expect((await create(second)).id).toBe(3)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.for([
    ['', 'could not be read as a snapshot'],
    ['{}', 'its version is undefined, and only 1 is known'],
    ['null', 'its version is undefined'],
    ['{"version":1}', 'it has no collections'],
    ['{"version":1,"collections":{"/a":{"items":[]}}}', '/a does not say how many ids it assigned'],
    [
      '{"version":1,"collections":{"/a":{"assigned":0,"items":[["1"]]}}}',
      '/a does not hold pairs of id and item',
    ],
  ] as const)('refuses %s, and keeps what is stored', async ([text, message]) => {
    const file = join(folder, 'bad.json')
    writeFileSync(file, text)
    const api = users()
    api.seedStore('/users', [{ id: 1, name: 'kept' }])
    expect(() => api.restoreStore(file)).toThrow(message)
    expect(await read(api, '/users')).toHaveLength(1)
  })

  it('says so when the file cannot be read or written, and leaves the old one', () => {
    const file = join(folder, 'kept.json')
    users().saveStore(file)
    const before = readFileSync(file, 'utf8')
    expect(() => users().restoreStore(join(folder, 'nowhere.json'))).toThrow(
      'could not be read as a snapshot',
    )
    expect(() => users().saveStore(join(folder, 'nowhere', 'x.json'))).toThrow('The store could not be saved')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

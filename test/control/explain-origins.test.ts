import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { list, Paged, PageSlice, PageTable, SimAPI } from '../../src/index.ts'
import { open, type Asking } from './ask.ts'

const Item = Type.Object({ id: Type.Integer(), title: Type.String() }, { title: 'Item' })
const NewItem = Type.Object({ title: Type.String() })

async function explain({ ask }: Asking, id: number) {
  return (await ask('GET', `/__sim/requests/${id}/explain`)).body
}

function originsOf({ leaves }: { leaves: { pointer: string; origin: string }[] }): Record<string, string> {
  return Object.fromEntries(leaves.map(({ pointer, origin }) => [pointer, origin]))
}

describe('where the values of pages come from', () => {
  it('is the seed for items of generated pages, and the table for those declared beforehand', async () => {
    const api = new SimAPI({ seed: 4 })
    api.get('/feed', {
      input: Type.Object({ cursor: Type.Optional(Type.String()), limit: Type.Integer({ default: 1 }) }),
      output: Paged(
        Type.Object({ data: Type.Array(Item), next_cursor: Type.String(), kind: Type.Literal('feed') }),
      ),
      listCount: 3,
    })
    api.get('/rows', {
      input: Type.Object({ page_token: Type.Optional(Type.String()) }),
      output: PageSlice(Type.Object({ sku: Type.String() })),
      pageTable: new PageTable({
        pages: { '': [{ sku: 'a' }], p2: [{ sku: 'b' }] },
        nextTokens: { '': 'p2' },
      }),
    })
    const asking = open({}, api)
    await asking.ask('GET', '/feed')
    await asking.ask('GET', '/rows?page_token=p2')
    const [feed, rows] = [await explain(asking, 1), await explain(asking, 2)]
    expect(originsOf(feed)).toEqual({
      ...{ '/data/0/id': 'seed', '/data/0/title': 'seed', '/next_cursor': 'computed', '/kind': 'const' },
    })
    expect(rows.leaves[0]).toMatchObject({ pointer: '/items/0/sku', origin: 'page-table', name: 'p2' })
  })

  it('is the input for what is sent within lists and objects', async () => {
    const tag = Type.Object({ label: Type.String() })
    const api = new SimAPI({ seed: 4, stateful: true }).post('/things', {
      input: Type.Object({ tags: Type.Array(Type.String()), first: tag }),
      output: Type.Object({ id: Type.Integer(), tags: Type.Array(Type.String()), first: tag }),
      keepsSent: true,
    })
    const asking = open({}, api)
    await asking.ask('POST', '/things', { tags: ['red', 'blue'], first: { label: 'one' } })
    expect(originsOf(await explain(asking, 1))).toEqual({
      ...{ '/id': 'store', '/tags/0': 'input', '/tags/1': 'input', '/first/label': 'input' },
    })
  })
})

describe('what answered', () => {
  it('is run again without a body that nobody read', async () => {
    const api = new SimAPI({ seed: 4 }).post('/items', {
      input: NewItem,
      output: Item,
      bearerTokens: ['open'],
    })
    const asking = open({}, api)
    const { status } = await asking.ask('POST', '/items', { title: 'A'.repeat(20_000) })
    const { rerun, steps } = await explain(asking, 1)
    expect([status, rerun.same, steps]).toMatchObject([401, true, [{ name: 'auth', status: 401 }]])
  })

  it('is run again where a fault made it slow and left it whole', async () => {
    const rules = [{ name: 'slow', faults: { 'slow-body': { rate: 1, bytesPerSecond: 100_000 } } }]
    const asking = open({ chaos: { rules } }, new SimAPI({ seed: 4 }).get('/items', { output: list(Item) }))
    await asking.ask('GET', '/items')
    expect((await explain(asking, 1)).rerun).toMatchObject({ done: true, same: true })
  })

  it('is an override where there was one, whatever the route would answer', async () => {
    const asking = open({}, new SimAPI({ seed: 4 }).get('/items', { output: list(Item) }))
    await asking.ask('POST', '/__sim/overrides', { route: 'GET /items', status: 503, body: {}, times: 1 })
    await asking.ask('GET', '/items')
    const explained = await explain(asking, 1)
    expect(explained).toMatchObject({ answered_by: 'override', rerun: { done: false } })
    expect(explained.rerun.detail).toContain('override 1 answered it')
  })

  it('is not run again without a body that was read and not kept, and that says why', async () => {
    const asking = open({}, new SimAPI({ seed: 4 }).post('/items', { input: NewItem, output: Item }))
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    await asking.ask('POST', '/items', { title: 'A' }, { headers })
    await asking.ask('POST', '/items', { title: 'A'.repeat(20_000) })
    const [parts, long] = [await explain(asking, 1), await explain(asking, 2)]
    expect([parts.rerun.detail, long.rerun.detail]).toEqual([
      expect.stringContaining('a multipart body'),
      expect.stringContaining('more than 16 KiB'),
    ])
  })
})

it.each([
  ['a slip', '/ordesr', 'GET /orders', "its path has 'orders' where the request's has 'ordesr'"],
  ['another case', '/Orders', 'GET /orders', "its path has 'orders' where the request's has 'Orders'"],
  ['no base path', '/pets/7', 'GET /api/v1/pets/{id}', 'its path begins with /api/v1'],
  ['a base path too many', '/v1/orders', 'GET /orders', 'its path does not begin with /v1'],
])('names the route that is nearest to a path with %s', async (_what, path, route, detail) => {
  const api = new SimAPI({ seed: 4 })
  api
    .get('/orders', { output: Item })
    .get('/api/v1/pets/{id}', { output: Item })
    .get('/{tenant}/far/away', { output: Item })
  const asking = open({}, api)
  await asking.ask('GET', path)
  expect((await explain(asking, 1)).misses).toEqual([{ route, reason: 'path', detail }])
})

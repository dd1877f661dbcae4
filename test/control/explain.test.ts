import { join } from 'node:path'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import {
  ComputedFrom,
  createGateway,
  FromFaker,
  FromInput,
  list,
  PageParams,
  PaginatedResponse,
  ScenarioStep,
  SimAPI,
} from '../../src/index.ts'
import { loadApi } from '../../src/loaders/load-target.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { open, usersApi, type Asking } from './ask.ts'

const BAKERY = join(import.meta.dirname, '../repro/bakery.yaml')

interface Leaf {
  readonly pointer: string
  readonly origin: string
  readonly detail: string
}

async function explain({ ask }: Asking, id: number, headers = {}) {
  return (await ask('GET', `/__sim/requests/${id}/explain`, undefined, { headers })).body
}

function originsOf({ leaves }: { leaves: Leaf[] }): Record<string, string> {
  return Object.fromEntries(leaves.map(({ pointer, origin }) => [pointer, origin]))
}

function leafAt({ leaves }: { leaves: Leaf[] }, pointer: string): unknown {
  return leaves.find((leaf) => leaf.pointer === pointer)
}

const SAME = expect.objectContaining({ done: true, same: true, compared: 'bytes' })

describe('the explanation of a generated answer', () => {
  it('says of each value which link, format, name, enum or constant it comes from', async () => {
    const Row = Type.Object(
      {
        name: Type.String(FromInput('name')),
        email: Type.String({ format: 'email' }),
        city: Type.String(),
        motto: Type.String(FromFaker('company.catchPhrase')),
        label: Type.String(ComputedFrom(['name'], (name: string) => `<${name}>`)),
        kind: Type.Enum(['a', 'b']),
        form: Type.Literal(1),
        code: Type.String({ pattern: '^[A-Z]{3}$' }),
        tags: Type.Array(Type.Object({ size: Type.Integer() }), { minItems: 2, maxItems: 2 }),
      },
      { title: 'Row' },
    )
    const api = new SimAPI({ seed: 3 }).get('/rows', {
      input: Type.Object({ name: Type.String() }),
      output: list(Row),
      listCount: 2,
    })
    const asking = open({}, api)
    await asking.ask('GET', '/rows?name=Ada')
    const explained = await explain(asking, 1)
    expect(explained).toMatchObject({
      answered_by: 'route',
      route: 'GET /rows',
      rerun: SAME,
      leaves_left_out: 0,
    })
    expect(originsOf(explained)).toEqual(
      Object.fromEntries(
        [0, 1].flatMap((row) => [
          [`/${row}/name`, 'link'],
          [`/${row}/email`, 'seed'],
          [`/${row}/city`, 'seed'],
          [`/${row}/motto`, 'link'],
          [`/${row}/label`, 'link'],
          [`/${row}/kind`, 'enum'],
          [`/${row}/form`, 'const'],
          [`/${row}/code`, 'seed'],
          [`/${row}/tags/0/size`, 'seed'],
          [`/${row}/tags/1/size`, 'seed'],
        ]),
      ),
    )
    expect(leafAt(explained, '/1/name')).toMatchObject({
      link: 'fromInput',
      field: 'name',
      model: 'Row.name',
    })
    expect(leafAt(explained, '/0/motto')).toMatchObject({ link: 'fromFaker', faker: 'company.catchPhrase' })
    expect(leafAt(explained, '/0/email')).toMatchObject({ by: 'format email' })
    expect(leafAt(explained, '/0/city')).toMatchObject({ by: "its name 'city'" })
    expect(leafAt(explained, '/0/code')).toMatchObject({ by: 'pattern ^[A-Z]{3}$' })
  })

  it('names the file and the pointer of a fixture', async () => {
    using temporary = temporaryFolder()
    temporary.write('package.json', '{}')
    temporary.write('prices.json', '{"eur":{"amount":7}}')
    temporary.write(
      'sim.yaml',
      `routes:
  GET /price:
    output:
      type: object
      required: [price]
      properties:
        price:
          type: object
          properties: { amount: { type: integer } }
          x-sim-link: { fromJsonFixture: { path: prices.json, pointer: /eur } }
`,
    )
    const { api } = await loadApi('sim.yaml', 'served', temporary.path)
    const asking = open({}, api)
    expect((await asking.ask('GET', '/price')).body).toEqual({ price: { amount: 7 } })
    expect(leafAt(await explain(asking, 1), '/price/amount')).toMatchObject({
      ...{ origin: 'link', link: 'fromJsonFixture', file: 'prices.json', file_pointer: '/eur/amount' },
    })
  })

  it('says what is an example of a description, and what the collection begins with', async () => {
    const { api } = await loadApi(BAKERY, 'served')
    const asking = open({}, api)
    await asking.ask('GET', '/recipe')
    await asking.ask('GET', '/cakes/3')
    const [recipe, cake] = [await explain(asking, 1), await explain(asking, 2)]
    expect(recipe).toMatchObject({ rerun: SAME, place: expect.stringContaining('bakery.yaml') })
    expect(originsOf(recipe)).toEqual({ '/steps/0': 'example', '/steps/1': 'example' })
    expect(cake.rerun).toEqual(SAME)
    expect(leafAt(cake, '/baker/email')).toMatchObject({ origin: 'store', collection: '/cakes', item: '3' })
  })
})

describe('the explanation of an answer from the store', () => {
  it('is made on the store that the request met, whatever was changed since', async () => {
    const asking = open({}, usersApi())
    const { ask } = asking
    for (const name of ['Ada', 'Bob', 'Cy']) await ask('POST', '/users', { name })
    await ask('GET', '/users')
    await ask('GET', '/users/2')
    await ask('PUT', '/__sim/clock/freeze')
    for (let more = 0; more < 20; more++) await ask('POST', '/users', { name: 'later' })
    const [created, listed, read] = [
      await explain(asking, 2),
      await explain(asking, 4),
      await explain(asking, 5),
    ]
    expect([created.rerun, listed.rerun, read.rerun]).toEqual([SAME, SAME, SAME])
    expect(originsOf(created)).toEqual({ '/id': 'store', '/name': 'seed' })
    expect(listed.state).toMatchObject({ seed: 7, ordinal: 0, changes: 3 })
    expect(
      listed.leaves.map((leaf: Leaf & { item: string }) => [leaf.pointer, leaf.origin, leaf.item]),
    ).toEqual(
      ['1', '2', '3'].flatMap((item, at) => [
        [`/${at}/id`, 'store', item],
        [`/${at}/name`, 'store', item],
      ]),
    )
    expect(read.answered_by).toBe('store')
    // Nothing of this was done to the session itself.
    expect((await ask('GET', '/__sim/store')).body).toEqual({ '/users': 23 })
  })

  it('is refused by name once the store was replaced, while the rest is still explained', async () => {
    const asking = open({}, usersApi())
    await asking.ask('POST', '/users', { name: 'Ada' })
    await asking.ask('DELETE', '/__sim/store')
    expect(await explain(asking, 1)).toMatchObject({
      route: 'POST /users',
      rerun: { done: false, error: 'SIM_REQUEST_NOT_REBUILT', detail: expect.stringContaining('replaced') },
      leaves: [],
    })
  })

  it('knows pages: what is counted is worked out', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    const User = Type.Object({ id: Type.Integer(), name: Type.String() })
    api.get('/users', { input: PageParams, output: PaginatedResponse(User) })
    api.post('/users', { input: Type.Object({ name: Type.String() }), output: User })
    const asking = open({}, api)
    await asking.ask('POST', '/users', { name: 'Ada' })
    await asking.ask('GET', '/users?limit=5')
    expect(originsOf(await explain(asking, 2))).toEqual({
      '/items/0/id': 'store',
      '/items/0/name': 'store',
      '/total': 'computed',
      '/limit': 'input',
      '/offset': 'computed',
    })
  })
})

describe('the explanation of a route and of policies', () => {
  it('names the nearest routes and why each of them was not it', async () => {
    const Any = { output: Type.Object({ a: Type.Integer() }) }
    const api = new SimAPI({ seed: 1 })
    api.get('/users/{id}', Any).post('/users/{id}', Any).get('/users/me', Any).get('/user/{id}', Any)
    api.get('/users/{id}#beta', { ...Any, when: { header: 'x-beta', equals: 'yes' } })
    api.get('/users/{id}/photos', { ...Any })
    api.get('/far/away/from/here', Any)
    const asking = open({}, api)
    await asking.ask('GET', '/users/me')
    await asking.ask('GET', '/users/7')
    await asking.ask('GET', '/nothing')
    const [me, seven, nothing] = [
      await explain(asking, 1),
      await explain(asking, 2),
      await explain(asking, 3),
    ]
    expect(me.misses[0]).toMatchObject({ route: 'GET /users/{id}', reason: 'precedence' })
    expect(seven).toMatchObject({ route: 'GET /users/{id}', params: { id: '7' } })
    expect(seven.misses.map(({ route, reason }: Record<string, string>) => [route, reason])).toEqual([
      ['GET /users/{id}#beta', 'condition'],
      ['POST /users/{id}', 'method'],
      ['GET /users/me', 'path'],
      ['GET /user/{id}', 'path'],
      ['GET /users/{id}/photos', 'path'],
    ])
    expect(seven.misses[0].detail).toContain('the header x-beta as "yes"')
    expect(nothing).toMatchObject({ answered_by: 'gateway', rerun: { done: false }, leaves: [] })
    expect(nothing.route).toBeUndefined()
  })

  it('shows no secret of a path, neither as a parameter nor as what another route has not', async () => {
    const Any = { output: Type.Object({ a: Type.Integer() }) }
    const api = new SimAPI({ seed: 1 })
    api.get('/reset/{token}', Any).get('/reset/start', Any).get('/a/{x}/b', Any)
    const asking = open({}, api)
    await asking.ask('GET', '/reset/Zq9kT7pLx9Vb2Nd4Wm8h')
    await asking.ask('GET', '/a;jsessionid=hunter2/7/b')
    const [reset, other] = [await explain(asking, 1), await explain(asking, 2)]
    expect(reset.params.token).toMatch(/redacted/)
    expect(reset.misses[0].detail).toMatch(/'start' where the request's has '.*redacted/)
    expect(other.misses[0].detail).toContain("'a' where the request's has 'a;jsessionid=")
    expect(JSON.stringify([reset, other])).not.toMatch(/Zq9k|hunter2/)
  })

  it('has policies at the count and the limit that the request met', async () => {
    const api = new SimAPI({ seed: 1 }).get('/limited', {
      output: Type.Object({ a: Type.Integer() }),
      rateLimit: 2,
      scenario: [ScenarioStep({ status: 503 }), ScenarioStep({ status: 200 })],
    })
    const asking = open({}, api)
    await asking.ask('POST', '/__sim/clock/freeze')
    const statuses = [1, 2, 3].map(async () => (await asking.ask('GET', '/limited')).status)
    expect(await Promise.all(statuses)).toEqual([503, 200, 429])
    const steps = async (id: number) => {
      const { rerun, steps: all, leaves } = await explain(asking, id)
      return [
        rerun.same,
        all.map(({ name, verdict }: Record<string, string>) => `${name} ${verdict}`),
        leaves,
      ]
    }
    expect(await steps(1)).toEqual([
      true,
      ['rate-limit passed', 'count passed', 'errors answered'],
      [{ pointer: '/detail', origin: 'policy', policy: 'errors', detail: 'the policy errors answered' }],
    ])
    expect(await steps(2)).toMatchObject([true, ['rate-limit passed', 'count passed', 'errors passed'], [{}]])
    expect(await steps(3)).toMatchObject([true, ['rate-limit refused'], [{ origin: 'policy' }]])
  })

  it('keeps to the seed and the rules that were in force then', async () => {
    const asking = open(
      { chaos: { rules: [{ name: 'down', errors: { rate: 1, codes: [502] } }] } },
      usersApi(),
    )
    await asking.ask('GET', '/users')
    await asking.ask('DELETE', '/__sim/chaos')
    await asking.ask('POST', '/__sim/reset', { seed: 99 })
    // The journal begins anew with the session.
    expect((await asking.ask('GET', '/__sim/requests/1/explain')).status).toBe(404)
    await asking.ask('PUT', '/__sim/chaos', { rules: [{ name: 'down', errors: { rate: 1, codes: [502] } }] })
    await asking.ask('GET', '/users')
    await asking.ask('DELETE', '/__sim/chaos')
    const explained = await explain(asking, 2)
    expect(explained).toMatchObject({ answered_by: 'fault', rerun: SAME, state: { seed: 99 } })
    expect(explained.chaos).toEqual(['status 502'])
  })
})

it('explains a request of another session, by the state of that one', async () => {
  const asking = open({}, usersApi())
  const headers = { 'x-sim-session': 'mobile' }
  await asking.ask('POST', '/users', { name: 'Ada' }, { headers })
  await asking.ask('GET', '/users/1', undefined, { headers })
  const found = await explain(asking, 2)
  expect(found).toMatchObject({ answered_by: 'store', state: { ordinal: 0 }, rerun: SAME })
  expect(await explain(asking, 2, { 'x-sim-session': 'another' })).toEqual(found)
})

describe('what cannot be explained', () => {
  it('is a number that no journal has', async () => {
    const unknown = await open({}, usersApi()).ask('GET', '/__sim/requests/9/explain')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'SIM_REQUEST_NOT_KEPT'])
  })

  it('is named: a long body, and what an upstream answered', async () => {
    const upstream = createGateway()
    upstream.get('/there', () => 'yes')
    const url = await upstream.listen({ port: 0, host: '127.0.0.1' })
    const asking = open({ upstream: url }, usersApi())
    const gateway = await asking.app.listen({ port: 0, host: '127.0.0.1' })
    await fetch(`${gateway}/there`)
    await asking.ask('POST', '/users', { name: 'A'.repeat(20_000) })
    const [forwarded, long] = [await explain(asking, 1), await explain(asking, 2)]
    await upstream.close()
    expect(forwarded).toMatchObject({ answered_by: 'upstream', rerun: { done: false } })
    expect(forwarded.rerun.detail).toContain('an upstream answered it')
    expect(long.rerun).toMatchObject({ done: false, detail: expect.stringContaining('16 KiB') })
  })
})

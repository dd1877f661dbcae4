import { describe, expect, it } from 'vitest'
import type { EngineOptions } from '../../src/simulation/engine.ts'
import type { RouteDefinition } from '../../src/engine/route.ts'
import {
  described,
  header,
  inPath,
  json,
  query,
  response,
  statefulGatewayOf,
} from '../openapi/serve/describing.ts'
import { send as sendTo, serve } from './kit.ts'

type Body = Record<string, unknown>

async function start(routes: readonly RouteDefinition[], options: Partial<EngineOptions> = {}) {
  // The collections begin without items.
  const empty = routes.map((route) => ({ ...route, options: { ...route.options, listCount: 0 } }))
  const { url } = await serve(statefulGatewayOf(empty, { validateResponses: true, ...options }))
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    sendTo(method, `${url}${path}`, body, headers)
  return { send, origin: url }
}

const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
})
const integer = { type: 'integer', minimum: 1 }
const text = { type: 'string', minLength: 1 }

/** The five operations of a resource whose items have the given id. */
function crud(
  path: string,
  parameter: string,
  idField: string,
  id: object = integer,
): readonly RouteDefinition[] {
  const taken = { label: text, size: { type: 'integer' } }
  const created = { type: 'string', format: 'date-time' }
  const model = object({ [idField]: id, ...taken, created_at: created }, [idField, 'label'])
  const takes = object(taken, ['label'])
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inPath(name))
  const own = { parameters: [...parameters, inPath(parameter, id as Body)] }
  return [
    described('GET', path, [json(200, { type: 'array', items: model })]),
    described('POST', path, [json(201, model)], { takes }),
    described('GET', `${path}/{${parameter}}`, [json(200, model)], own),
    described('PUT', `${path}/{${parameter}}`, [json(200, model)], { ...own, takes }),
    described('PATCH', `${path}/{${parameter}}`, [json(200, model)], {
      ...own,
      takes: { ...takes, required: [] },
    }),
    described('DELETE', `${path}/{${parameter}}`, [response(204)], own),
  ]
}

describe('a described resource in a stateful app', () => {
  it.for([
    ['/pets', 'petId', 'id', integer],
    ['/pets', 'petId', 'petId', integer],
    ['/pets', 'pet_id', 'petId', text],
    ['/pets', 'id', 'pet_id', integer],
    ['/pets', 'id', 'id', { type: 'string', format: 'uuid' }],
    ['/things', 'uuid', 'uuid', { type: 'string', format: 'uuid' }],
    ['/users', 'username', 'username', text],
    ['/users', 'username', 'login', text],
    ['/repos/7/issues', 'issue_number', 'number', integer],
    ['/labels', 'name', 'name', text],
    ['/categories', 'categoryId', 'id', integer],
    ['/pages', 'slug', 'slug', { type: 'string', pattern: '^[a-z]{3,12}$' }],
  ] as const)(
    'keeps what is created at %s, whose {%s} is the field %s',
    async ([path, parameter, idField, id]) => {
      const { send } = await start(crud(path, parameter, idField, id))
      expect(await send('GET', path)).toMatchObject({ status: 200, body: [] })

      const created = await send('POST', path, { label: 'first', size: 3 })
      expect(created).toMatchObject({ status: 201, body: { label: 'first', size: 3 } })
      const url = `${path}/${encodeURIComponent(String(created.body[idField]))}`
      expect(await send('GET', url)).toMatchObject({ status: 200, body: created.body })
      const other = await send('POST', path, { label: 'second' })
      expect(other.body[idField]).not.toBe(created.body[idField])
      expect(other.body).not.toHaveProperty('size')
      expect((await send('GET', path)).body).toEqual([created.body, other.body])

      const changed = { ...created.body, size: 4 }
      expect(await send('PATCH', url, { size: 4 })).toMatchObject({ status: 200, body: changed })
      expect((await send('GET', url)).body).toEqual(changed)
      const replaced = await send('PUT', url, { label: 'third' })
      expect(replaced).toMatchObject({
        status: 200,
        body: { [idField]: created.body[idField], label: 'third' },
      })
      expect(replaced.body).not.toHaveProperty('size')
      expect((await send('GET', path)).body).toEqual([replaced.body, other.body])

      expect(await send('DELETE', url)).toMatchObject({ status: 204, body: undefined })
      expect((await send('GET', url)).status).toBe(404)
      expect((await send('DELETE', url)).status).toBe(404)
      expect((await send('GET', path)).body).toEqual([other.body])
    },
  )

  it('keeps collections below other parents apart', async () => {
    const { send } = await start(crud('/orgs/{org}/repos', 'repo_id', 'id'))
    const { body } = await send('POST', '/orgs/a/repos', { label: 'x' })
    expect((await send('GET', '/orgs/a/repos')).body).toEqual([body])
    expect((await send('GET', '/orgs/b/repos')).body).toEqual([])
    expect((await send('GET', `/orgs/b/repos/${String(body['id'])}`)).status).toBe(404)
  })

  it('stores what a smaller answer to the POST leaves out, and reads it by the id it gives', async () => {
    const model = object({ id: integer, name: text, tag: { type: 'string' } }, ['id', 'name'])
    const takes = object({ name: text, tag: { type: 'string' } }, [])
    const { send } = await start([
      described('POST', '/pets', [json(201, object({ pet_id: integer }))], { takes }),
      described('GET', '/pets/{petId}', [json(200, model)]),
    ])
    const { body } = await send('POST', '/pets', { name: 'Rex', tag: 'dog' })
    expect(Object.keys(body)).toEqual(['pet_id'])
    const read = await send('GET', `/pets/${String(body['pet_id'])}`)
    expect(read).toMatchObject({ status: 200, body: { name: 'Rex', tag: 'dog' } })
  })

  it('opens and makes wrapped bodies, and lists in an envelope with totals, by pages', async () => {
    const Pet = object({ id: integer, name: text })
    const $ref = '#/$defs/Pet'
    const one = { ...object({ pet: { $ref } }), $defs: { Pet } }
    const meta = object({ total: { type: 'integer' } })
    const many = { ...object({ data: { type: 'array', items: { $ref } }, meta }), $defs: { Pet } }
    const takes = object({ pet: object({ name: text }, []) })
    const { send } = await start([
      described('GET', '/pets', [json(200, many)], {
        parameters: [query('offset', { type: 'integer' }), query('limit', { type: 'integer' })],
      }),
      described('POST', '/pets', [json(201, one)], { takes }),
      described('GET', '/pets/{id}', [json(200, one)]),
    ])
    for (const name of ['a', 'b', 'c']) await send('POST', '/pets', { pet: { name } })
    const { body } = await send('GET', '/pets?offset=1&limit=1')
    expect(body).toMatchObject({ data: [{ name: 'b' }], meta: { total: 3 } })
    const [{ id } = { id: 0 }] = body['data'] as { id: number }[]
    expect((await send('GET', `/pets/${id}`)).body).toEqual({ pet: { id, name: 'b' } })
  })

  it('says where a new item is, if the description says so', async () => {
    const Pet = object({ id: integer })
    const { send, origin } = await start([
      described('POST', '/pets', [response(201, {}, [header('Location', { required: true })])]),
      described('GET', '/pets/{id}', [json(200, Pet)]),
    ])
    const created = await send('POST', '/pets', {})
    expect([created.status, created.body]).toEqual([201, undefined])
    const location = created.headers.get('location') ?? ''
    expect(location).toMatch(new RegExp(`^${origin}/pets/1$`))
    expect((await send('GET', new URL(location).pathname)).body).toEqual({ id: 1 })
  })

  it('takes the id that a request gives, and refuses it a second time in the described words', async () => {
    const Pet = object({ id: integer, name: text })
    const Problem = object({ code: { type: 'integer' }, message: text })
    const { send } = await start([
      described('POST', '/pet', [json(200, Pet), json('default', Problem)], { takes: Pet }),
      described('PUT', '/pet', [json(200, Pet)], { takes: Pet }),
      described('GET', '/pet/{petId}', [json(200, Pet), json(404, Problem)]),
      described('DELETE', '/pet/{petId}', [json(200, Pet), response(404)]),
    ])
    expect((await send('POST', '/pet', { id: 12, name: 'Rex' })).body).toEqual({ id: 12, name: 'Rex' })
    expect(await send('POST', '/pet', { id: 12, name: 'Max' })).toMatchObject({
      status: 409,
      body: { code: 409 },
    })
    expect((await send('PUT', '/pet', { id: 12, name: 'Max' })).body).toEqual({ id: 12, name: 'Max' })
    expect((await send('GET', '/pet/12')).body).toEqual({ id: 12, name: 'Max' })
    expect((await send('DELETE', '/pet/12')).body).toEqual({ id: 12, name: 'Max' })
    expect(await send('GET', '/pet/12')).toMatchObject({
      status: 404,
      body: { code: 404, message: 'Not found' },
    })
    expect(await send('DELETE', '/pet/12')).toMatchObject({ status: 404, body: { detail: 'Not found' } })
  })

  it('reads the schema of an id behind a reference', async () => {
    const $defs = { Key: { anyOf: [{ $ref: '#/$defs/Text' }] }, Text: text, Number: integer }
    const Thing = { ...object({ id: { $ref: '#/$defs/Number' }, key: { $ref: '#/$defs/Key' } }), $defs }
    const { send } = await start([
      described('POST', '/things', [json(201, Thing)]),
      described('GET', '/things/{thing}', [json(200, Thing)]),
    ])
    const { body } = await send('POST', '/things', {})
    expect((await send('GET', `/things/${String(body['key'])}`)).body).toEqual(body)
  })

  it('counts ids up, takes fields away with null, and says that an item is gone', async () => {
    const $defs = { Id: { type: 'integer', minimum: 1 } }
    const Pet = { ...object({ id: { $ref: '#/$defs/Id' }, tag: { type: 'string' } }, ['id']), $defs }
    const Gone = object({ id: { type: 'string' }, deleted: { type: 'boolean' } })
    const takes = object({ tag: { type: ['string', 'null'] } }, [])
    const { send } = await start([
      described('POST', '/pets', [json(200, Pet)], { takes }),
      described('GET', '/pets/{id}', [json(200, Pet)]),
      described('PATCH', '/pets/{id}', [json(200, Pet)], { takes }),
      described('DELETE', '/pets/{id}', [json(200, Gone)]),
    ])
    for (const id of [1, 2]) {
      expect((await send('POST', '/pets', { tag: 'dog' })).body).toEqual({ id, tag: 'dog' })
    }
    expect((await send('PATCH', '/pets/2', { tag: null })).body).toEqual({ id: 2 })
    expect((await send('GET', '/pets/2')).body).toEqual({ id: 2 })
    expect((await send('DELETE', '/pets/2')).body).toEqual({ id: '2', deleted: true })
  })

  it('changes an item with POST, where items are created elsewhere', async () => {
    const Customer = object({ id: text, email: text }, ['id'])
    const takes = object({ email: text }, [])
    const { send } = await start([
      described('POST', '/v1/customers', [json(200, Customer)], { takes }),
      described('GET', '/v1/customers/{customer}', [json(200, Customer)]),
      described('POST', '/v1/customers/{customer}', [json(200, Customer)], { takes }),
    ])
    const { body } = await send('POST', '/v1/customers', { email: 'a@example.com' })
    const url = `/v1/customers/${String(body['id'])}`
    expect((await send('POST', url, { email: 'b@example.com' })).body).toEqual({
      ...body,
      email: 'b@example.com',
    })
    expect((await send('GET', url)).body['email']).toBe('b@example.com')
    expect((await send('POST', '/v1/customers/none', {})).status).toBe(404)
  })

  it('leaves what has not the shape of a resource to generation', async () => {
    const Repo = object({ id: integer, name: text })
    const { send } = await start([
      described('POST', '/user/repos', [json(201, Repo)]),
      described('GET', '/user/repos', [json(200, { type: 'array', items: Repo, minItems: 1 })]),
      described('GET', '/pets/search', [json(200, { type: 'array', items: Repo, minItems: 1 })]),
      ...crud('/pets', 'petId', 'id'),
    ])
    expect((await send('POST', '/user/repos', {})).status).toBe(201)
    expect((await send('GET', '/user/repos')).body['length']).toBeGreaterThan(0)
    expect((await send('GET', '/pets/search')).body['length']).toBeGreaterThan(0)
  })

  it('leaves changes of many items at once to generation', async () => {
    const many = { type: 'array', items: { type: 'object' } }
    const { send } = await start([
      ...crud('/pets', 'petId', 'id'),
      described('PATCH', '/pets', [json(200, many)], { takes: many }),
      described('DELETE', '/pets', [response(204)]),
    ])
    await send('POST', '/pets', { label: 'x' })
    expect((await send('PATCH', '/pets', [])).status).toBe(200)
    expect((await send('DELETE', '/pets')).status).toBe(204)
    expect((await send('GET', '/pets')).body['length']).toBe(1)
  })

  it('follows an operation that says whether it is stateful', async () => {
    const [list, post, ...items] = crud('/pets', 'petId', 'id')
    const [on, off] = [true, false].map((stateful) =>
      [list, post, ...items].map(
        (route) => ({ ...route, operation: { ...route?.operation, stateful } }) as RouteDefinition,
      ),
    )
    const stays = await start(off ?? [])
    expect((await stays.send('GET', '/pets/77')).status).toBe(200)
    const keeps = await start(on ?? [], { stateful: false })
    expect((await keeps.send('GET', '/pets/77')).status).toBe(404)
  })

  it('answers a preferred code or example without touching the store', async () => {
    const { send } = await start(crud('/pets', 'petId', 'id'))
    expect((await send('POST', '/pets', { label: 'x' }, { prefer: 'code=201' })).status).toBe(201)
    expect((await send('GET', '/pets')).body).toEqual([])
  })

  it('names the path parameter, as the route writes it, when its value cannot be an id', async () => {
    const { send } = await start(
      crud('/pets', 'petId', 'id').map((route) => ({
        ...route,
        operation: { ...route.operation, parameters: [inPath('petId')] } as NonNullable<
          RouteDefinition['operation']
        >,
      })),
    )
    const { status, body } = await send('PUT', '/pets/rex', { label: 'x' })
    expect([status, (body['detail'] as Body[])[0]?.['loc']]).toEqual([422, ['path', 'petId']])
  })
})

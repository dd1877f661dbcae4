import { describe, expect, it } from 'vitest'
import { createRoute } from '../../../src/engine/route.ts'
import { createItem } from '../../../src/testing/endpoint/create-item.ts'
import { describeRoute, type Endpoint } from '../../../src/testing/endpoint/endpoint.ts'

const creation = createRoute('POST', '/orgs/{o}/users', {
  input: { type: 'object', properties: { name: { type: 'string' } } },
  bearerTokens: ['t'],
})
const drawn = { input: { name: 'Ada' }, texts: { o: 'drawn' } }

function endpoint(path: string, byId: boolean): Endpoint {
  const route = describeRoute(createRoute('GET', path, {}))
  return {
    ...route,
    headers: { 'x-a': 'b' },
    routes: [],
    pathParams: {},
    invariants: {},
    stored: { creation, byId },
  }
}
const answering = (status: number, body: unknown) => ({
  fetch: () => Promise.resolve(new Response(JSON.stringify(body), { status })),
})

describe('createItem', () => {
  it('creates an item below the same path and takes its id', async () => {
    const params = { org: 'x/1', id: 'drawn' }
    const created = await createItem(
      endpoint('/orgs/{org}/users/{id}', true),
      drawn,
      params,
      answering(201, { id: 7 }),
    )
    expect(created).toEqual({
      params: { id: '7' },
      mayBeAbsent: false,
      requests: [
        {
          method: 'POST',
          url: 'http://127.0.0.1:8000/orgs/x%2F1/users',
          headers: { 'content-type': 'application/json', authorization: 'Bearer t', 'x-a': 'b' },
          body: '{"name":"Ada"}',
        },
      ],
    })
  })

  it.for([
    [{ user: 'u', id: 'i' }, 'u'],
    [{ id: 'i' }, 'i'],
  ] as const)('takes the id of %j', async ([body, id]) => {
    const path = '/orgs/{org}/users/{user}'
    const created = await createItem(
      endpoint(path, true),
      drawn,
      { org: 'o', user: 'u' },
      answering(200, body),
    )
    expect(created.params).toEqual({ user: id })
  })

  it('creates an item for a list, which needs no id', async () => {
    const created = await createItem(
      endpoint('/orgs/{org}/users', false),
      drawn,
      { org: 'o' },
      answering(200, null),
    )
    expect(created).toMatchObject({ params: {}, mayBeAbsent: false, requests: [{ method: 'POST' }] })
  })

  it.for([
    [503, { id: 1 }],
    [200, { id: '..' }],
    [200, { id: { a: 1 } }],
    [200, []],
  ] as const)('leaves the item absent when %i %j comes of it', async ([status, body]) => {
    const path = '/orgs/{org}/users/{id}'
    const created = await createItem(
      endpoint(path, true),
      drawn,
      { org: 'o', id: 'i' },
      answering(status, body),
    )
    expect(created).toEqual({ params: {}, requests: [], mayBeAbsent: true })
  })

  it('does nothing for a route without a store, or without a creator', async () => {
    const never = { fetch: () => Promise.reject(new Error('sent')) }
    const { stored: _stored, ...without } = endpoint('/a/{id}', true)
    expect(await createItem(without, undefined, {}, never)).toMatchObject({ mayBeAbsent: false })
    const lonely = { ...without, stored: { creation: undefined, byId: true } }
    expect(await createItem(lonely, undefined, {}, never)).toMatchObject({ requests: [], mayBeAbsent: true })
  })

  it('says which request got no answer', async () => {
    const broken = { fetch: () => Promise.reject(new Error('refused')) }
    await expect(createItem(endpoint('/orgs/{o}/users', false), drawn, { o: '1' }, broken)).rejects.toThrow(
      'no item could be created by POST /orgs/{o}/users: refused',
    )
  })
})

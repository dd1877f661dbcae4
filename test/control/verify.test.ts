import { describe, expect, it } from 'vitest'
import { open } from './ask.ts'

async function shop() {
  const { ask } = open()
  await ask('GET', '/users?page=1', undefined, { headers: { 'x-tenant': 'acme/eu' } })
  await ask('POST', '/users', { name: 'Ada', password: 'x' })
  await ask('GET', '/users/1')
  await ask('GET', '/users?page=2')
  const verify = async (...requests: readonly object[]) => ask('POST', '/__sim/verify', { requests })
  const inOrder = async (...requests: readonly object[]) =>
    ask('POST', '/__sim/verify', { requests, in_order: true })
  return { verify, inOrder }
}

describe('verify', () => {
  it.for([
    [{ method: 'get' }, 3],
    [{ path: '/users/*' }, 1],
    [{ path: '/users/**' }, 4],
    [{ query: { page: '2' } }, 1],
    [{ headers: { 'X-Tenant': 'acme*' } }, 1],
    [{ body: { name: 'Ada' } }, 1],
    [{ method: 'DELETE', at_most: 0 }, 0],
    [{ path: '/users', exactly: 3 }, 3],
    [{ path: '/users', at_least: 2, at_most: 3 }, 3],
  ] as const)('finds %j', async ([request, count]) => {
    const { verify } = await shop()
    expect(await verify(request)).toMatchObject({ status: 200, body: { verified: true, counts: [count] } })
  })

  it('says what came instead, and what the nearest requests differ in', async () => {
    const { verify } = await shop()
    const { status, body } = await verify({ method: 'GET', path: '/users', query: { page: '3' } })
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'SIM_VERIFICATION_FAILED',
      detail: '0 of at least 1 requests like GET /users with {"query":{"page":"3"}} came',
    })
    expect(body.problems[0].nearest).toEqual([
      { id: 4, request: 'GET /users?page=2', differs: ['query page: "2" instead of "3"'] },
      { id: 1, request: 'GET /users?page=1', differs: ['query page: "1" instead of "3"'] },
      {
        id: 3,
        request: 'GET /users/1',
        differs: ['path: "/users/1" instead of "/users"', 'query page: nothing instead of "3"'],
      },
    ])
  })

  it('compares bodies field by field', async () => {
    const { verify } = await shop()
    const { body } = await verify({ method: 'POST', body: { name: 'Eve', tags: ['a'] } })
    expect(body.problems[0].nearest[0].differs).toEqual([
      'body.name: "Ada" instead of "Eve"',
      'body.tags: nothing instead of ["a"]',
    ])
  })

  it.for([
    [{ path: '/users', exactly: 2 }, '3 of exactly 2 requests like any method /users came'],
    [{ path: '/users', at_most: 2 }, '3 of at most 2 requests like any method /users came'],
    [{ path: '/users', at_least: 4, at_most: 9 }, '3 of at least 4 requests like any method /users came'],
  ] as const)('counts %j', async ([request, detail]) => {
    const { verify } = await shop()
    expect(await verify(request)).toMatchObject({ status: 409, body: { detail } })
  })

  it('checks the order', async () => {
    const { inOrder } = await shop()
    const [create, read, pages] = [{ method: 'POST' }, { path: '/users/1' }, { query: { page: '2' } }]
    expect((await inOrder(create, read, pages)).status).toBe(200)
    expect(await inOrder(read, create)).toMatchObject({
      status: 409,
      body: { detail: 'no request like POST any path came after any method /users/1' },
    })
  })

  it('says so when the journal no longer has all that came', async () => {
    const { ask } = open({ sessions: { journal: 2 } })
    for (let i = 0; i < 3; i++) await ask('GET', '/users')
    const verify = (request: object) => ask('POST', '/__sim/verify', { requests: [request] })
    expect((await verify({ path: '/users' })).body).toEqual({ verified: true, counts: [2], dropped: 1 })
    expect((await verify({ path: '/x' })).body.detail).toMatch(
      /; the journal no longer has 1 earlier requests$/,
    )
  })

  it.for([
    [{}],
    [{ requests: [] }],
    [{ requests: [{ verb: 'GET' }] }],
    [{ requests: [{ path: '' }] }],
    [{ requests: [{ path: '*'.repeat(2000) }] }],
    [{ requests: [{ headers: { a: '' } }] }],
  ])('refuses %j', async ([body]) => {
    const { ask } = open()
    expect((await ask('POST', '/__sim/verify', body)).status).toBe(422)
  })
})

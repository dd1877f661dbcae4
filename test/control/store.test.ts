import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'
import { open, User } from './ask.ts'

const ITEMS = [
  { id: 7, name: 'seven' },
  { id: 8, name: 'eight' },
]

describe('the store on the control plane', () => {
  it('is read, replaced and emptied by collection', async () => {
    const { ask } = open()
    expect(await ask('PUT', '/__sim/store/users', { items: ITEMS })).toMatchObject({
      status: 200,
      body: { collection: '/users', items: ITEMS },
    })
    expect((await ask('GET', '/users')).body).toEqual(ITEMS)
    expect((await ask('GET', '/users/8')).body).toEqual(ITEMS[1])
    expect((await ask('GET', '/__sim/store')).body).toEqual({ '/users': 2 })
    expect((await ask('GET', '/__sim/store/users')).body.items).toEqual(ITEMS)

    await ask('PUT', '/__sim/store/%2Fusers', { items: [{ name: 'without an id' }] })
    expect((await ask('GET', '/users')).body).toEqual([{ id: 1, name: 'without an id' }])

    expect((await ask('DELETE', '/__sim/store/users')).body).toEqual({})
    expect((await ask('GET', '/users')).body).toEqual([])
  })

  it('is not replaced where If-Match names another state than it is in', async () => {
    const { app } = open()
    const put = async (items: object[], etag?: string) => {
      const headers = etag === undefined ? {} : { 'if-match': etag }
      return app.inject({ method: 'PUT', url: '/__sim/store/users', headers, payload: { items } })
    }
    const first = String((await put(ITEMS)).headers['etag'])
    expect((await app.inject('/__sim/store/users')).headers['etag']).toBe(first)
    const second = await put([{ id: 7, name: 'other' }], first)
    expect([second.statusCode, second.headers['etag'] === first]).toEqual([200, false])
    expect((await put(ITEMS, first)).json()).toMatchObject({ code: 'SIM_PRECONDITION_FAILED' })
    expect((await app.inject('/users')).json()).toEqual([{ id: 7, name: 'other' }])
  })

  it('loses nothing when what should replace it does not fit', async () => {
    const { ask } = open()
    await ask('PUT', '/__sim/store/users', { items: ITEMS })
    const { status, body } = await ask('PUT', '/__sim/store/users', {
      items: [{ id: 9, name: 'a' }, { id: 'x' }],
    })
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain('item 1')
    expect((await ask('GET', '/users')).body).toEqual(ITEMS)
    expect((await ask('PUT', '/__sim/store/nowhere', { items: ITEMS })).status).toBe(422)
    expect((await ask('PUT', '/__sim/store/users', { items: [...ITEMS, ...ITEMS] })).status).toBe(422)
  })

  it('is emptied as a whole', async () => {
    const { ask } = open()
    await ask('POST', '/users', { name: 'a' })
    expect((await ask('DELETE', '/__sim/store')).body).toEqual({})
    expect((await ask('GET', '/users')).body).toEqual([])
  })

  it('is not there for an app that keeps nothing', async () => {
    const { ask } = open({}, new SimAPI({ seed: 1 }).get('/x'))
    expect(await ask('GET', '/__sim/store')).toMatchObject({
      status: 409,
      body: { code: 'SIM_STORE_ABSENT' },
    })
  })

  it.for(['users', '/users', 'shop.example/users'])('has collections of a host, named %j', async (name) => {
    const api = new SimAPI({ seed: 1, stateful: true, host: 'shop.example' })
    api.get('/users', { output: list(User) }).get('/users/{id}', { output: User })
    const { ask } = open({}, api)
    const url = `/__sim/store/${encodeURIComponent(name)}`
    const stored = { collection: 'shop.example/users', items: ITEMS }
    for (const _again of [1, 2]) expect((await ask('PUT', url, { items: ITEMS })).body).toEqual(stored)
    const read = await ask('GET', '/users', undefined, { headers: { host: 'shop.example' } })
    expect(read.body).toEqual(ITEMS)
    expect((await ask('GET', '/__sim/store')).body).toEqual({ 'shop.example/users': 2 })
    expect((await ask('GET', url)).body).toEqual(stored)
    expect((await ask('DELETE', url)).body).toEqual({})
  })

  it('holds as many items as the app says', async () => {
    const api = new SimAPI({ seed: 1, stateful: true, store: { maxItems: 1 } })
    const { ask } = open({}, api.get('/users', { output: list(User) }))
    const { status, body } = await ask('PUT', '/__sim/store/users', { items: ITEMS })
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain('1')
    expect((await ask('PUT', '/__sim/store/users', { items: ITEMS.slice(1) })).status).toBe(200)
  })
})

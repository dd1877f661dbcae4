import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { open } from './ask.ts'

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
})

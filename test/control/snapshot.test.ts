import { expect, it } from 'vitest'
import { open } from './ask.ts'

it('holds all items and the seed, and brings them back', async () => {
  const { ask } = open()
  await ask('POST', '/users', { name: 'Ada' })
  const { body: kept } = await ask('GET', '/__sim/snapshot')
  expect(kept).toMatchObject({
    version: 1,
    seed: 7,
    collections: { '/users': { items: [['1', { id: 1 }]] } },
  })
  await ask('POST', '/users', { name: 'Eve' })
  await ask('POST', '/__sim/reset', { seed: 8 })
  expect((await ask('PUT', '/__sim/snapshot', kept)).body).toEqual(kept)
  expect((await ask('GET', '/users')).body).toEqual([kept.collections['/users'].items[0][1]])
  const broken = { ...kept, collections: { '/users': { items: [] } } }
  expect((await ask('PUT', '/__sim/snapshot', broken)).body.detail[0].msg).toMatch(/Not a snapshot: \/users/)
})

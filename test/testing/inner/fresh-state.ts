import { describe } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { simTest } from '../../../src/testing/index.ts'
import { APP } from '../targets.ts'

const shared = new SimAPI({ seed: 1, stateful: true })
const Item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
shared.get('/items', { output: { type: 'array', items: Item } }).post('/items', { output: Item })
shared.seedStore('/items', [{ id: 1 }])

describe.each([
  ['a module', { app: `${APP}:api` }, '/users', 0],
  ['an app', { app: shared }, '/items', 1],
  ['a function', { app: () => shared }, '/items', 1],
] as const)('%s', (_kind, options, path, first) => {
  const test = simTest(options)
  const clients = new Set<unknown>()

  for (const name of ['one test', 'and another']) {
    test(`${name} finds what there was at first`, async ({ simApi, simClient, expect }) => {
      expect(clients.has(simClient)).toBe(false)
      clients.add(simClient)
      expect(await (await simClient.get(path)).json()).toHaveLength(first)
      expect((await simClient.post(path, { json: { name: 'Ada' } })).ok).toBe(true)
      expect(await (await simClient.get(path)).json()).toHaveLength(first + 1)
      expect(simApi.store.collection(path).size).toBe(first + 1)
    })
  }
})

describe('a scenario', () => {
  const test = simTest({ app: `${APP}:api` })
  for (const name of ['one test', 'and another']) {
    test(`starts over for ${name}`, async ({ simClient, expect }) => {
      const headers = { authorization: 'Bearer secret' }
      expect((await simClient.get('/busy', { headers })).status).toBe(500)
    })
  }
})

import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { openApp, resetApp, restoreStore, type AppTarget } from '../../src/testing/open-app.ts'
import { APP, WEB } from './targets.ts'

const Item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }

function itemsApp(): SimAPI {
  const api = new SimAPI({ seed: 1, stateful: true })
  return api.post('/items', { output: Item }).get('/items/{id}', { output: Item })
}

describe('openApp', () => {
  it('executes a module again', async () => {
    const [one, other] = [await openApp(`${APP}:api`), await openApp(APP)]
    expect(SimAPI.is(one) && SimAPI.is(other)).toBe(true)
    expect(one).not.toBe(other)
    expect(one.routes.map(({ key }) => key)).toEqual(other.routes.map(({ key }) => key))
  })

  it.for([(api: SimAPI) => api, (api: SimAPI) => () => api, (api: SimAPI) => async () => api])(
    'gives an app that is met again its first store back',
    async (targetOf) => {
      const api = itemsApp()
      api.seedStore('/items', [{ id: 1 }])
      expect(await openApp(targetOf(api))).toBe(api)
      api.clearStore()
      api.store.collection('/other').set('a', {})
      await openApp(targetOf(api))
      expect([api.store.collection('/items').size, api.store.collection('/other').size]).toEqual([1, 0])
    },
  )

  it('starts scenarios over', async () => {
    const api = new SimAPI({ seed: 1 }).get('/', { scenario: [{ status: 503 }, { status: 200 }] })
    const app = api.asWebApp()
    const status = async () => (await app.inject('/')).statusCode
    expect([await status(), await status()]).toEqual([503, 200])
    restoreStore(api)
    expect(await status()).toBe(200)
    resetApp(api)
    expect(await status()).toBe(503)
    await app.close()
  })

  it.for([
    ['./nowhere.ts', "Module './nowhere.ts' not found"],
    [`${WEB}:web`, `'${WEB}:web' is a web app; tests need its SimAPI`],
    [undefined, "The app to test must be a SimAPI, or a text such as './app.ts:api'"],
    [() => ({}), 'The app to test must be a SimAPI'],
  ] as const)('refuses %s', async ([target, message]) => {
    await expect(openApp(target as AppTarget)).rejects.toThrow(message)
  })
})

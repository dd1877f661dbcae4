import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { joinEngines } from '../../src/simulation/join-engines.ts'
import { list } from '../../src/engine/schema/list.ts'
import { createGateway } from '../../src/gateway.ts'

const Thing = Type.Object({ id: Type.Integer(), name: Type.String() })

describe('joinEngines', () => {
  it('lets each app answer its own routes, in its own way', async () => {
    const stateful = new SimAPI({ seed: 1, stateful: true })
      .post('/things', { output: Thing })
      .get('/things', { output: list(Thing) })
    const stateless = new SimAPI({ seed: 2, listCount: 3 }).get('/others', { output: list(Thing) })
    const app = createGateway({ engine: joinEngines([stateful.engine(), stateless.engine()], 9) })
    await app.inject({ method: 'POST', url: '/things' })
    expect((await app.inject('/things')).json()).toHaveLength(1)
    const alone = await stateless.asWebApp().inject('/others')
    expect((await app.inject('/others')).body).toBe(alone.body)
    expect((await app.inject({ method: 'DELETE', url: '/things' })).headers['allow']).toBe(
      'POST, GET, HEAD, OPTIONS',
    )
  })

  it('keeps the items of all apps in one store, those that were there at first included', async () => {
    const [first, second] = ['/things', '/others'].map((path) => {
      const api = new SimAPI({ seed: 1, stateful: true }).get(path, { output: list(Thing) })
      api.post(path, { output: Thing })
      api.seedStore(path, [{ id: 1, name: path }])
      return api
    }) as [SimAPI, SimAPI]
    const engine = joinEngines([first.engine(), second.engine()], 9)
    const app = createGateway({ engine })
    expect((await app.inject({ method: 'POST', url: '/others' })).json()).toMatchObject({ id: 2 })
    expect((await app.inject('/others')).json()).toHaveLength(2)
    expect((await app.inject('/things')).json()).toEqual([{ id: 1, name: '/things' }])
    expect(engine.store?.size).toBe(3)
  })

  it('prefers a literal path of one app to a parameter of another', async () => {
    const any = new SimAPI({ seed: 1 }).get('/things/{id}', { output: Thing })
    const one = new SimAPI({ seed: 1 }).get('/things/first', { output: Type.Literal('first') })
    const app = createGateway({ engine: joinEngines([any.engine(), one.engine()], 1) })
    expect((await app.inject('/things/first')).body).toBe('"first"')
    expect((await app.inject('/things/2')).json()).toHaveProperty('id')
  })

  it('refuses two apps that answer the same', () => {
    const engine = () => new SimAPI({ seed: 1 }).get('/things').engine()
    expect(() => joinEngines([engine(), engine()], 1)).toThrow(
      "Duplicate GET endpoint registered for path '/things'",
    )
  })
})

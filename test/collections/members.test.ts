import Type from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'

it('stores an item of another collection where a PUT names it, and answers HEAD by what is there', async () => {
  const User = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() })
  const api = new SimAPI({ seed: 1, stateful: true })
  api.post('/users', { output: User })
  api.get('/users/{id}', { output: User })
  api.get('/teams/{team}/users', { output: list(User) })
  api.route('PUT', '/teams/{team}/users/{id}', { item: { of: '/users/{id}' }, status: 204 })
  api.route('HEAD', '/teams/{team}/users/{id}', { status: 204 })
  api.delete('/teams/{team}/users/{id}')
  const app = api.asWebApp()
  onTestFinished(() => app.close())
  const send = async (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE', url: string) => {
    const { statusCode, body } = await app.inject({ method, url })
    return [statusCode, body] as const
  }
  const [, ada] = await send('POST', '/users')
  const path = `/teams/red/users/${(JSON.parse(ada) as { id: string }).id}`
  expect((await send('HEAD', path))[0]).toBe(404)
  expect(await send('PUT', path)).toEqual([204, ''])
  expect((await send('PUT', '/teams/red/users/none'))[0]).toBe(404)
  expect(await send('GET', '/teams/red/users')).toEqual([200, `[${ada}]`])
  expect(await send('GET', '/teams/blue/users')).toEqual([200, '[]'])
  expect(await send('HEAD', path)).toEqual([204, ''])
  expect((await send('DELETE', path))[0]).toBe(204)
  expect((await send('HEAD', path))[0]).toBe(404)
})

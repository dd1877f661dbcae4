import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'

const TODO = {
  type: 'object',
  properties: { id: { type: 'integer' }, title: { type: 'string' }, done: { type: 'boolean' } },
  required: ['id', 'title'],
}
const COUNT = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }

it('says how many items there are, or pass what the request says', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.post('/todos', { output: TODO, keepsSent: true })
  api.get('/todos/{id}', { output: TODO })
  api.get('/todos/count', {
    output: COUNT,
    item: { at: '/todos', counts: '/count' },
    select: { where: 'where' },
  })
  api.get('/todos/size', {
    output: { type: 'integer' },
    item: { at: '/todos', counts: '' },
    select: { filter: 'any' },
  })
  const app = api.asWebApp()
  const get = async (url: string): Promise<unknown> => (await app.inject({ method: 'GET', url })).json()
  expect(await get('/todos/count')).toEqual({ count: 0 })
  for (const done of [true, false, true])
    await app.inject({ method: 'POST', url: '/todos', payload: { title: 'a', done } })
  expect(await get('/todos/count')).toEqual({ count: 3 })
  expect(await get(`/todos/count?where=${encodeURIComponent('{"done":true}')}`)).toEqual({ count: 2 })
  expect(await get('/todos/size?done=false')).toBe(1)
  // Items are shown as before.
  expect(await get('/todos/1')).toMatchObject({ id: 1, title: 'a' })
})

it('answers the first of the items that pass what the request says, or that there is none', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.get('/todos/first', { output: TODO, item: { at: '/todos', first: true }, select: { filter: 'any' } })
  api.get('/todos/{id}', { output: TODO })
  const todos = ['a', 'b', 'c'].map((title, at) => ({ id: at + 1, title, done: at > 0 }))
  api.seedStore('/todos', todos)
  const app = api.asWebApp()
  expect((await app.inject('/todos/first')).json()).toEqual(todos[0])
  expect((await app.inject('/todos/first?done=true')).json()).toEqual(todos[1])
  expect((await app.inject('/todos/first?title=d')).statusCode).toBe(404)
})

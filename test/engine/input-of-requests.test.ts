import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'

const Query = Type.Object({
  id: Type.Integer(),
  flag: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Type.Integer())),
  size: Type.String({ default: 'medium' }),
})
const Echo = Type.Object({
  id: Type.Integer(FromInput('id')),
  flag: Type.Boolean(FromInput('flag')),
  tags: Type.Array(Type.Integer(), FromInput('tags')),
  size: Type.String(FromInput('size')),
})

describe('the input of a request', () => {
  it('comes from the query and the path of a GET, read as the types of the model, with defaults', async () => {
    const app = new SimAPI({ seed: 1 }).get('/x/{id}', { input: Query, output: Echo }).asWebApp()
    const { body } = await app.inject('/x/7?flag=yes&tags=1&tags=2&id=9&unknown=1')
    expect(JSON.parse(body)).toEqual({ id: 7, flag: true, tags: [1, 2], size: 'medium' })
  })

  it('comes from the JSON body and the path of a POST, the body as it is', async () => {
    const app = new SimAPI({ seed: 1 }).post('/x/{id}', { input: Query, output: Echo }).asWebApp()
    const post = async (payload: object) =>
      (await app.inject({ method: 'POST', url: '/x/7', payload })).json<unknown>()
    expect(await post({ flag: false, tags: [], size: '' })).toEqual({
      id: 7,
      flag: false,
      tags: [],
      size: '',
    })
    expect(await post({ flag: 'false' })).toEqual({
      detail: [{ type: 'type_error', loc: ['body', 'flag'], msg: 'Value must be boolean', input: 'false' }],
    })
  })

  it('is refused with all its issues, each with its place', async () => {
    const app = new SimAPI({ seed: 1 }).get('/x/{id}', { input: Query, output: Echo }).asWebApp()
    const { statusCode, body } = await app.inject('/x/seven?flag=maybe&tags=1&tags=x')
    const { detail } = JSON.parse(body) as { detail: { loc: unknown[]; input: unknown }[] }
    expect(statusCode).toBe(422)
    expect(detail.map(({ loc, input }) => [loc, input])).toEqual(
      expect.arrayContaining([
        [['path', 'id'], 'seven'],
        [['query', 'flag'], 'maybe'],
        [['query', 'tags', 1], 'x'],
      ]),
    )
  })

  it('is satisfied by the path alone where the path gives every field', async () => {
    const Id = Type.Object({ id: Type.Integer() })
    const api = new SimAPI({ seed: 1 })
      .post('/x/{id}', { input: Id, output: Id })
      .delete('/x/{id}', { input: Id })
    const app = api.asWebApp()
    expect((await app.inject({ method: 'POST', url: '/x/7' })).statusCode).toBe(200)
    expect((await app.inject({ method: 'DELETE', url: '/x/7' })).statusCode).toBe(204)
    expect((await app.inject({ method: 'DELETE', url: '/x/seven' })).statusCode).toBe(422)
  })
})

import Type from 'typebox'
import { expect, it } from 'vitest'
import { FromFaker, FromInput, SimAPI } from '../../src/index.ts'
import { open } from './ask.ts'

it('x', async () => {
  const User = Type.Object(
    {
      id: Type.Integer(),
      name: Type.String(FromInput('name')),
      email: Type.String({ format: 'email' }),
      city: Type.String(FromFaker('location.city')),
      kind: Type.Enum(['a', 'b']),
      v: Type.Literal(1),
      tags: Type.Array(Type.String()),
      address: Type.Object({ street: Type.String(), zip: Type.Union([Type.String(), Type.Null()]) }),
    },
    { title: 'User' },
  )
  const api = new SimAPI({ seed: 7, stateful: true })
  api.get('/users', { output: Type.Array(User) })
  api.post('/users', { input: Type.Object({ name: Type.String() }), output: User, rateLimit: 50 })
  api.get('/users/{id}', { output: User, stateful: true })
  api.patch('/users/{id}', { input: Type.Object({ name: Type.String() }), output: User })
  api.delete('/users/{id}')
  api.get('/plain', { output: User, input: Type.Object({ name: Type.String() }) })
  const { ask } = open({}, api)
  for (const name of ['Ada', 'Bob', 'Cy']) await ask('POST', '/users', { name })
  await ask('PATCH', '/users/2', { name: 'Bea' })
  await ask('GET', '/users/2')
  await ask('DELETE', '/users/1')
  await ask('GET', '/users')
  await ask('GET', '/users/1')
  await ask('GET', '/plain?name=Zoe')
  for (const id of [1, 2, 4, 5, 6, 7, 8, 9]) {
    const { body } = await ask('GET', `/__sim/requests/${id}/explain`)
    const { leaves, ...rest } = body
    console.log(JSON.stringify(rest))
    for (const leaf of leaves.slice(0, 10)) console.log('   ', leaf.pointer, leaf.origin, '|', leaf.detail)
  }
  expect(1).toBe(1)
})

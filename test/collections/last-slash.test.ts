import { expect, it } from 'vitest'
import Type from 'typebox'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/index.ts'
import { createClient } from '../../src/testing/index.ts'

const User = Type.Object({ id: Type.String(), name: Type.String() })

it('takes a slash at the end of a path for none', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.post('/users/', { output: User }).get('/users/', { output: list(User) })
  api.get('/users/{id}/', { output: User })
  await using client = createClient(api)
  const made = (await (await client.post('/users/', {})).json()) as { id: string }
  expect(await (await client.get(`/users/${made.id}/`)).json()).toEqual(made)
  api.clearStore('/users/')
  expect(await (await client.get('/users')).json()).toEqual([])
})

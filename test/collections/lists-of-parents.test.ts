import { expect, it } from 'vitest'
import Type from 'typebox'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/index.ts'
import { createClient } from '../../src/testing/index.ts'

const Policy = Type.Object({ id: Type.String(), size: Type.Integer() })

it('lists what there is right below a path that ends in a parameter, and makes it there', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.get('/policies/{org}', { output: list(Policy) })
  api.post('/policies/{org}', { output: Policy, status: 201 })
  api.get('/policies/{org}/{id}', { output: Policy }).delete('/policies/{org}/{id}')
  await using client = createClient(api)
  const make = async (path: string): Promise<{ readonly id: string }> =>
    (await (await client.post(path)).json()) as { readonly id: string }
  const read = async (path: string): Promise<unknown> => (await client.get(path)).json()
  const [one, other] = [await make('/policies/lab'), await make('/policies/lab')]
  const third = await make('/policies/gym')
  expect(await read('/policies/lab')).toEqual([one, other])
  expect(await read(`/policies/lab/${one.id}`)).toEqual(one)
  expect((await client.delete(`/policies/lab/${one.id}`)).status).toBe(204)
  expect(await read('/policies/lab')).toEqual([other])
  expect(await read('/policies/gym')).toEqual([third])
})

it('takes the last parameter for the id of an item where no list is of what is below it', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.post('/boards', { output: Policy }).get('/boards/{id}', { output: Policy })
  api.get('/boards/{board_id}/{id}', { output: Policy })
  await using client = createClient(api)
  const made = (await (await client.post('/boards')).json()) as { readonly id: string }
  expect(await (await client.get(`/boards/${made.id}`)).json()).toEqual(made)
})

import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'

const output = {
  type: 'object',
  properties: { id: { type: 'integer' }, state: { enum: ['open', 'paid'] } },
  required: ['id', 'state'],
}

it('changes an item but once where the route says so', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.post('/bills', { output, keepsSent: true })
  const item = { at: '/bills/{id}', does: 'change', sets: { state: 'paid' }, once: true } as const
  api.post('/bills/{id}/pay', { output, item })
  const app = api.asWebApp()
  for (const id of [1, 2]) {
    await app.inject({ method: 'POST', url: '/bills', payload: { state: 'open' } })
    const pay = () => app.inject({ method: 'POST', url: `/bills/${id}/pay` })
    expect((await pay()).json()).toEqual({ id, state: 'paid' })
    expect((await pay()).json()).toMatchObject({ code: 'SIM_ITEM_EXISTS' })
  }
})

it('completes the entries of lists that are sent, when they are made and when they are changed', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const item = { completes: { lines: { discount: 0, note: null } }, ids: 'sent' }
  api.post('/orders', { output: { properties: { id: { type: 'string' } } }, keepsSent: true, item })
  api.patch('/orders/{id}', { output: { type: 'object' }, keepsSent: true, item })
  const app = api.asWebApp()
  const send = async (method: 'POST' | 'PATCH', url: string, payload: object): Promise<unknown> =>
    (await app.inject({ method, url, payload })).json()
  const sent = { id: 'o1', lines: [{ sku: 'a' }, { sku: 'b', discount: 5 }, 'c'], other: [{ sku: 'a' }] }
  expect(await send('POST', '/orders', sent)).toEqual({
    ...sent,
    lines: [{ sku: 'a', discount: 0, note: null }, { sku: 'b', discount: 5, note: null }, 'c'],
  })
  expect(await send('PATCH', '/orders/o1', { lines: [{ sku: 'd' }] })).toEqual({
    ...sent,
    lines: [{ sku: 'd', discount: 0, note: null }],
  })
})

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

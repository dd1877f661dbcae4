import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'

const item = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, team_id: { type: ['integer', 'null'] } },
}

it('refuses a body that names an item which is not there', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const needs = { team_id: '/teams/{id}' }
  const refusal = { status: 404, body: { detail: 'Team {value} not found' } }
  api.get('/teams/{id}', { output: item })
  api.post('/players', {
    input: item,
    output: item,
    keepsSent: true,
    item: { needs },
    errorAnswers: { 'SIM_INPUT_INVALID/not_found': refusal },
  })
  api.patch('/players/{id}', { input: item, output: item, keepsSent: true, item: { needs } })
  api.seedStore('/teams', [{ id: 1, name: 'Reds' }])
  const app = api.asWebApp()
  const send = async (method: 'POST' | 'PATCH', url: string, body: object) => {
    const answer = await app.inject({ method, url, payload: body })
    return [answer.statusCode, answer.json<unknown>()]
  }
  const [status, made] = await send('POST', '/players', { name: 'Ann', team_id: 1 })
  expect([status, made]).toEqual([200, expect.objectContaining({ team_id: 1 })])
  expect(await send('POST', '/players', { name: 'Bo', team_id: 7 })).toEqual([
    404,
    { detail: 'Team 7 not found' },
  ])
  expect((await send('POST', '/players', { name: 'Cy', team_id: null }))[0]).toBe(200)
  const { id } = made as { readonly id: number }
  const issue = { type: 'not_found', loc: ['body', 'team_id'], input: 7 }
  expect(await send('PATCH', `/players/${id}`, { team_id: 7 })).toMatchObject([422, { detail: [issue] }])
  expect((await send('PATCH', `/players/${id}`, { name: 'Dan' }))[0]).toBe(200)
})

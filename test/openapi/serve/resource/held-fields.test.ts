import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, inPath, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const List = {
  type: 'object',
  required: ['id', 'attributes'],
  properties: {
    id: { type: 'integer' },
    attributes: {
      type: 'object',
      required: ['name', 'size', 'created'],
      properties: { name: text, size: { type: 'integer' }, created: { type: 'string', format: 'date-time' } },
    },
  },
}
const answer = { type: 'object', required: ['data'], properties: { data: List } }
const takes = { type: 'object', properties: { name: text, size: {} } }
const id = { parameters: [inPath('id', { type: 'integer' })] }

it('of attributes are what was sent of them beside each other, where they can be', async () => {
  const app = statefulGatewayOf(
    [
      described('GET', '/lists/{id}', [json(200, answer)], id),
      described('POST', '/lists', [json(201, answer)], { takes }),
      described('PATCH', '/lists/{id}', [json(200, answer)], { ...id, takes }),
    ],
    { stateful: true },
  )
  open.push(app)
  const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
    (await app.inject({ method, url, ...(payload && { payload }) })).json<{ data: { attributes: object } }>()
      .data.attributes
  const made = await ask('POST', '/lists', { name: 'Friends', size: 'many' })
  expect(made).toMatchObject({ name: 'Friends', size: expect.any(Number), created: expect.any(String) })
  const changed = await ask('PATCH', '/lists/21', { size: 7 })
  expect(changed).toEqual({ ...made, size: 7 })
  expect(await ask('GET', '/lists/21')).toEqual(changed)
})

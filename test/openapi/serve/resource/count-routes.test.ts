import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, inPath, json, query, response, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const status = { enum: ['available', 'sold'] }
const $defs = {
  Pet: { type: 'object', required: ['id', 'status'], properties: { id: { type: 'integer' }, status } },
  Wrapped: { type: 'object', required: ['pet'], properties: { pet: { $ref: '#/$defs/Pet' } } },
}
const one = { $ref: '#/$defs/Wrapped', $defs }
const many = { type: 'array', items: { $ref: '#/$defs/Wrapped' }, $defs }
const Field = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const Count = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } }

interface Wrapped {
  readonly pet: { readonly id: number; readonly status: string }
}

it('say how many items the list has that they stand below, also of those that are chosen', async () => {
  const id = { parameters: [inPath('id', { type: 'integer' })] }
  const app = statefulGatewayOf(
    [
      described('GET', '/pets.json', [json(200, many)]),
      described('GET', '/pets/{id}.json', [json(200, one)], id),
      // What answers with the pet has fields of its own.
      described('GET', '/pets/{id}/fields.json', [json(200, { type: 'array', items: Field })], id),
      described('GET', '/pets/{id}/fields/{field}.json', [json(200, Field)], {
        parameters: [...id.parameters, inPath('field', { type: 'integer' })],
      }),
      described('PUT', '/pets/{id}/fields/{field}.json', [json(200, one)], {
        parameters: [...id.parameters, inPath('field', { type: 'integer' })],
      }),
      described('DELETE', '/pets/{id}.json', [response(204)], id),
      described('GET', '/pets/count.json', [json(200, Count)], { parameters: [query('status', status)] }),
      described('GET', '/pets/status/{status}.json', [json(200, many)], {
        parameters: [inPath('status', status)],
      }),
      described('GET', '/pets/status/{status}/count.json', [json(200, Count)], {
        parameters: [inPath('status', status)],
      }),
    ],
    { stateful: true },
  )
  open.push(app)
  const ask = async <Body>(url: string): Promise<Body> => (await app.inject(url)).json<Body>()
  const all = await ask<Wrapped[]>('/pets.json')
  const sold = all.filter(({ pet }) => pet.status === 'sold')
  expect(sold.length).toBeGreaterThan(1)
  expect(await ask('/pets/count.json')).toEqual({ count: all.length })
  expect(await ask('/pets/count.json?status=sold')).toEqual({ count: sold.length })
  expect(await ask('/pets/status/sold.json')).toEqual(sold)
  await app.inject({ method: 'DELETE', url: `/pets/${sold[0]?.pet.id}.json` })
  expect(await ask('/pets/count.json')).toEqual({ count: all.length - 1 })
  expect(await ask('/pets/status/sold/count.json')).toEqual({ count: sold.length - 1 })
})

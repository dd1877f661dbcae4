import { expect, it } from 'vitest'
import type { OpenApiRoute } from '../../../../src/openapi/serve/choose-response.ts'
import { roleOf } from '../../../../src/openapi/serve/resource/resource-role.ts'
import { virtualItemsOf } from '../../../../src/openapi/serve/resource/virtual-items.ts'
import { described, json } from '../describing.ts'

const $defs = { Pet: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } }
const pet = { $ref: '#/$defs/Pet', $defs }
const pets = { type: 'array', items: pet, $defs }

it('are not gone through for each of them', () => {
  const routes = [
    described('GET', '/pets', [json(200, pets)]),
    described('GET', '/pets/{id}', [json(200, pet)]),
    ...Array.from({ length: 200 }, (_, index) => [
      described('GET', `/views${index}`, [json(200, pets)]),
      described('POST', `/views${index}`, [json(201, pet)]),
      described('GET', `/views${index}/count`, [json(200, { type: 'integer' })]),
    ]).flat(),
  ]
  let reads = 0
  const counted = new Proxy(routes, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++
      return Reflect.get(target, key, receiver) as unknown
    },
  })
  const virtual = virtualItemsOf(counted, { seed: 1, dynamic: false })
  const roles = routes.map((route) => roleOf(route as OpenApiRoute, counted, virtual)?.kind)
  expect(new Set(roles.slice(2))).toEqual(new Set(['view']))
  expect(reads).toBeLessThan(20 * routes.length)
})

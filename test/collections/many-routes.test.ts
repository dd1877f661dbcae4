import Type from 'typebox'
import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { addressOf } from '../../src/collections/address.ts'

// With each route compared with all others, this takes a minute.
it('declares thousands of routes, and finds what each stores, in linear time', () => {
  const count = 10_000
  const api = new SimAPI()
  const output = Type.Object({ key: Type.String() })
  for (let at = 0; at < count; at++) api.get(`/kind${at}/{key}`, { output })
  const { routes } = api
  const addresses = routes.map((route) => addressOf(route, routes))
  expect(addresses.filter(({ idField }) => idField === 'key')).toHaveLength(count)
  expect(() => api.get('/kind7/{id}', { output })).toThrow("'/kind7/{id}'")
  expect(api.get('/kind7', { output }).routes).toHaveLength(count + 1)
})

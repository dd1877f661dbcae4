import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { createGateway } from '../../../../src/gateway.ts'
import { createEngine } from '../../../../src/simulation/engine.ts'
import { createMemoryStore } from '../../../../src/state/memory-store.ts'
import { described, inPath, json, response } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const App = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }
const none = json(404, { const: 'none' })
const id = { parameters: [inPath('id')] }
const ROUTES = [
  described('GET', '/apps/{id}', [json(200, App), none], id),
  described('POST', '/apps', [json(405, { const: 'invalid' })], { takes: App }),
  described('PATCH', '/apps/{id}', [none], { ...id, takes: { type: 'object' } }),
  // As descriptions are imported: the first response is that of the route.
  described('DELETE', '/apps/{id}', [none, response('5XX')], { ...id, options: { status: 404 } }),
]

it('is answered without content where what is stored may fail alone, and a failure as it is described', async () => {
  const engine = createEngine({ routes: ROUTES, seed: 1, stateful: true, store: createMemoryStore() })
  const app = createGateway({ engine, check: { level: 'enforce' } })
  open.push(app)
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const { statusCode, body } = await app.inject({ method, url, ...(payload && { payload }) })
    return [statusCode, body]
  }
  expect(await ask('POST', '/apps', { id: 'a', name: 'one' })).toEqual([200, ''])
  expect(await ask('PATCH', '/apps/a', { name: 'two' })).toEqual([200, ''])
  expect(await ask('GET', '/apps/a')).toEqual([200, '{"id":"a","name":"two"}'])
  expect(await ask('DELETE', '/apps/a')).toEqual([204, ''])
  expect(await ask('DELETE', '/apps/a')).toEqual([404, '"none"'])
})

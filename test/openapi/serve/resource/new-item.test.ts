import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

it('holds nothing yet of what servers set, but for what the description says', async () => {
  const Repo = {
    type: 'object',
    required: ['id', 'name', 'assets', 'owners', 'topics', 'forks_count', 'size', 'watchCount'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      assets: { type: 'array', items: { type: 'string' } },
      owners: { type: 'array', minItems: 1, items: { type: 'string' } },
      topics: {
        type: 'array',
        items: { type: 'string' },
        'x-sim-said': { examples: [['api']], defaults: [] },
      },
      forks_count: { type: 'integer' },
      size: { type: 'integer', minimum: 5 },
      watchCount: { type: 'integer', minimum: 1 },
    },
  }
  const takes = { type: 'object', properties: { name: { type: 'string' } } }
  const app = statefulGatewayOf(
    [
      described('GET', '/repos', [json(200, { type: 'array', items: Repo })]),
      described('GET', '/repos/{id}', [json(200, Repo)]),
      described('POST', '/repos', [json(201, Repo)], { takes }),
    ],
    { stateful: true },
  )
  open.push(app)
  const made = (await app.inject({ method: 'POST', url: '/repos', payload: { name: 'demo' } })).json<
    Record<'owners' | 'size' | 'watchCount', unknown>
  >()
  expect(made).toMatchObject({ name: 'demo', assets: [], topics: ['api'], forks_count: 0 })
  expect(made.owners).not.toEqual([])
  expect(made.watchCount).not.toBe(0)
})

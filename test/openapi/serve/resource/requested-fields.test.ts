import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { SAID } from '../../../../src/engine/schema/schema.ts'
import { described, gatewayOf, inPath, json, query } from '../describing.ts'

type Entry = Record<string, unknown>

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const Invitation = {
  type: 'object',
  required: ['id', 'status', 'kind'],
  properties: {
    id: { type: 'string' },
    status: { enum: ['accepted', 'pending', 'declined'], examples: ['accepted'] },
    kind: { type: 'string', examples: ['guest'] },
  },
}

it('have values by which requests can name them, where those must and may name only some', async () => {
  const status = { ...query('status', { enum: ['pending', 'declined', 'unknown'] }), required: true }
  const app = gatewayOf([
    described('GET', '/invitations', [json(200, { type: 'array', items: Invitation })], {
      parameters: [status, { ...query('kind', { type: 'string' }), required: true }],
    }),
    described('GET', '/invitations/{id}', [json(200, Invitation)], { parameters: [inPath('id')] }),
  ])
  open.push(app)
  const get = async (path: string): Promise<unknown> => (await app.inject(path)).json()
  const list = async (of: string): Promise<Entry[]> =>
    (await get(`/invitations?kind=guest&status=${of}`)) as Entry[]
  const [pending, declined] = [await list('pending'), await list('declined')]
  expect(pending.length + declined.length).toBe(20)
  expect(Math.min(pending.length, declined.length)).toBeGreaterThan(2)
  for (const each of [...pending.slice(0, 2), ...declined.slice(0, 2)])
    expect(await get(`/invitations/${String(each['id'])}`)).toEqual(each)
})

it('have values by which requests may name them, where nothing else says what they are', async () => {
  const Issue = {
    type: 'object',
    required: ['id', 'state', 'kind'],
    properties: {
      id: { type: 'integer' },
      state: { type: 'string' },
      kind: { type: 'string', [SAID]: { examples: ['bug'], defaults: [] } },
    },
  }
  const app = gatewayOf([
    described('GET', '/issues', [json(200, { type: 'array', items: Issue })], {
      parameters: [
        query('state', { enum: ['open', 'closed', 'all'] }),
        query('kind', { enum: ['bug', 'wish'] }),
      ],
    }),
    described('GET', '/issues/{id}', [json(200, Issue)], { parameters: [inPath('id')] }),
  ])
  open.push(app)
  const all = (await app.inject('/issues')).json<Entry[]>()
  expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['open', 'closed']))
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['bug']))
  const shown = (await app.inject('/issues?state=closed')).json<Entry[]>()
  expect(shown).toEqual(all.filter(({ state }) => state === 'closed'))
})

import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, gatewayOf, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const shownId = { type: 'string', 'x-sim-said': { examples: ['12345'], defaults: [] } }
const Brief = { type: 'object', required: ['id'], properties: { id: shownId, name: text } }
const Section = {
  type: 'object',
  required: ['id', 'name', 'project_id'],
  properties: { ...Brief.properties, project_id: text },
}
const User = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }
const ROUTES = [
  described('GET', '/projects', [json(200, { type: 'array', items: User })]),
  described('GET', '/projects/{project_id}', [json(200, User)]),
  described('GET', '/projects/{project_id}/sections', [json(200, { type: 'array', items: Brief })]),
  described('GET', '/sections/{id}', [json(200, Section)]),
  described('GET', '/users', [json(200, { type: 'array', items: User })]),
  described('GET', '/users/{user_id}', [json(200, User)]),
]

type Named = Readonly<Record<'id' | 'name' | 'project_id', string>>

it.each([{ stateful: false }, { stateful: true }])(
  'lists below another what paths of their own show, by their name: %o',
  async ({ stateful }) => {
    const app = stateful ? statefulGatewayOf(ROUTES, { stateful }) : gatewayOf(ROUTES)
    open.push(app)
    const ask = async <Body = Named>(url: string): Promise<Body> => (await app.inject(url)).json<Body>()
    const projects = await ask<Named[]>('/projects')
    const sections: Named[] = []
    for (const project of projects) {
      for (const { id, name } of await ask<Named[]>(`/projects/${project.id}/sections`)) {
        const section = await ask(`/sections/${id}`)
        expect(section).toMatchObject({ id, name, project_id: project.id })
        sections.push(section)
      }
    }
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length)
    expect(sections.length).toBeGreaterThan(0)
  },
)

it.each([{ stateful: false }, { stateful: true }])('calls one of the users me: %o', async ({ stateful }) => {
  const app = stateful ? statefulGatewayOf(ROUTES, { stateful }) : gatewayOf(ROUTES)
  open.push(app)
  const [first] = (await app.inject('/users')).json<Named[]>()
  expect((await app.inject('/users/me')).json()).toEqual(first)
})

it('shows at a path below another what the example of a list has of an item, not the example of another', async () => {
  const Store = {
    title: 'Store',
    type: 'object',
    required: ['name'],
    properties: { id: text, name: text, shop_id: text },
  }
  const east = { id: 'e', name: 'East', shop_id: 's' }
  const west = { id: 'w', name: 'West', shop_id: 's' }
  const app = gatewayOf([
    described('GET', '/stores', [json(200, { type: 'array', items: Store }, { all: [east, west] })]),
    described('GET', '/stores/{store_id}', [json(200, Store, { one: east })]),
    described('GET', '/shops/{shop_id}/stores', [json(200, { type: 'array', items: Store })]),
    described('GET', '/shops/{shop_id}/stores/{store_id}', [json(200, Store, { one: { name: 'East' } })]),
  ])
  open.push(app)
  expect((await app.inject('/shops/s/stores/w')).json()).toMatchObject({ name: 'West' })
  expect((await app.inject('/shops/s/stores/x')).json()).toEqual({ name: 'East' })
})

it('has a field that may have ids of several forms name the item above, whichever form its id has', async () => {
  const id = {
    anyOf: [
      { type: 'string', pattern: '^a-[0-9]{3}$' },
      { type: 'string', pattern: '^b-[0-9]{3}$' },
    ],
  }
  const Flow = { type: 'object', required: ['flowId'], properties: { flowId: id } }
  const Run = { type: 'object', required: ['runId', 'flowId'], properties: { runId: text, flowId: id } }
  const app = gatewayOf([
    described('GET', '/flows', [json(200, { type: 'array', items: Flow })]),
    described('GET', '/flows/{flowId}', [json(200, Flow)]),
    described('GET', '/flows/{flowId}/runs', [json(200, { type: 'array', items: Run })]),
    described('GET', '/flows/{flowId}/runs/{runId}', [json(200, Run)]),
  ])
  open.push(app)
  const flows = (await app.inject('/flows')).json<{ flowId: string }[]>().map(({ flowId }) => flowId)
  expect(new Set(flows.map((each) => each[0]))).toEqual(new Set(['a', 'b']))
  for (const flow of flows) {
    const runs = (await app.inject(`/flows/${flow}/runs`)).json<{ flowId: string }[]>()
    expect(new Set(runs.map(({ flowId }) => flowId))).toEqual(new Set([flow]))
  }
})

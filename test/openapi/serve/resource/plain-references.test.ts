import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { SAID, type Schema } from '../../../../src/engine/schema/schema.ts'
import { described, inPath, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = (...examples: string[]): Schema => ({ type: 'string', [SAID]: { examples, defaults: [] } })
const objectOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const Department = objectOf({ id: text('12345'), name: text('Sales') })
const Employee = objectOf({
  id: text('12345'),
  department: text('R&D'),
  manager: text('Ask me!'),
  owner: text('12345'),
  department_id: text('R&D'),
})
const id = { parameters: [inPath('id', { type: 'string' })] }

it('name nothing where their examples are not such as ids are', async () => {
  const resource = (name: string, item: Schema) => [
    described('GET', `/${name}`, [json(200, { type: 'array', items: item })]),
    described('GET', `/${name}/{id}`, [json(200, item)], id),
  ]
  const app = statefulGatewayOf([...resource('departments', Department), ...resource('employees', Employee)])
  open.push(app)
  const ids = async (name: string) =>
    (await app.inject(`/${name}`)).json<{ id: string }[]>().map((each) => each.id)
  const [departments, employees] = [await ids('departments'), await ids('employees')]
  const employee = (await app.inject(`/employees/${employees[0]}`)).json<Record<string, string>>()
  expect(employee).toMatchObject({ department: 'R&D', manager: 'Ask me!' })
  expect(employees).toContain(employee['owner'])
  expect(departments).toContain(employee['department_id'])
})

it('name nothing where what is said of the whole has no such ids', async () => {
  const integer = { type: 'integer' }
  const said = (schema: Schema, example: unknown): Schema => ({
    ...schema,
    [SAID]: { examples: [example], defaults: [] },
  })
  const word = { type: 'string' }
  const Job = objectOf({ id: integer, issue: word })
  const App = objectOf({
    id: integer,
    permissions: said(objectOf({ issues: word, jobs: word }), { issues: 'write', jobs: 'read' }),
    jobs: said({ type: 'array', items: word }, ['label', 'deployment']),
  })
  const resource = (name: string, item: Schema) => [
    described('GET', `/${name}`, [json(200, { type: 'array', items: item })]),
    described('GET', `/${name}/{id}`, [json(200, item)], { parameters: [inPath('id', integer)] }),
  ]
  const app = statefulGatewayOf([
    ...resource('issues', objectOf({ id: integer })),
    ...resource('jobs', Job),
    ...resource('apps', App),
  ])
  open.push(app)
  expect((await app.inject('/apps/1')).json()).toMatchObject({
    ...{ permissions: { issues: 'write', jobs: 'read' }, jobs: ['label', 'deployment'] },
  })
  expect((await app.inject('/jobs/1')).json<{ issue: string }>().issue).toMatch(/^\d+$/)
})

it('name items by whole numbers, where they are called as one and mean no number themselves', async () => {
  const integer = { type: 'integer' }
  const Plain = objectOf({ id: integer })
  const Task = objectOf({
    ...{
      id: integer,
      owner: integer,
      company: integer,
      tags: { type: 'array', items: integer, minItems: 1 },
    },
    // How many there are, and where it stands among others.
    ...{ comments: integer, order: integer },
  })
  const one = { parameters: [inPath('id', integer)] }
  const resource = (name: string, item: Schema) => [
    described('GET', `/${name}`, [json(200, { type: 'array', items: item })]),
    described('GET', `/${name}/{id}`, [json(200, item)], one),
  ]
  const app = statefulGatewayOf([
    ...['users', 'companies', 'tags', 'comments', 'orders'].flatMap((name) => resource(name, Plain)),
    ...resource('tasks', Task),
  ])
  open.push(app)
  const tasks = (await app.inject('/tasks')).json<Record<string, number | number[]>[]>()
  const isIdOfOne = (value: number | number[] | undefined): boolean =>
    [value ?? 0].flat().every((each) => each >= 1 && each <= 20)
  const names = ['owner', 'company', 'tags', 'comments', 'order']
  expect(names.map((name) => tasks.every((task) => isIdOfOne(task[name])))).toEqual([
    ...[true, true, true],
    ...[false, false],
  ])
})

it('are named by ids whose names are one word, and not by places in an order', async () => {
  const Page = objectOf({ id: { type: 'string' } })
  const Cluster = objectOf({
    id: { type: 'string' },
    pageid: { type: 'string' },
    orderInPage: { type: 'string' },
    paid: { type: 'string' },
  })
  const resource = (name: string, item: Schema) => [
    described('GET', `/${name}`, [json(200, { type: 'array', items: item })]),
    described('GET', `/${name}/{id}`, [json(200, item)], id),
  ]
  const app = statefulGatewayOf([...resource('pages', Page), ...resource('clusters', Cluster)])
  open.push(app)
  const itemsOf = async (name: string) => (await app.inject(`/${name}`)).json<Record<string, string>[]>()
  const pages = (await itemsOf('pages')).map((page) => page['id'])
  for (const cluster of await itemsOf('clusters')) {
    expect(pages).toContain(cluster['pageid'])
    expect(pages).not.toContain(cluster['orderInPage'])
  }
})

it('name an item also where what holds it calls its id otherwise', async () => {
  const Secret = objectOf({ id: { type: 'string', format: 'uuid' }, name: { type: 'string' } })
  const secretRef = objectOf({ secretId: { type: 'string' }, name: { type: 'string' } })
  const Job = objectOf({ id: { type: 'string' }, secretRef })
  const app = statefulGatewayOf([
    described('GET', '/secrets', [json(200, { type: 'array', items: Secret })]),
    described('GET', '/secrets/{id}', [json(200, Secret)], id),
    described('GET', '/jobs', [json(200, { type: 'array', items: Job })]),
    described('GET', '/jobs/{id}', [json(200, Job)], id),
  ])
  open.push(app)
  const secrets = (await app.inject('/secrets')).json<{ id: string; name: string }[]>()
  const jobs = (await app.inject('/jobs')).json<{ secretRef: { secretId: string; name: string } }[]>()
  const held = secrets.map(({ id: secretId, name }) => ({ secretId, name }))
  for (const job of jobs) expect(held).toContainEqual(job.secretRef)
})

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

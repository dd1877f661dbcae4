import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import { described, json, query, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const Named = { type: 'object', required: ['gid', 'name'], properties: { gid: text, name: text } }
const listOf = (items: Schema): Schema => ({ type: 'array', items })

interface Task {
  readonly gid: string
  readonly projects: readonly (string | { readonly gid: string })[]
}

it.for([{ held: text }, { held: Named }])(
  'put an item below each of those that a list of it names: %o',
  async ({ held }) => {
    const Task: Schema = {
      title: 'Task',
      type: 'object',
      required: ['gid', 'title', 'projects'],
      properties: { gid: text, title: text, projects: { type: 'array', minItems: 1, items: held } },
    }
    const takes = { type: 'object', properties: { title: text, projects: listOf(text) } }
    const app = statefulGatewayOf(
      [
        described('GET', '/projects', [json(200, listOf(Named))]),
        described('GET', '/projects/{project_gid}', [json(200, Named)]),
        described('GET', '/projects/{project_gid}/tasks', [json(200, listOf(Task))]),
        described('POST', '/projects/{project_gid}/tasks', [json(201, Task)], { takes }),
        described('GET', '/tasks', [json(200, listOf(Task))], { parameters: [query('project', text)] }),
        described('GET', '/tasks/{task_gid}', [json(200, Task)]),
        described('POST', '/tasks', [json(201, Task)], { takes }),
      ],
      { stateful: true },
    )
    open.push(app)
    const get = async <Body = Task[]>(url: string) => (await app.inject(url)).json<Body>()
    const post = async (url: string, payload: object) =>
      (await app.inject({ method: 'POST', url, payload })).json<Task>()
    const projectsOf = ({ projects }: Task) =>
      projects.map((each) => (typeof each === 'string' ? each : each.gid))
    const [one, other] = (await get<{ gid: string }[]>('/projects')).map(({ gid }) => gid)

    const before = await get('/tasks')
    const ofOne = before.filter((task) => projectsOf(task).includes(one ?? ''))
    expect(ofOne.length).toBeGreaterThan(0)
    expect(await get(`/projects/${one}/tasks`)).toEqual(ofOne)

    const made = await post('/tasks', { title: 'A', projects: [one, other] })
    expect(projectsOf(made)).toEqual([one, other])
    const below = await post(`/projects/${other}/tasks`, { title: 'B', projects: [one] })
    expect(projectsOf(below)).toEqual([one, other])
    expect(projectsOf(await post(`/projects/${one}/tasks`, { title: 'C', projects: [one] }))).toEqual([one])
    for (const project of [one, other]) {
      const gids = (await get(`/projects/${project}/tasks`)).map(({ gid }) => gid)
      expect(gids).toEqual(expect.arrayContaining([made.gid, below.gid]))
      expect((await get(`/tasks?project=${project}`)).map(({ gid }) => gid)).toEqual(gids)
    }
  },
)

import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, json, query, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const Project = { type: 'object', required: ['gid', 'name'], properties: { gid: text, name: text } }
const Task = {
  type: 'object',
  required: ['gid', 'title', 'project'],
  properties: {
    gid: text,
    title: text,
    project: Project,
    tags: {
      type: 'array',
      items: { type: 'object', required: ['gid'], properties: { gid: text, name: text } },
    },
  },
}
const Tag = { type: 'object', required: ['gid', 'name'], properties: { gid: text, name: text } }

interface Answered {
  readonly gid: string
  readonly project: { readonly gid: string; readonly name: string }
  readonly tags?: readonly { readonly gid: string; readonly name?: string }[]
}

it('is of the items whose ids are sent', async () => {
  const takes = {
    type: 'object',
    properties: { title: text, project: text, tags: {} },
  }
  const app = statefulGatewayOf(
    [
      described('GET', '/projects', [json(200, { type: 'array', items: Project })]),
      described('GET', '/projects/{project_gid}', [json(200, Project)]),
      described('POST', '/projects', [json(201, Project)], { takes: Project }),
      described('GET', '/tags', [json(200, { type: 'array', items: Tag })]),
      described('GET', '/tags/{tag_gid}', [json(200, Tag)]),
      described('GET', '/tasks', [json(200, { type: 'array', items: Task })], {
        parameters: [query('project', text)],
      }),
      described('GET', '/tasks/{task_gid}', [json(200, Task)]),
      described('POST', '/tasks', [json(201, Task)], { takes }),
      described('PATCH', '/tasks/{task_gid}', [json(200, Task)], { takes }),
    ],
    { stateful: true },
  )
  open.push(app)
  const ask = async <Body = Answered>(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
    (await app.inject({ method, url, ...(payload && { payload }) })).json<Body>()
  const [one, other] = await ask<{ gid: string; name: string }[]>('GET', '/projects')
  const [tag] = await ask<{ gid: string; name: string }[]>('GET', '/tags')

  const made = await ask('POST', '/tasks', { title: 'A', project: other?.gid, tags: [tag?.gid] })
  expect(made.project).toEqual(other)
  expect(made.tags?.map(({ gid }) => gid)).toEqual([tag?.gid])
  const found = await ask<Answered[]>('GET', `/tasks?project=${other?.gid}`)
  expect(found.map(({ gid }) => gid)).toContain(made.gid)

  const listed = await ask('POST', '/tasks', { title: 'B', project: one?.gid, tags: `${tag?.gid}` })
  expect(listed.tags).toEqual(made.tags)

  const own = await ask<{ gid: string; name: string }>('POST', '/projects', { gid: 'p-1', name: 'Launch' })
  expect((await ask('PATCH', `/tasks/${made.gid}`, { project: 'p-1' })).project).toEqual(own)
  expect((await ask('PATCH', `/tasks/${made.gid}`, { project_gid: one?.gid })).project).toEqual(one)
  const url = `https://api.example.com/v1/projects/${other?.gid}`
  expect((await ask('PATCH', `/tasks/${made.gid}`, { project: url })).project).toEqual(other)
})

it.each(['kind', 'record_type'])(
  'keep the %s that is said of them, whatever that of the items is',
  async (named) => {
    const kind = (name: string) => ({ type: 'string', 'x-sim-said': { examples: [], defaults: [name] } })
    const File = {
      type: 'object',
      required: ['id', named, 'name'],
      properties: { id: text, [named]: kind('file'), name: text },
    }
    const Share = {
      type: 'object',
      required: ['id', 'file'],
      properties: {
        id: text,
        file: { ...File, properties: { ...File.properties, [named]: kind('fileRef') } },
      },
    }
    const app = statefulGatewayOf(
      [
        described('GET', '/files', [json(200, { type: 'array', items: File })]),
        described('GET', '/files/{id}', [json(200, File)]),
        described('PATCH', '/files/{id}', [json(200, File)], {
          takes: { type: 'object', properties: { name: text } },
        }),
        described('GET', '/shares', [json(200, { type: 'array', items: Share })]),
        described('GET', '/shares/{id}', [json(200, Share)]),
      ],
      { stateful: true },
    )
    open.push(app)
    type Shared = {
      readonly file: { readonly id: string; readonly name: string; readonly [kind: string]: string }
    }
    const [before] = (await app.inject('/shares')).json<Shared[]>()
    expect(before?.file[named]).toBe('fileRef')
    await app.inject({ method: 'PATCH', url: `/files/${before?.file.id}`, payload: { name: 'Other' } })
    const [after] = (await app.inject('/shares')).json<Shared[]>()
    expect(after?.file).toEqual({ ...before?.file, name: 'Other' })
  },
)

import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const moment = { type: 'string', format: 'date-time' }
const Task = {
  type: 'object',
  required: ['id', 'title', 'created_at', 'updated_at'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    title: { type: 'string' },
    created_at: moment,
    updated_at: moment,
    closed_at: moment,
    due: { type: 'string', format: 'date' },
    dateAdded: { type: 'string', format: 'date' },
    lastModified: { type: 'integer' },
    updated: { type: 'boolean' },
    metadata: { type: 'object', required: ['creationTimestamp'], properties: { creationTimestamp: moment } },
  },
}
const takes = { type: 'object', properties: { title: { type: 'string' }, created_at: moment } }

interface Answered {
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly dateAdded: string
  readonly lastModified: number
  readonly metadata?: { readonly creationTimestamp: string }
}

function askTasks(): (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT',
  url: string,
  payload?: object,
) => Promise<Answered> {
  const app = statefulGatewayOf(
    [
      described('GET', '/tasks', [json(200, { type: 'array', items: Task })]),
      described('GET', '/tasks/{id}', [json(200, Task)]),
      described('POST', '/tasks', [json(201, Task)], { takes }),
      described('PATCH', '/tasks/{id}', [json(200, Task)], { takes }),
      described('PUT', '/tasks/{id}', [json(200, Task)], { takes }),
    ],
    { stateful: true },
  )
  open.push(app)
  return async (method, url, payload) =>
    (await app.inject({ method, url, ...(payload && { payload }) })).json<Answered>()
}

it('has a new item made and changed now, and not yet closed', async () => {
  const ask = askTasks()
  const began = Date.now() - 1000
  const made = await ask('POST', '/tasks', { title: 'One' })
  const times = [
    ...[made.created_at, made.updated_at, made.metadata?.creationTimestamp ?? ''].map((text) =>
      Date.parse(text),
    ),
    made.lastModified * 1000,
  ]
  for (const time of times) expect(time).toBeGreaterThanOrEqual(began)
  expect(made.dateAdded).toBe(made.created_at.slice(0, 10))
  expect(made).not.toHaveProperty('closed_at')
  expect(await ask('GET', `/tasks/${made.id}`)).toEqual(made)
})

it('says of a change when it was, and keeps when the item was made', async () => {
  const ask = askTasks()
  const [before] = (await ask('GET', '/tasks')) as unknown as Answered[]
  if (before === undefined) throw new Error('no tasks')
  const began = new Date().toISOString().slice(0, 10)
  for (const method of ['PATCH', 'PUT'] as const) {
    const changed = await ask(method, `/tasks/${before.id}`, { title: 'Other' })
    expect(changed.created_at).toBe(before.created_at)
    expect(changed.metadata?.creationTimestamp).toBe(before.metadata?.creationTimestamp)
    expect(changed.updated_at >= began).toBe(true)
    expect(await ask('GET', `/tasks/${before.id}`)).toEqual(changed)
  }
})

it('keeps a moment that is sent', async () => {
  const sent = { title: 'Old', created_at: '2001-02-03T04:05:06Z' }
  expect(await askTasks()('POST', '/tasks', sent)).toMatchObject(sent)
})

it('has no item changed before its example says that it was made', async () => {
  const Named = { ...Task, required: ['id'] }
  const first = { id: 'aaaaaaaa-0000-4000-8000-000000000001', created_at: '2090-01-01T00:00:00Z' }
  const app = statefulGatewayOf([
    described('GET', '/tasks', [json(200, { type: 'array', items: Named }, { all: [first] })]),
    described('GET', '/tasks/{id}', [json(200, Task)]),
  ])
  open.push(app)
  const shown = (await app.inject({ method: 'GET', url: `/tasks/${first.id}` })).json<Answered>()
  expect(shown.created_at).toBe(first.created_at)
  expect(shown.updated_at >= first.created_at).toBe(true)
})

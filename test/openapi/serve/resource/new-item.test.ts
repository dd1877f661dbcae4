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

it('has what its own model says that servers set, and not what the request could have sent', async () => {
  const text = { type: 'string' }
  const Note = {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      kind: { ...text, readOnly: true, 'x-sim-said': { examples: ['note'], defaults: [] } },
      shares: { type: 'array', items: text, readOnly: true },
      closed_at: { ...text, format: 'date-time', readOnly: true },
      closed_by: { ...text, readOnly: true },
      shareCount: { type: 'number', readOnly: true },
      title: text,
      subtitle: text,
    },
  }
  const app = statefulGatewayOf(
    [
      described('GET', '/notes', [json(200, { type: 'array', items: Note })]),
      described('GET', '/notes/{id}', [json(200, Note)]),
      described('POST', '/notes', [json(201, Note)], { takes: Note }),
    ],
    { stateful: true },
  )
  open.push(app)
  const payload = { title: 'demo', kind: 'other' }
  const made = (await app.inject({ method: 'POST', url: '/notes', payload })).json<object>()
  const id = expect.any(Number) as number
  expect(made).toEqual({ id, kind: 'note', shares: [], shareCount: 0, title: 'demo' })
})

it('has what is sent by a name in another case under its own name alone', async () => {
  const text = { type: 'string' }
  const Note = { type: 'object', required: ['Id', 'Title'], properties: { Id: text, Title: text } }
  const page = {
    type: 'object',
    required: ['BookId', 'Notes'],
    properties: { BookId: text, Notes: { type: 'array', items: Note } },
  }
  const takes = { type: 'object', properties: { title: text } }
  const app = statefulGatewayOf(
    [
      described('GET', '/books/{book-id}/notes', [json(200, page)]),
      described('GET', '/books/{book-id}/notes/{id}', [json(200, Note)]),
      described('POST', '/books/{book-id}/notes', [json(201, { type: 'object' })], { takes }),
    ],
    { stateful: true },
  )
  open.push(app)
  const url = '/books/b7/notes'
  const made = (await app.inject({ method: 'POST', url, payload: { title: 'demo' } })).json<object>()
  expect(made).toEqual({ Id: expect.any(String) as string, Title: 'demo' })
  // What is around the list is of the path, too.
  expect((await app.inject(url)).json()).toMatchObject({ BookId: 'b7' })
})

it('does not keep what only requests have, where the model of answers does not say which fields there are', async () => {
  const text = { type: 'string' }
  const takes = {
    type: 'object',
    properties: {
      name: text,
      entry: { ...text, format: 'password' },
      pin: { ...text, writeOnly: true },
    },
  }
  const User = { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: true }
  const app = statefulGatewayOf(
    [
      described('GET', '/users/{id}', [json(200, User)]),
      described('POST', '/users', [json(201, User)], { takes }),
      described('PATCH', '/users/{id}', [json(200, User)], { takes }),
    ],
    { stateful: true },
  )
  open.push(app)
  const sent = { name: 'ada', entry: 'swordfish', pin: '1234', nick: 'a' }
  const made = (await app.inject({ method: 'POST', url: '/users', payload: sent })).json<{ id: number }>()
  expect(made).toEqual({ id: made.id, name: 'ada', nick: 'a' })
  const url = `/users/${made.id}`
  const changed = await app.inject({ method: 'PATCH', url, payload: { entry: 'pike', name: 'eva' } })
  expect(changed.json()).toEqual({ id: made.id, name: 'eva', nick: 'a' })
  expect((await app.inject({ url })).json()).toEqual({ id: made.id, name: 'eva', nick: 'a' })
})

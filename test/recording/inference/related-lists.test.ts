import { expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

const LABELS = [1, 2].map((id) => ({ id, name: `label ${id}` }))
const task = (id: number) => ({ id, title: `task ${id}`, isDone: false })
const of = (id: number, ...labels: number[]) => ({
  ...task(id),
  labels: LABELS.filter((label) => labels.includes(label.id)),
})
const made = (path: string, body: object, response: object): Entry => [
  `POST ${path}`,
  { status: 201, body, response },
]

const RECORDED: readonly Entry[] = [
  ...LABELS.map((label) => made('/labels', { name: label.name }, { ...label, tasks: [] })),
  ...[1, 2, 3].map((id) => made('/tasks', { title: `task ${id}` }, of(id))),
  ['PUT /tasks/1/labels/2', { response: of(1, 2) }],
  ['PUT /tasks/2/labels/1', { response: of(2, 1) }],
  ['PUT /tasks/1/labels/1', { response: of(1, 1, 2) }],
  ['GET /tasks/9/labels', { status: 404, response: 'Not Found' }],
  ['DELETE /tasks/1/labels/1', { response: of(1, 2) }],
  ['GET /tasks/1/labels', { response: [LABELS[1]] }],
  ['PUT /tasks/3/labels', { body: [1, 2], response: of(3, 1, 2) }],
  ['GET /tasks', { response: [of(1, 2), of(2, 1), of(3, 1, 2)] }],
  ['GET /tasks?populate=false', { response: [task(1), task(2), task(3)] }],
  ['GET /tasks/1', { response: of(1, 2) }],
  ['GET /labels/1', { response: { ...LABELS[0], tasks: [task(2), task(3)] } }],
  ['GET /labels/2', { response: { ...LABELS[1], tasks: [task(1), task(3)] } }],
]

it('are found by what paths below items add and remove, and shown by both sides', () => {
  const { routes } = toRouteFile(inferRoutes(samplesOf(...RECORDED))).document
  const labels = { at: '/labels', by: 'id', from: 'labels', list: true, hidden: true }
  expect(routes).toMatchObject({
    'GET /tasks': { item: { embeds: { parameter: 'populate', always: true, members: { labels } } } },
    'GET /labels/{id}': {
      item: { embeds: { members: { tasks: { at: '/tasks', by: 'labels', list: true } } } },
    },
    'PUT /tasks/{task_id}/labels/{id}': {
      item: { at: '/tasks/{task_id}', does: 'change', entry: { list: '/labels', by: 'id', value: 'number' } },
    },
    'DELETE /tasks/{task_id}/labels/{id}': {
      item: { entry: { list: '/labels', by: 'id', value: 'number' } },
    },
    'PUT /tasks/{task_id}/labels': { item: { entry: { list: '/labels' } } },
    'GET /tasks/{task_id}/labels': { item: { at: '/tasks/{task_id}', part: '/labels' } },
  })
})

it('are kept as the ids of what they have', async () => {
  const model = (lists: string) => ({
    type: 'object',
    properties: { id: { type: 'integer' }, [lists]: { type: 'array' } },
    required: ['id'],
  })
  const api = new SimAPI({ seed: 1, stateful: true })
  const labels = { at: '/labels', by: 'id', from: 'labels', list: true, hidden: true }
  const item = { at: '/tasks/{task}', does: 'change', embeds: { members: { labels } } } as const
  const entry = { list: '/labels', by: 'id', value: 'number' } as const
  const tasks = { at: '/tasks', by: 'labels', list: true }
  api.get('/labels/{id}', { output: model('tasks'), item: { embeds: { members: { tasks } } } })
  api.get('/tasks/{id}', { output: model('labels') })
  api.put('/tasks/{task}/labels/{id}', { output: model('labels'), item: { ...item, entry } })
  api.delete('/tasks/{task}/labels/{id}', { output: model('labels'), status: 200, item: { ...item, entry } })
  api.put('/tasks/{task}/labels', { output: model('labels'), item: { ...item, entry: { list: '/labels' } } })
  const part = { at: '/tasks/{task}', part: '/labels', embeds: { members: { labels } } }
  api.get('/tasks/{task}/labels', { output: { type: 'array' }, item: part })
  api.seedStore('/labels', [{ id: 1 }, { id: 2 }])
  api.seedStore('/tasks', [{ id: 7, labels: [] }])
  const app = api.asWebApp()
  const call = async (method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object): Promise<unknown> =>
    (await app.inject({ method, url, ...(payload && { payload }) })).json<unknown>()
  expect(await call('PUT', '/tasks/7/labels/2')).toEqual({ id: 7, labels: [{ id: 2 }] })
  expect(await call('PUT', '/tasks/7/labels/2')).toEqual({ id: 7, labels: [{ id: 2 }] })
  expect(await call('GET', '/labels/2')).toEqual({ id: 2, tasks: [{ id: 7, labels: [2] }] })
  expect(await call('GET', '/tasks/7/labels')).toEqual([{ id: 2 }])
  expect(await call('DELETE', '/tasks/7/labels/2')).toEqual({ id: 7, labels: [] })
  expect(await call('PUT', '/tasks/7/labels', [1, 2])).toEqual({ id: 7, labels: [{ id: 1 }, { id: 2 }] })
  expect((await app.inject('/tasks/8/labels')).statusCode).toBe(404)
})

it('are found where nothing is answered, by what is read before several requests and after them', async () => {
  const image = (id: number, ...tags: string[]) => ({ id, name: `image ${id}`, tags })
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        made('/images', { name: 'image 1', tags: ['old'] }, image(1, 'old')),
        made('/images', { name: 'image 2' }, image(2)),
        ['PUT /images/1/tags/small', { status: 204 }],
        ['PUT /images/1/tags/new', { status: 204 }],
        ['GET /images/1', { response: image(1, 'new', 'old', 'small') }],
        ['DELETE /images/1/tags/old', { status: 204 }],
        ['DELETE /images/1/tags/old', { status: 404 }],
        ['GET /images/1', { response: image(1, 'small', 'new') }],
      ),
    ),
  )
  const entry = { list: '/tags', value: 'text' }
  expect(document['routes']).toMatchObject({
    'PUT /images/{image_id}/tags/{tags}': { item: { at: '/images/{image_id}', entry, shown: false } },
    'DELETE /images/{image_id}/tags/{tags}': { item: { entry: { ...entry, refuses: true } } },
  })
})

it('refuse the removal of a value that is not in them where they say so', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const output = { type: 'object', properties: { id: { type: 'integer' }, tags: { type: 'array' } } }
  const entry = { list: '/tags', by: 'tag', value: 'text', refuses: true } as const
  api.get('/images/{id}', { output })
  const item = { at: '/images/{image}', does: 'change', entry, shown: false } as const
  api.delete('/images/{image}/tags/{tag}', { item })
  api.seedStore('/images', [{ id: 1, tags: ['a', 'b'] }])
  const app = api.asWebApp()
  const removed = async (): Promise<number> =>
    (await app.inject({ method: 'DELETE', url: '/images/1/tags/a' })).statusCode
  expect([await removed(), await removed()]).toEqual([204, 404])
  expect((await app.inject('/images/1')).json()).toEqual({ id: 1, tags: ['b'] })
})

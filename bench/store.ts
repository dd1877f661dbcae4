import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { SimAPI } from '../src/api.ts'
import { list } from '../src/engine/model/list.ts'
import { PageParams, PaginatedResponse } from '../src/engine/model/pages.ts'
import { createMemoryStore } from '../src/engine/store/memory-store.ts'
import type { Collection } from '../src/engine/store/store.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const ROUNDS = 5

interface Work<Subject> {
  readonly name: string
  run(subject: Subject, size: number, step: number): unknown
}

// Each adds as much as another deletes, so that a collection keeps its size from round to round.
const STORE_WORK: readonly Work<Collection>[] = [
  { name: 'read by id', run: (collection, size, step) => collection.get(String((step * 7919) % size)) },
  { name: 'page in the middle', run: (collection, size) => collection.page(size >> 1, 20) },
  { name: 'insert', run: (collection, _size, step) => collection.set(`new-${step}`, { id: `new-${step}` }) },
  { name: 'delete', run: (collection, _size, step) => collection.delete(`new-${step}`) },
]

const created: number[] = []
const REQUESTS: readonly Work<FastifyInstance>[] = [
  { name: 'GET by id', run: (app, size, step) => app.inject(`/items/${1 + ((step * 7919) % size)}`) },
  { name: 'GET a page in the middle', run: (app, size) => app.inject(`/pages?limit=20&offset=${size >> 1}`) },
  {
    name: 'POST',
    async run(app) {
      created.push((await app.inject({ method: 'POST', url: '/items' })).json<{ id: number }>().id)
    },
  },
  { name: 'DELETE', run: (app) => app.inject({ method: 'DELETE', url: `/items/${created.shift()}` }) },
]

function createCollection(size: number): Collection {
  const collection = createMemoryStore().collection('/items')
  for (let id = 1; id <= size; id++) collection.set(String(id), { id, name: `Item ${id}` })
  return collection
}

function createApp(size: number): FastifyInstance {
  const Item = Type.Object({ id: Type.Integer(), name: Type.String() })
  const api = new SimAPI({ seed: 1, stateful: true, store: { maxItems: 2_000_000 } })
  api
    .get('/items', { output: list(Item) })
    .post('/items', { output: Item })
    .get('/items/{id}', { output: Item })
  api.delete('/items/{id}').get('/pages', { input: PageParams, output: PaginatedResponse(Item) })
  for (const path of ['/items', '/pages']) {
    const collection = api.store.collection(path)
    for (let id = 1; id <= size; id++) collection.set(String(id), { id, name: `Item ${id}` })
    collection.assigned = size
  }
  return api.asWebApp()
}

async function measure<Subject>(
  works: readonly Work<Subject>[],
  create: (size: number) => Subject,
  steps: number,
) {
  const subjects = SIZES.map(create)
  const times = new Map<string, number[]>()
  // The first round only warms up; sizes take turns, so that what else the machine does meets all alike.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, size] of SIZES.entries()) {
      for (const { name, run } of works) {
        const start = performance.now()
        for (let step = 0; step < steps; step++) await run(subjects[index] as Subject, size, step)
        const key = `${name} ${size}`
        if (round > 0)
          times.set(key, [...(times.get(key) ?? []), ((performance.now() - start) * 1000) / steps])
      }
    }
  }
  return works.map(({ name }) => ({
    name,
    medians: SIZES.map((size) => median(times.get(`${name} ${size}`) ?? [])),
  }))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function table(title: string, rows: Awaited<ReturnType<typeof measure>>): string {
  const sizes = SIZES.map((size) => `${size.toLocaleString('en')} items`)
  const lines = rows.map(({ name, medians }) => {
    const ratio = (medians[0] ?? Number.NaN) / (medians.at(-1) ?? Number.NaN)
    return `| ${[name, ...medians.map((time) => time.toFixed(1)), ratio.toFixed(2)].join(' | ')} |`
  })
  const head = `| ${[title, ...sizes, 'speed at the largest / smallest'].join(' | ')} |`
  return [head, `|---${'|---'.repeat(sizes.length + 1)}|`, ...lines, ''].join('\n')
}

process.stdout.write(`${table('request without a socket (µs)', await measure(REQUESTS, createApp, 300))}\n`)
process.stdout.write(table('store alone, awaited (µs)', await measure(STORE_WORK, createCollection, 2000)))
process.exit(0)

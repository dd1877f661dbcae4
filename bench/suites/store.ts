import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { SimAPI } from '../../src/api.ts'
import { list, PageParams, PaginatedResponse } from '../../src/engine/schema/list.ts'
import { figureOf, rowOf, type Row } from '../harness/figures.ts'
import type { Suite } from './suite.ts'

const [FEW, MANY] = [1_000, 1_000_000]
const ROUNDS = 25
const WARM_UP_ROUNDS = 5
const STEPS = 500

interface Work {
  readonly name: string
  run(app: FastifyInstance, size: number, step: number): Promise<unknown>
}

// Each adds as much as another deletes, so that a collection keeps its size from round to round.
const created: number[] = []
const WORKS: readonly Work[] = [
  { name: 'read by id', run: async (app, size, step) => app.inject(`/items/${1 + ((step * 7919) % size)}`) },
  { name: 'page in the middle', run: async (app, size) => app.inject(`/pages?limit=20&offset=${size >> 1}`) },
  {
    name: 'insert',
    async run(app) {
      created.push((await app.inject({ method: 'POST', url: '/items' })).json<{ id: number }>().id)
    },
  },
  { name: 'delete', run: async (app) => app.inject({ method: 'DELETE', url: `/items/${created.shift()}` }) },
]

/** A large store against a small one, by requests without a socket. */
export const store: Suite = {
  name: 'store',
  describe: `a store of ${MANY} items against one of ${FEW}`,
  async measure() {
    const apps = [FEW, MANY].map((size) => ({
      size,
      app: createApp(size),
      rates: new Map<string, number[]>(),
    }))
    // The first rounds only warm up, while the filled stores settle in memory; sizes take turns, so that what else the machine does meets both alike.
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      for (const { app, size, rates } of apps) {
        for (const { name, run } of WORKS) {
          const start = performance.now()
          for (let step = 0; step < STEPS; step++) await run(app, size, step)
          const rate = (STEPS * 1000) / (performance.now() - start)
          if (round >= WARM_UP_ROUNDS) rates.set(name, [...(rates.get(name) ?? []), rate])
        }
      }
    }
    const [few, many] = apps
    return WORKS.map(({ name }): Row => ({
      ...rowOf({
        work: `store of ${MANY} items: ${name}`,
        contender: `${FEW} items`,
        unit: 'req/s',
        ours: figureOf(many?.rates.get(name) ?? []),
        theirs: figureOf(few?.rates.get(name) ?? []),
      }),
      target: { atLeast: 0.8 },
    }))
  },
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

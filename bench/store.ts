import { createMemoryStore } from '../src/engine/store/memory-store.ts'
import type { Collection } from '../src/engine/store/store.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const ROUNDS = 5
const OPERATIONS = 2_000

interface Work {
  readonly name: string
  run(collection: Collection, size: number, step: number): void
}

// Each deletes or adds as much as the other, so that a collection keeps its size from round to round.
const WORKS: readonly Work[] = [
  { name: 'read by id', run: (collection, size, step) => void collection.get(String((step * 7919) % size)) },
  { name: 'page in the middle', run: (collection, size) => void collection.page(size >> 1, 20) },
  { name: 'insert', run: (collection, _size, step) => collection.set(`new-${step}`, { id: `new-${step}` }) },
  { name: 'delete', run: (collection, _size, step) => void collection.delete(`new-${step}`) },
]

function fill(size: number): Collection {
  const collection = createMemoryStore().collection('/items')
  for (let id = 0; id < size; id++) collection.set(String(id), { id: String(id), name: `Item ${id}` })
  return collection
}

function microseconds(work: Work, collection: Collection, size: number): number {
  const start = performance.now()
  for (let step = 0; step < OPERATIONS; step++) work.run(collection, size, step)
  return ((performance.now() - start) * 1000) / OPERATIONS
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const collections = SIZES.map(fill)
const times = new Map<string, number[]>()
for (let round = 0; round <= ROUNDS; round++) {
  for (const [index, size] of SIZES.entries()) {
    for (const work of WORKS) {
      const time = microseconds(work, collections[index], size)
      const key = `${work.name} ${size}`
      // The first round only warms up.
      if (round > 0) times.set(key, [...(times.get(key) ?? []), time])
    }
  }
}

const lines = [
  '| operation (µs, median of rounds) | ' + SIZES.map((size) => size.toLocaleString('en')).join(' | ') + ' |',
]
lines.push('|---|' + SIZES.map(() => '---').join('|') + '|')
for (const { name } of WORKS) {
  const medians = SIZES.map((size) => median(times.get(`${name} ${size}`) ?? []))
  lines.push(`| ${name} | ${medians.map((time) => time.toFixed(2)).join(' | ')} |`)
}
process.stdout.write(`${lines.join('\n')}\n`)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdapter } from 'sim-gateway/adapter'
import { adapter } from '../src/adapter.ts'

const MANY = 100_000
const FEW = 1000
const MIB = 1024 * 1024
const PATH = '/api/v2/ontologies/big/objects/Thing'
const GETS = 2000

const fixtureOf = (count: number): string =>
  JSON.stringify({
    version: 1,
    ontologies: [
      {
        apiName: 'big',
        objectTypes: [
          {
            apiName: 'Thing',
            primaryKey: 'id',
            titleProperty: 'name',
            properties: { id: 'integer', name: 'string', group: 'string', size: 'double', at: 'timestamp' },
            objects: Array.from({ length: count }, (_, index) => ({
              id: index,
              name: `Thing ${(index * 7919) % count}`,
              group: `g${index % 10}`,
              size: (index * 104_729) % 1_000_003,
              at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
            })),
          },
        ],
      },
    ],
  })

const print = (what: string, value: number, unit: string): void => {
  process.stdout.write(`${what.padEnd(46)}${value.toFixed(unit === 'µs' ? 1 : 0).padStart(8)} ${unit}\n`)
}

const loaded = (folder: string, count: number) => {
  const file = join(folder, `${count}.json`)
  writeFileSync(file, fixtureOf(count))
  const begin = performance.now()
  const mock = createAdapter(adapter, { fixture: file })
  return { mock, ms: performance.now() - begin }
}

type Mock = ReturnType<typeof loaded>['mock']

const timeOf = async (ask: () => Promise<Response>, times: number): Promise<number> => {
  const begin = performance.now()
  for (let turn = 0; turn < times; turn++) {
    const answer = await ask()
    if (answer.status !== 200) throw new Error(await answer.text())
    await answer.arrayBuffer()
  }
  return (performance.now() - begin) / times
}

const get = async (mock: Mock, count: number): Promise<number> => {
  let key = 0
  const ask = () => mock.fetch(`${PATH}/${(key = (key + 7919) % count)}`)
  await timeOf(ask, GETS)
  return timeOf(ask, GETS)
}

const search = (mock: Mock, where: unknown, orderBy: string): Promise<number> => {
  const body = JSON.stringify({
    where,
    orderBy: { fields: [{ field: orderBy, direction: 'desc' }] },
    pageSize: 100,
  })
  return timeOf(() => mock.fetch(`${PATH}/search`, { method: 'POST', body }), 5)
}

const folder = mkdtempSync(join(tmpdir(), 'sim-ontology-bench-'))
try {
  const few = loaded(folder, FEW)
  const many = loaded(folder, MANY)
  globalThis.gc?.()
  print(`load ${MANY} objects from JSON`, many.ms, 'ms')
  print('memory of the process after that (rss)', process.memoryUsage().rss / MIB, 'MiB')
  print(`get by key, ${FEW} objects`, (await get(few.mock, FEW)) * 1000, 'µs')
  print(`get by key, ${MANY} objects`, (await get(many.mock, MANY)) * 1000, 'µs')
  const half = { type: 'gt', field: 'size', value: 500_000 }
  const term = { type: 'containsAnyTerm', field: 'name', value: '5 500 5000' }
  print('search, half of them, ordered by number', await search(many.mock, half, 'size'), 'ms')
  print('search, half of them, ordered by text', await search(many.mock, half, 'name'), 'ms')
  print('search by terms, ordered by instant', await search(many.mock, term, 'at'), 'ms')
} finally {
  rmSync(folder, { recursive: true })
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { textFile } from '../../../src/data-files/text-file.ts'
import { createGateway } from '../../../src/gateway.ts'
import { loadDescription } from '../../../src/loaders/load-description.ts'
import { createOperationDrafts } from '../../../src/loaders/sampling/sample-operation.ts'

const FOLDER = join(import.meta.dirname, '../import/descriptions')
const REQUESTS = 340

// test/corpus does the same with large public descriptions, and requests of another generator.
it.for(['pets.yaml', 'orders.json', 'library.json'])(
  'finds nothing wrong with generated requests and answers of %s',
  async (name) => {
    const file = join(FOLDER, name)
    const { api } = await loadDescription(textFile(file, readFileSync(file, 'utf8')), {
      defaults: {},
      options: { seed: 1, dynamic: true },
    })
    const app = createGateway({ engine: api.engine(), check: { level: 'report' } })
    const drafts = api.routes.flatMap((route) =>
      route.operation === undefined ? [] : [createOperationDrafts(route, route.operation, 1)],
    )
    for (let number = 0; number < REQUESTS; number++) {
      const draft = drafts[number % drafts.length]?.(number)
      const { method, url, headers, payload } =
        draft?.request(draft.parameters) ?? expect.fail('no operation')
      await app.inject({ method: method as 'GET', url, headers, ...(payload !== undefined && { payload }) })
    }
    const { totals, operations } = (await app.inject('/__sim/coverage')).json<{
      totals: { operations: unknown }
      operations: { operation: string; requests: number; broken: unknown[] }[]
    }>()
    await app.close()
    expect(operations.flatMap(({ operation, broken }) => broken.map((each) => [operation, each]))).toEqual([])
    expect(operations.reduce((sum, { requests }) => sum + requests, 0)).toBe(REQUESTS)
    expect(totals.operations).toEqual({ seen: drafts.length, total: drafts.length })
  },
)

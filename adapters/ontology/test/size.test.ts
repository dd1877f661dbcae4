import { describe, expect, it } from 'vitest'
import { OntologyMock } from '../src/mock.ts'
import type { OntologyObject } from '../src/ontology/model.ts'
import { ask } from './ask.ts'

const PATH = '/big/objects/Thing'

const mockOf = (count: number): OntologyMock =>
  new OntologyMock({
    fixture: {
      version: 1,
      ontologies: [
        {
          apiName: 'big',
          objectTypes: [
            {
              apiName: 'Thing',
              primaryKey: 'id',
              properties: { id: 'integer', rank: 'integer' },
              objects: Array.from({ length: count }, (_, id) => ({ id, rank: (id * 7919) % count })),
            },
          ],
        },
      ],
    },
  })

/** Counts how many objects' properties are read from now on. */
const countReads = ({ adapter }: OntologyMock): { count: number } => {
  const reads = { count: 0 }
  const [ontology] = adapter.state().all
  for (const object of ontology?.objects ?? []) {
    const { properties } = object
    Object.defineProperty(object, 'properties', {
      get: (): OntologyObject['properties'] => {
        reads.count++
        return properties
      },
    })
  }
  return reads
}

describe('many objects', () => {
  it('are looked up by their keys without looking at others', async () => {
    const readsOf = async (count: number, path: string, body?: unknown): Promise<number> => {
      const mock = mockOf(count)
      const reads = countReads(mock)
      expect((await ask(mock, path, body)).status).toBe(200)
      return reads.count
    }
    const byFilter = {
      objectSet: {
        type: 'filter',
        objectSet: { type: 'base', objectType: 'Thing' },
        where: { type: 'eq', field: 'id', value: 500 },
      },
    }
    for (const [path, body] of [
      [`${PATH}/500`, undefined],
      ['/big/objectSets/loadObjects', byFilter],
    ] as const) {
      const few = await readsOf(1000, path, body)
      expect(few).toBeLessThan(10)
      expect(await readsOf(100_000, path, body)).toBe(few)
    }
  })

  it('are searched in one pass, and only those of the page are written', async () => {
    const mock = mockOf(100_000)
    const reads = countReads(mock)
    const { body } = await ask(mock, `${PATH}/search`, {
      where: { type: 'gte', field: 'rank', value: 50_000 },
      orderBy: { fields: [{ field: 'rank', direction: 'desc' }] },
      pageSize: 100,
    })
    expect(body.totalCount).toBe('50000')
    expect(body.data.map(({ rank }: { rank: number }) => rank)).toEqual(
      Array.from({ length: 100 }, (_, index) => 99_999 - index),
    )
    // Once for the filter, half of them once more for the order, and a few times for each object of the page.
    expect(reads.count).toBeLessThan(151_000)
  })
})

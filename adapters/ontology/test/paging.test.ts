import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OntologyMockContext } from '../src/mock.ts'
import { type Page, refusal } from './pages.ts'

const BASE = '/api/v2/ontologies'

interface Shape {
  readonly ranks: readonly (number | null)[]
  readonly pageSize: number
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  ranks: fc.array(fc.option(fc.integer({ min: 0, max: 5 })), { maxLength: 30 }),
  pageSize: fc.integer({ min: 1, max: 12 }),
})

const objectsOf = (ranks: readonly (number | null)[], from = 0) =>
  ranks.map((rank, index) => ({ id: from + index + 1, rank }))

/** A fixture of things with ranks: each has an owner, who has them all. */
const fixtureOf = (ranks: Shape['ranks']) => ({
  version: 1,
  ontologies: [
    {
      apiName: 'o',
      objectTypes: [
        { apiName: 'Owner', primaryKey: 'id', properties: { id: 'integer' }, objects: [{ id: 1 }] },
        {
          apiName: 'Thing',
          primaryKey: 'id',
          properties: { id: 'integer', rank: 'integer', owner: 'integer' },
          objects: objectsOf(ranks).map((object) => ({ ...object, owner: 1 })),
        },
        ...ranks.map((_, index) => ({ apiName: `Type${index}`, primaryKey: 'id' })),
      ],
      linkTypes: [{ apiName: 'owner', reverse: 'things', from: 'Thing', to: 'Owner', foreignKey: 'owner' }],
      actionTypes: ranks.map((_, index) => ({ apiName: `act${index}` })),
      queryTypes: ranks.map((_, index) => ({
        apiName: `ask${index}`,
        result: { type: 'static', value: index },
      })),
    },
  ],
})

/** Asks for one page, and says which things are on it. */
type Pager = (mock: OntologyMockContext, pageSize: number, pageToken: string | undefined) => Promise<Page>

const byQuery =
  (path: string): Pager =>
  async (mock, pageSize, pageToken) => {
    const query = new URLSearchParams({
      pageSize: String(pageSize),
      ...(pageToken !== undefined && { pageToken }),
    })
    const answer = await mock.fetch(`${BASE}/o${path}${path.includes('?') ? '&' : '?'}${query.toString()}`)
    return (await answer.json()) as Page
  }

const byBody =
  (path: string, body: object): Pager =>
  async (mock, pageSize, pageToken) => {
    const answer = await mock.fetch(`${BASE}/o${path}`, {
      method: 'POST',
      body: JSON.stringify({ ...body, pageSize, ...(pageToken !== undefined && { pageToken }) }),
    })
    return (await answer.json()) as Page
  }

const things = { type: 'base', objectType: 'Thing' }
const ranked = { fields: [{ field: 'rank', direction: 'desc' }] }

const OBJECT_PAGERS: Readonly<Record<string, Pager>> = {
  'list objects': byQuery('/objects/Thing'),
  'list objects in order': byQuery('/objects/Thing?orderBy=p.rank:asc'),
  'search in order': byBody('/objects/Thing/search', { orderBy: ranked }),
  'list linked objects': byQuery('/objects/Owner/1/links/things?orderBy=p.rank:desc'),
  'load a set': byBody('/objectSets/loadObjects', { objectSet: things }),
  'load a set in order': byBody('/objectSets/loadObjects', { objectSet: things, orderBy: ranked }),
}

const TYPE_PAGERS: Readonly<Record<string, Pager>> = {
  'list object types': byQuery('/objectTypes'),
  'list action types': byQuery('/actionTypes'),
  'list query types': byQuery('/queryTypes'),
}

const nameOf = (item: Readonly<Record<string, unknown>>): unknown => item['__primaryKey'] ?? item['apiName']

/** Pages through everything; `between` happens after the first page. */
const pageThrough = async (
  mock: OntologyMockContext,
  pager: Pager,
  pageSize: number,
  between: () => void = () => undefined,
): Promise<unknown[]> => {
  const seen: unknown[] = []
  let page = await pager(mock, pageSize, undefined)
  between()
  for (let turn = 0; turn < 100; turn++) {
    if (page.data === undefined) throw new Error(`refused: ${JSON.stringify(page)}`)
    expect(page.data.length).toBeLessThanOrEqual(pageSize)
    // Only the first page may be empty: no token leads to nothing.
    if (turn > 0) expect(page.data.length).toBeGreaterThan(0)
    seen.push(...page.data.map(nameOf))
    if (page.nextPageToken === undefined) return seen
    page = await pager(mock, pageSize, page.nextPageToken)
  }
  throw new Error('the pages do not end')
}

const isEachOnce = (seen: readonly unknown[], wanted: readonly unknown[]): void => {
  expect(new Set(seen).size).toBe(seen.length)
  expect(new Set(seen)).toEqual(new Set(wanted))
}

describe('paging', () => {
  it('sees each object once, whatever the page size', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async ({ ranks, pageSize }) => {
        using mock = new OntologyMockContext({ fixture: fixtureOf(ranks) })
        const keys = ranks.map((_, index) => index + 1)
        for (const pager of Object.values(OBJECT_PAGERS))
          isEachOnce(await pageThrough(mock, pager, pageSize), keys)
        const names = (prefix: string) => ranks.map((_, index) => `${prefix}${index}`)
        const [types, actions, queries] = Object.values(TYPE_PAGERS)
        if (types === undefined || actions === undefined || queries === undefined)
          throw new Error('no pagers')
        isEachOnce(await pageThrough(mock, types, pageSize), ['Owner', 'Thing', ...names('Type')])
        isEachOnce(await pageThrough(mock, actions, pageSize), names('act'))
        isEachOnce(await pageThrough(mock, queries, pageSize), names('ask'))
      }),
      { numRuns: 25 },
    )
  })

  it('goes on from its place when objects come in between, if it is configured to', async () => {
    const additions = fc.array(fc.option(fc.integer({ min: 0, max: 5 })), { minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(shapes, additions, async ({ ranks, pageSize }, added) => {
        for (const pager of Object.values(OBJECT_PAGERS)) {
          using mock = new OntologyMockContext({ fixture: fixtureOf(ranks), consistency: 'continue' })
          const more = objectsOf(added, ranks.length).map((object) => ({ ...object, owner: 1 }))
          const seen = await pageThrough(mock, pager, pageSize, () =>
            mock.ontologies.addObjects('o', 'Thing', more),
          )
          // Nothing comes twice and nothing that was there is missed; what is new may be seen or not.
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen).toEqual(expect.arrayContaining(ranks.map((_, index) => index + 1)))
        }
      }),
      { numRuns: 12 },
    )
  })

  it('keeps to the first page in a snapshot, whatever comes in between', async () => {
    const pagers = [
      byQuery('/objects/Thing?snapshot=true&orderBy=p.rank:asc'),
      byQuery('/objects/Owner/1/links/things?snapshot=true'),
      byBody('/objectSets/loadObjects', { objectSet: things, snapshot: true }),
    ]
    await fc.assert(
      fc.asyncProperty(shapes, async ({ ranks, pageSize }) => {
        for (const pager of pagers) {
          using mock = new OntologyMockContext({ fixture: fixtureOf(ranks) })
          const seen = await pageThrough(mock, pager, pageSize, () =>
            mock.ontologies.addObjects('o', 'Thing', [{ id: 1000, rank: 0, owner: 1 }]),
          )
          isEachOnce(
            seen,
            ranks.map((_, index) => index + 1),
          )
        }
      }),
      { numRuns: 12 },
    )
  })

  it('refuses a token when what it pages through has changed, and only then', async () => {
    using mock = new OntologyMockContext({ fixture: fixtureOf([1, 2, 3]) })
    for (const pager of Object.values(OBJECT_PAGERS)) {
      mock.reset()
      const { nextPageToken } = await pager(mock, 1, undefined)
      mock.ontologies.addObjects('o', 'Type0', [{ id: 'other' }])
      expect((await pager(mock, 1, nextPageToken)).data).toHaveLength(1)
      mock.ontologies.addObjects('o', 'Thing', [{ id: 4, rank: 1, owner: 1 }])
      expect(await pager(mock, 1, nextPageToken)).toMatchObject(refusal('InvalidPageToken'))
    }
  })

  it('refuses a token of another operation, object type or parameter', async () => {
    using mock = new OntologyMockContext({ fixture: fixtureOf([1, 2, 3]) })
    const { nextPageToken } = await byQuery('/objects/Thing')(mock, 1, undefined)
    const others: readonly Pager[] = [
      byQuery('/objects/Owner'),
      byQuery('/objectTypes'),
      byQuery('/objects/Thing?select=rank'),
      byBody('/objects/Thing/search', {}),
      (context, _, token) => byQuery('/objects/Thing')(context, 2, token),
    ]
    for (const other of others) {
      expect(await other(mock, 1, nextPageToken)).toMatchObject(
        refusal('InvalidPageToken', { pageToken: nextPageToken }),
      )
    }
  })

  it('refuses a token of a snapshot that was lost by a reset', async () => {
    using mock = new OntologyMockContext({ fixture: fixtureOf([1, 2, 3]) })
    const pager = byQuery('/objects/Thing?snapshot=true')
    mock.ontologies.addObjects('o', 'Thing', [{ id: 4 }])
    const { nextPageToken } = await pager(mock, 1, undefined)
    mock.reset()
    expect(await pager(mock, 1, nextPageToken)).toMatchObject(refusal('ConsistentSnapshotError'))
  })

  it('refuses a token after a day of the virtual clock', async () => {
    using mock = new OntologyMockContext({ fixture: fixtureOf([1, 2, 3]) })
    for (const pager of [...Object.values(OBJECT_PAGERS), ...Object.values(TYPE_PAGERS)]) {
      const { nextPageToken } = await pager(mock, 1, undefined)
      mock.adapter.clock.advance(86_399_999)
      expect((await pager(mock, 1, nextPageToken)).data).toHaveLength(1)
      mock.adapter.clock.advance(1)
      expect(await pager(mock, 1, nextPageToken)).toMatchObject(refusal('InvalidPageToken'))
    }
  })

  it('takes no page size below 1, and caps those above', async () => {
    using mock = new OntologyMockContext({ fixture: fixtureOf([1]) })
    for (const size of [0, -1, 1.5, Number.NaN]) {
      expect(await byQuery('/objects/Thing')(mock, size, undefined)).toMatchObject(refusal('InvalidPageSize'))
    }
    expect((await byQuery('/objects/Thing')(mock, 1_000_000, undefined)).data).toHaveLength(1)
  })
})

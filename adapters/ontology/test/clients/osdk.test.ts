import { createClient, type Client } from '@osdk/client'
import type { ObjectTypeDefinition } from '@osdk/client'
import { describe } from 'vitest'
import { createOntologyTest, ontologyTest as it } from '../../src/testing.ts'

// Types as a code generator would write them, kept to what the client reads at run time.
const Employee = { type: 'object', apiName: 'Employee' } as const satisfies ObjectTypeDefinition
const Office = { type: 'object', apiName: 'Office' } as const satisfies ObjectTypeDefinition
const Project = { type: 'object', apiName: 'Project' } as const satisfies ObjectTypeDefinition
const Facility = { type: 'interface', apiName: 'Facility' } as const

// The generated types carry the properties; these have none, so what is read of them is not typed.
// eslint-disable-next-line typescript/no-explicit-any
type Untyped = any

const clientOf = async (mock: {
  readonly baseUrl: string
  readonly fetch: typeof fetch
}): Promise<Client> => {
  const answer = await mock.fetch('/api/v2/ontologies')
  const { data } = (await answer.json()) as { data: { rid: string }[] }
  return createClient(mock.baseUrl, data[0]?.rid ?? '', () => Promise.resolve('token'))
}

const many = createOntologyTest({
  fixture: {
    version: 1,
    ontologies: [{ apiName: 'o', objectTypes: [{ apiName: 'Item', primaryKey: 'id', generate: 20_500 }] }],
  },
})

const keysOf = ({ data }: { readonly data: readonly Untyped[] }): unknown[] =>
  data.map((each) => each.$primaryKey)

describe('objects', () => {
  it('fetches pages', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    const first = await set.fetchPage({ $pageSize: 3 })
    expect(keysOf(first)).toEqual([1, 2, 3])
    expect(first.totalCount).toBe('5')
    expect(first.data[0]).toMatchObject({
      $apiName: 'Employee',
      $title: 'Ada Lovelace',
      fullName: 'Ada Lovelace',
      skills: ['mathematics', 'writing'],
      address: { street: '12 St James Square', zip: 'SW1Y' },
    })
    const second = await set.fetchPage({ $pageSize: 3, $nextPageToken: first.nextPageToken })
    expect(keysOf(second)).toEqual([4, 5])
    expect(second.nextPageToken).toBeUndefined()
  })

  it('fetches one object by its key', async ({ mock, expect }) => {
    const client = await clientOf(mock)
    const employees: Untyped = client(Employee)
    expect(await employees.fetchOne(3)).toMatchObject({ $primaryKey: 3, fullName: 'Grace Hopper' })
    const offices: Untyped = client(Office)
    expect(await offices.fetchOne('pop/up')).toMatchObject({ city: 'Oslo' })
    await expect(employees.fetchOne(99)).rejects.toThrow(/Expected a single result but got 0/)
  })

  it('iterates over all objects', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Project)
    const keys: unknown[] = []
    for await (const project of set.asyncIter()) keys.push(project.$primaryKey)
    expect(keys).toHaveLength(14)
    expect(new Set(keys).size).toBe(14)
  })

  many('iterates over more objects than a page can have', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))({ type: 'object', apiName: 'Item' } as const)
    const keys = new Set<unknown>()
    const before = mock.adapter.snapshot().requests
    for await (const item of set.asyncIter()) keys.add(item.$primaryKey)
    expect(keys.size).toBe(20_500)
    // Three pages, and the type's description.
    expect(mock.adapter.snapshot().requests - before).toBe(4)
  })

  it('selects properties and orders by them', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    const page = await set.fetchPage({
      $select: ['fullName'],
      $orderBy: { department: 'desc', salary: 'asc' },
      $includeRid: true,
    })
    expect(keysOf(page)).toEqual([2, 1, 5, 4, 3])
    expect(page.data[0]).not.toHaveProperty('salary')
    expect(page.data[0].$rid).toMatch(/^ri\.phonograph2-objects\.main\.object\./)
  })
})

describe('where', () => {
  const cases: readonly (readonly [string, Untyped, readonly number[]])[] = [
    ['an equal value', { department: 'Research' }, [1, 2, 5]],
    ['$eq', { employeeId: { $eq: 2 } }, [2]],
    ['$ne', { department: { $ne: 'Research' } }, [3, 4]],
    ['$in', { employeeId: { $in: [1, 4, 9] } }, [1, 4]],
    ['$gt', { salary: { $gt: 5200.5 } }, [3, 4]],
    ['$gte', { salary: { $gte: 5200.5 } }, [1, 3, 4]],
    ['$lt', { hired: { $lt: '2016-06-01' } }, [1, 3]],
    ['$lte', { lastSeen: { $lte: '2025-12-30T08:00:00Z' } }, [2]],
    ['$isNull', { salary: { $isNull: true } }, [5]],
    ['$contains', { skills: { $contains: 'mathematics' } }, [1, 2, 4]],
    ['$contains of a filter', { skills: { $contains: { $eq: 'orbits' } } }, [4]],
    ['$startsWith', { fullName: { $startsWith: 'ada love' } }, [1]],
    ['$containsAllTerms', { about: { $containsAllTerms: 'program wrote' } }, [1]],
    [
      '$containsAllTerms, fuzzy',
      { about: { $containsAllTerms: { term: 'programm', fuzzySearch: true } } },
      [1],
    ],
    ['$containsAnyTerm', { about: { $containsAnyTerm: 'bug machines' } }, [2, 3]],
    ['$containsAllTermsInOrder', { about: { $containsAllTermsInOrder: 'first bug' } }, [3]],
    [
      '$containsAllTermsInOrderPrefixLastTerm',
      { about: { $containsAllTermsInOrderPrefixLastTerm: 'first prog' } },
      [1],
    ],
    ['$matchesRegex', { fullName: { $matchesRegex: '[AG].*er' } }, [3]],
    ['$interval', { about: { $interval: { $match: 'long walks', $ordered: true, $maxGaps: 0 } } }, [1]],
    ['a field of a struct', { address: { zip: { $eq: 'SW1Y' } } }, [1]],
    ['$and', { $and: [{ isRemote: true }, { department: 'Engineering' }] }, [4]],
    ['$or', { $or: [{ employeeId: 1 }, { employeeId: 5 }] }, [1, 5]],
    ['$not', { $not: { isRemote: false } }, [2, 4, 5]],
    ['several properties', { department: 'Research', isRemote: true }, [2]],
  ]

  it('finds by every operator of the client', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    for (const [name, clause, keys] of cases) {
      expect([name, keysOf(await set.where(clause).fetchPage())]).toEqual([name, keys])
    }
  })

  it('finds places', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Office)
    const london = [-0.12, 51.5]
    const near = set.where({ location: { $within: { $distance: [10, 'kilometers'], $of: london } } })
    expect(keysOf(await near.fetchPage())).toEqual(['hq'])
    const boxed = set.where({ location: { $within: [5, 45, 10, 50] } })
    expect(keysOf(await boxed.fetchPage())).toEqual(['lab'])
    const ring = [
      [
        [-10, 40],
        [20, 40],
        [20, 60],
        [-10, 60],
        [-10, 40],
      ],
    ]
    const crossed = set.where({ location: { $intersects: { $polygon: ring } } })
    expect(keysOf(await crossed.fetchPage())).toEqual(['hq', 'lab'])
  })
})

describe('links and sets', () => {
  it('pivots to linked objects', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    const colleagues = set.where({ employeeId: 1 }).pivotTo('office').pivotTo('employees')
    expect(keysOf(await colleagues.fetchPage())).toEqual([1, 2])
  })

  it('follows the links of an object', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    const grace = await set.fetchOne(3)
    expect(await grace.$link.manager.fetchOne()).toMatchObject({ $primaryKey: 1 })
    expect(keysOf(await grace.$link.projects.fetchPage())).toEqual(['compiler'])
  })

  it('unites, intersects and subtracts sets', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    const research = set.where({ department: 'Research' })
    const remote = set.where({ isRemote: true })
    expect(keysOf(await research.union(remote).fetchPage())).toEqual([1, 2, 4, 5])
    expect(keysOf(await research.intersect(remote).fetchPage())).toEqual([2])
    expect(keysOf(await research.subtract(remote).fetchPage())).toEqual([1, 5])
  })

  it('computes derived properties', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    const derived = set.withProperties({
      team: (base: Untyped) => base.pivotTo('reports').aggregate('$count'),
      officeCity: (base: Untyped) => base.pivotTo('office').selectProperty('city'),
    })
    const { data } = await derived.where({ team: { $gt: 0 } }).fetchPage()
    expect(data.map((each: Untyped) => [each.$primaryKey, each.team, each.officeCity])).toEqual([
      [1, 2, 'London'],
      [2, 1, 'London'],
      [3, 1, 'Zurich'],
    ])
  })

  it('fetches the objects of an interface', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Facility as Untyped)
    const { data } = await set.where({ city: 'Oslo' }).fetchPage()
    expect(data.map((each: Untyped) => [each.$apiName, each.$objectType, each.name, each.city])).toEqual([
      ['Facility', 'Office', 'Pop-up office', 'Oslo'],
      ['Facility', 'Warehouse', 'North store', 'Oslo'],
    ])
    const warehouse = data[1].$as('Warehouse')
    expect(warehouse).toMatchObject({ $primaryKey: 1, label: 'North store', town: 'Oslo' })
    const selected = await set.fetchPage({ $select: ['name'], $orderBy: { name: 'desc' }, $pageSize: 1 })
    expect(selected.data[0]).toMatchObject({ name: 'The Lab' })
    expect(selected.data[0].city).toBeUndefined()
    const whole = await set.fetchPage({ $includeAllBaseObjectProperties: true })
    expect(whole.data[0].$as('Office')).toMatchObject({ desks: 120, opened: '2015-04-01' })
  })
})

describe('aggregates and functions', () => {
  it('aggregates', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    const whole = await set.aggregate({
      $select: {
        $count: 'unordered',
        'salary:avg': 'unordered',
        'salary:max': 'unordered',
        'department:exactDistinct': 'unordered',
      },
    })
    expect(whole).toEqual({
      $count: 5,
      salary: { avg: 5500.125, max: 6100 },
      department: { exactDistinct: 2 },
    })
    const grouped = await set.aggregate({
      $select: { $count: 'desc' },
      $groupBy: { department: 'exact' },
    })
    expect(grouped).toEqual([
      { $group: { department: 'Research' }, $count: 3 },
      { $group: { department: 'Engineering' }, $count: 2 },
    ])
  })

  it('groups by widths, ranges and durations', async ({ mock, expect }) => {
    const set: Untyped = (await clientOf(mock))(Employee)
    const count = { $count: 'unordered' }
    const groups = async ($groupBy: object) =>
      (await set.aggregate({ $select: count, $groupBy })).map((row: Untyped) => [
        Object.values(row.$group)[0],
        row.$count,
      ])
    expect(await groups({ salary: { $fixedWidth: 1000 } })).toEqual([
      [4000, 1],
      [5000, 2],
      [6000, 1],
    ])
    expect(
      await groups({
        salary: {
          $ranges: [
            [0, 5000],
            [5000, 9000],
          ],
        },
      }),
    ).toEqual([
      [{ startValue: 0, endValue: 5000 }, 1],
      [{ startValue: 5000, endValue: 9000 }, 3],
    ])
    expect(await groups({ hired: { $duration: [1, 'years'] } })).toEqual([
      ['2015-01-01', 1],
      ['2016-01-01', 1],
      ['2017-01-01', 1],
      ['2018-01-01', 1],
      ['2020-01-01', 1],
    ])
  })

  it('executes functions', async ({ mock, expect }) => {
    const client: Untyped = await clientOf(mock)
    const query = (apiName: string, version?: string) => ({
      type: 'query',
      apiName,
      ...(version !== undefined && { version, isFixedVersion: true }),
      osdkMetadata: { extraUserAgent: '' },
    })
    expect(await client(query('headcount')).executeFunction()).toBe(4.5)
    expect(await client(query('headcount', '1.0.0')).executeFunction()).toBe(5)
    const people = await client(query('employeesOf')).executeFunction({ office: 'lab' })
    expect(people).toMatchObject([
      { $objectType: 'Employee', $primaryKey: 3 },
      { $objectType: 'Employee', $primaryKey: 4 },
    ])
  })
})

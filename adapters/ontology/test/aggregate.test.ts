import { describe, expect, it } from 'vitest'
import { OntologyMock } from '../src/mock.ts'
import { ask } from './ask.ts'

const mock = new OntologyMock({
  fixture: {
    version: 1,
    ontologies: [
      {
        apiName: 'o',
        objectTypes: [
          {
            apiName: 'Sale',
            primaryKey: 'id',
            properties: {
              id: 'integer',
              shop: 'string',
              price: 'double',
              units: 'long',
              day: 'date',
              at: 'timestamp',
              tags: { type: 'array', subType: 'string' },
              place: 'geopoint',
            },
            objects: [
              {
                id: 1,
                shop: 'a',
                price: 10,
                units: '3',
                day: '2026-01-01',
                at: '2026-01-01T10:00:00Z',
                tags: ['x', 'y'],
              },
              {
                id: 2,
                shop: 'a',
                price: 20,
                units: '4',
                day: '2026-01-04',
                at: '2026-01-01T10:59:00Z',
                tags: ['x'],
              },
              { id: 3, shop: 'b', price: 40, day: '2026-02-15', at: '2026-01-01T13:00:00Z' },
              { id: 4, price: -5, day: '2027-01-01' },
              { id: 5, shop: 'a' },
            ],
          },
        ],
      },
    ],
  },
})

const PATH = '/o/objects/Sale/aggregate'
const COUNT = [{ type: 'count', name: 'n' }]

const figures = async (aggregation: readonly object[]): Promise<unknown[]> => {
  const { body } = await ask(mock, PATH, { aggregation, groupBy: [] })
  return body.data[0].metrics.map((metric: { value?: unknown }) => metric.value)
}

/** Each group's value and how many objects it has. */
const groups = async (groupBy: object, rest: object = {}): Promise<unknown> => {
  const { body } = await ask(mock, PATH, { aggregation: COUNT, groupBy: [groupBy], ...rest })
  return body.data?.map((row: { group: object; metrics: { value: number }[] }) => [
    Object.values(row.group)[0],
    row.metrics[0]?.value,
  ])
}

describe('an aggregation', () => {
  it('computes every metric', async () => {
    const on = (type: string, field: string, rest: object = {}) => ({
      type,
      field,
      name: `${type} ${field}`,
      ...rest,
    })
    expect(
      await figures([
        { type: 'count' },
        on('min', 'price'),
        on('max', 'price'),
        on('sum', 'price'),
        on('avg', 'price'),
        on('min', 'day'),
        on('max', 'at'),
        on('sum', 'units'),
        on('approximateDistinct', 'shop'),
        on('exactDistinct', 'tags'),
        on('approximatePercentile', 'price', { approximatePercentile: 50 }),
        on('approximatePercentile', 'price', { approximatePercentile: 0.5 }),
        on('approximatePercentile', 'price', { approximatePercentile: 100 }),
      ]),
    ).toEqual([5, -5, 40, 65, 16.25, '2026-01-01', '2026-01-01T13:00:00Z', 7, 2, 2, 15, 15, 40])
  })

  it('leaves out figures that there are no values for', async () => {
    const { body } = await ask(mock, PATH, {
      aggregation: [{ type: 'count' }, { type: 'avg', field: 'price' }, { type: 'sum', field: 'price' }],
      groupBy: [],
      where: { type: 'eq', field: 'id', value: 99 },
    })
    expect(body).toEqual({
      accuracy: 'ACCURATE',
      data: [
        { group: {}, metrics: [{ name: 'count', value: 0 }, { name: 'price.avg' }, { name: 'price.sum' }] },
      ],
    })
  })

  it('groups by exact values, the largest groups first', async () => {
    const exact = { type: 'exact', field: 'shop' }
    expect(await groups(exact)).toEqual([
      ['a', 3],
      ['b', 1],
    ])
    expect(await groups({ ...exact, defaultValue: 'none' })).toEqual([
      ['a', 3],
      ['none', 1],
      ['b', 1],
    ])
    expect(await groups({ ...exact, includeNullValues: true })).toContainEqual([undefined, 1])
    expect(await groups({ type: 'exact', field: 'tags' })).toEqual([
      ['x', 2],
      ['y', 1],
    ])
    const { body } = await ask(mock, PATH, { aggregation: COUNT, groupBy: [{ ...exact, maxGroupCount: 1 }] })
    expect(body).toMatchObject({ data: [{ group: { shop: 'a' } }], excludedItems: 1 })
  })

  it('groups by widths, ranges and durations', async () => {
    expect(await groups({ type: 'fixedWidth', field: 'price', fixedWidth: 15 })).toEqual([
      [-15, 1],
      [0, 1],
      [15, 1],
      [30, 1],
    ])
    const ranges = [
      { startValue: 0, endValue: 20 },
      { startValue: 10, endValue: 100 },
    ]
    const wanted = [
      [ranges[0], 1],
      [ranges[1], 3],
    ]
    expect(await groups({ type: 'ranges', field: 'price', ranges })).toEqual(wanted)
    expect(await groups({ type: 'range', field: 'price', range: ranges })).toEqual(wanted)
    const duration = (field: string, value: number, unit: string) =>
      groups({ type: 'duration', field, value, unit })
    expect(await duration('at', 1, 'HOURS')).toEqual([
      ['2026-01-01T10:00:00.000Z', 2],
      ['2026-01-01T13:00:00.000Z', 1],
    ])
    expect(await duration('day', 1, 'WEEKS')).toEqual([
      ['2025-12-29', 2],
      ['2026-02-09', 1],
      ['2026-12-28', 1],
    ])
    expect(await duration('day', 1, 'QUARTERS')).toEqual([
      ['2026-01-01', 3],
      ['2027-01-01', 1],
    ])
    expect(await duration('day', 1, 'MONTHS')).toHaveLength(3)
    expect(await duration('day', 2, 'DAYS')).toHaveLength(4)
  })

  it('groups by several properties, and orders by a metric', async () => {
    const { body } = await ask(mock, PATH, {
      aggregation: COUNT,
      groupBy: [
        { type: 'exact', field: 'shop' },
        { type: 'duration', field: 'day', value: 1, unit: 'YEARS' },
      ],
    })
    expect(body.data.map(({ group }: { group: unknown }) => group)).toEqual([
      { shop: 'a', day: '2026-01-01' },
      { shop: 'b', day: '2026-01-01' },
    ])
    const ordered = await ask(mock, PATH, {
      aggregation: [{ type: 'max', field: 'price', name: 'most', direction: 'DESC' }],
      groupBy: [{ type: 'exact', field: 'shop' }],
    })
    expect(ordered.body.data.map(({ group }: { group: { shop: string } }) => group.shop)).toEqual(['b', 'a'])
  })

  it('is refused where it has too many groups', async () => {
    const fixture = {
      version: 1,
      ontologies: [{ apiName: 'o', objectTypes: [{ apiName: 'Item', primaryKey: 'id', generate: 10_001 }] }],
    }
    const group = { type: 'exact', field: 'id' }
    const body = (rest: object) => ({ aggregation: COUNT, groupBy: [{ ...group, ...rest }] })
    const big = new OntologyMock({ fixture })
    expect((await ask(big, '/o/objects/Item/aggregate', body({}))).body).toMatchObject({
      errorName: 'AggregationGroupCountExceededLimit',
      parameters: { groupsCount: 10_001, groupsLimit: 10_000 },
    })
    expect((await ask(big, '/o/objects/Item/aggregate', body({ maxGroupCount: 3 }))).body.excludedItems).toBe(
      9998,
    )
  })

  it('refuses what cannot be, by name', async () => {
    const refusals: readonly (readonly [body: object, name: string])[] = [
      [{ aggregation: [{ type: 'median', field: 'price' }] }, 'Default:InvalidArgument'],
      [{ aggregation: [{ type: 'sum', field: 'shop' }] }, 'InvalidPropertyType'],
      [{ aggregation: [{ type: 'exactDistinct', field: 'place' }] }, 'InvalidPropertyType'],
      [{ aggregation: [{ type: 'sum', field: 'nope' }] }, 'PropertiesNotFound'],
      [{ aggregation: [{ type: 'count', direction: 'ASC' }] }, 'InvalidAggregationOrdering'],
      [
        {
          aggregation: [{ type: 'count', direction: 'ASC' }],
          groupBy: [{ type: 'exact', field: 'shop', includeNullValues: true }],
        },
        'InvalidAggregationOrderingWithNullValues',
      ],
      [
        { groupBy: [{ type: 'exact', field: 'shop', includeNullValues: true, defaultValue: 'x' }] },
        'DefaultAndNullGroupsNotSupported',
      ],
      [
        {
          groupBy: [
            { type: 'exact', field: 'shop' },
            { type: 'exact', field: 'shop' },
          ],
        },
        'MultipleGroupByOnFieldNotSupported',
      ],
      [{ groupBy: [{ type: 'ranges', field: 'shop', ranges: [{}] }] }, 'InvalidAggregationRangePropertyType'],
      [
        { groupBy: [{ type: 'ranges', field: 'price', ranges: [{ startValue: 'x' }] }] },
        'InvalidAggregationRangeValue',
      ],
      [
        { groupBy: [{ type: 'duration', field: 'price', value: 1, unit: 'DAYS' }] },
        'InvalidDurationGroupByPropertyType',
      ],
      [
        { groupBy: [{ type: 'duration', field: 'day', value: 2, unit: 'WEEKS' }] },
        'InvalidDurationGroupByValue',
      ],
      [
        { groupBy: [{ type: 'duration', field: 'day', value: 1, unit: 'HOURS' }] },
        'InvalidDurationGroupByValue',
      ],
      [{ groupBy: [{ type: 'wish', field: 'day' }] }, 'Default:InvalidArgument'],
    ]
    for (const [body, name] of refusals) {
      const answer = await ask(mock, PATH, { aggregation: COUNT, groupBy: [], ...body })
      expect([body, answer.body.errorName]).toEqual([body, name])
    }
  })
})

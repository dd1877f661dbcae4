import { OntologyObjectsV2, type SearchJsonQueryV2 } from '@osdk/foundry.ontologies'
import { describe } from 'vitest'
import { FILTER_NAMES } from '../../src/filter/compile.ts'
import { createOntologyTest } from '../../src/testing.ts'
import { platformClient } from './client.ts'

const box = (left: number, top: number, right: number, bottom: number) => ({
  topLeft: { type: 'Point', coordinates: [left, top] },
  bottomRight: { type: 'Point', coordinates: [right, bottom] },
})

const ring = (left: number, top: number, right: number, bottom: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ],
  ],
})

const point = (longitude: number, latitude: number) => ({ type: 'Point', coordinates: [longitude, latitude] })

/** Open to the right: its corners may lie in it while what is between them does not. */
const bay = {
  type: 'Polygon',
  coordinates: [
    [
      [-1, -1],
      [11, -1],
      [11, 3],
      [3, 3],
      [3, 7],
      [11, 7],
      [11, 11],
      [-1, 11],
      [-1, -1],
    ],
  ],
}

const line = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [10, 10],
  ],
}

const fixture = {
  version: 1,
  ontologies: [
    {
      apiName: 'o',
      objectTypes: [
        {
          apiName: 'Thing',
          primaryKey: 'id',
          titleProperty: 'text',
          properties: {
            id: 'integer',
            text: 'string',
            long: 'long',
            decimal: 'decimal',
            flag: 'boolean',
            day: 'date',
            at: 'timestamp',
            tags: { type: 'array', subType: 'string' },
            part: { type: 'struct', fields: { name: 'string', size: 'integer' } },
            place: 'geopoint',
            area: 'geoshape',
          },
          objects: [
            {
              id: 1,
              text: 'The quick brown fox',
              long: '9007199254740993',
              decimal: '0.1',
              flag: true,
              day: '2026-01-01',
              at: '2026-01-01T00:00:00Z',
              tags: ['red', 'green'],
              part: { name: 'wheel', size: 4 },
              place: point(5, 5),
              area: ring(4, 6, 6, 4),
            },
            {
              id: 2,
              text: 'Jumps over; the lazy dog.',
              long: '9007199254740992',
              decimal: '0.10',
              flag: false,
              day: '2025-12-31',
              at: '2025-12-31T23:59:59.999Z',
              tags: [],
              part: { name: 'door', size: 2 },
              place: point(50, 50),
              area: ring(8, 12, 12, 8),
            },
            {
              id: 3,
              text: 'fox-trot (v2.0)',
              long: 7,
              decimal: 12,
              day: '2024-02-29',
              tags: ['blue'],
              place: point(179.5, -10),
              area: line,
            },
            { id: 4 },
          ],
        },
      ],
    },
  ],
}

const it = createOntologyTest({ fixture })

const on = (field: string, type: string, rest: object): unknown => ({ type, field, ...rest })

const rule = (given: object): unknown => on('text', 'interval', { rule: given })

const days = (
  field: string,
  start: number | undefined,
  end: number | undefined,
  timeZoneId = 'UTC',
): unknown => {
  const bound = (value: number) => ({ type: 'relativePoint', value, timeUnit: 'DAY' })
  return on(field, 'relativeDateRange', {
    ...(start !== undefined && { relativeStartTime: bound(start) }),
    ...(end !== undefined && { relativeEndTime: bound(end) }),
    timeZoneId,
  })
}

const shape = (geometry: object, spatialFilterMode: string): unknown =>
  on('area', 'geoShapeV2', { geometry, spatialFilterMode })

const CASES: readonly (readonly [where: unknown, keys: readonly number[]])[] = [
  [on('text', 'eq', { value: 'The quick brown fox' }), [1]],
  [on('text', 'eq', { value: 'the quick brown fox' }), []],
  [on('long', 'eq', { value: '9007199254740993' }), [1]],
  [on('decimal', 'eq', { value: '0.100' }), [1, 2]],
  [on('flag', 'eq', { value: 'true' }), [1]],
  [on('id', 'eq', { value: '2' }), [2]],
  [on('at', 'eq', { value: '2026-01-01T01:00:00+01:00' }), [1]],
  [on('tags', 'eq', { value: 'red' }), [1]],
  [on('long', 'lt', { value: '9007199254740993' }), [2, 3]],
  [on('long', 'lte', { value: 7 }), [3]],
  [on('day', 'gt', { value: '2025-12-30' }), [1, 2]],
  [on('at', 'gte', { value: '2025-12-31T23:59:59.999Z' }), [1, 2]],
  [on('text', 'lt', { value: 'T' }), [2]],
  [on('id', 'in', { value: [1, '3', 9] }), [1, 3]],
  [on('id', 'in', { value: [] }), [1, 2, 3, 4]],
  [on('flag', 'isNull', { value: true }), [3, 4]],
  [on('flag', 'isNull', { value: false }), [1, 2]],
  [on('tags', 'contains', { value: 'green' }), [1]],
  [{ type: 'and', value: [on('id', 'gt', { value: 1 }), on('id', 'lt', { value: 4 })] }, [2, 3]],
  [{ type: 'or', value: [on('id', 'eq', { value: 1 }), on('id', 'eq', { value: 4 })] }, [1, 4]],
  [{ type: 'not', value: on('flag', 'eq', { value: true }) }, [2, 3, 4]],
  [on('text', 'containsAllTerms', { value: 'FOX quick' }), [1]],
  [on('text', 'containsAllTerms', { value: 'lasy', fuzzy: true }), [2]],
  [on('text', 'containsAllTerms', { value: 'lasy', fuzzy: false }), []],
  [on('text', 'containsAllTerms', { value: 'v2.0' }), [3]],
  [on('text', 'containsAnyTerm', { value: 'dog fox' }), [1, 2, 3]],
  [on('text', 'containsAnyTerm', { value: ' ... ' }), []],
  [on('text', 'containsAllTermsInOrder', { value: 'over the lazy' }), [2]],
  [on('text', 'containsAllTermsInOrder', { value: 'the dog' }), []],
  [on('text', 'containsAllTermsInOrderPrefixLastTerm', { value: 'quick br' }), [1]],
  [on('text', 'startsWith', { value: 'the la' }), [2]],
  [on('text', 'wildcard', { value: 'THE*f?x' }), [1]],
  [on('text', 'wildcard', { value: '*fox' }), [1]],
  [on('text', 'regex', { value: '.*(fox|dog)\\.?' }), [1, 2]],
  [on('text', 'regex', { value: 'fox' }), []],
  [on('text', 'regex', { value: '[^T]ox-[a-t]{4} \\(v\\d"."0\\)' }), [3]],
  [rule({ type: 'match', query: 'fox quick', ordered: false }), [1]],
  [rule({ type: 'match', query: 'fox quick', ordered: true }), []],
  [rule({ type: 'match', query: 'quick fox', ordered: true, maxGaps: 1 }), [1]],
  [rule({ type: 'match', query: 'quick fox', ordered: true, maxGaps: 0 }), []],
  [rule({ type: 'match', query: 'fox fox', ordered: true }), []],
  [rule({ type: 'prefixOnLastToken', query: 'lazy do' }), [2]],
  [rule({ type: 'fuzzy', term: 'bronw' }), [1]],
  [rule({ type: 'fuzzy', term: 'bronw', fuzziness: 0 }), []],
  [
    rule({
      type: 'allOf',
      ordered: true,
      maxGaps: 0,
      rules: [
        {
          type: 'anyOf',
          rules: [
            { type: 'match', query: 'brown', ordered: true },
            { type: 'fuzzy', term: 'the' },
          ],
        },
        { type: 'match', query: 'fox', ordered: true },
      ],
    }),
    [1],
  ],
  [days('day', -1, 0), [2]],
  [days('day', 0, 1), [1]],
  [days('day', undefined, -300), [3]],
  [days('at', 0, undefined), [1]],
  // At the clock's midnight of UTC it is still the day before in New York.
  [days('at', 0, 1, 'America/New_York'), [1, 2]],
  [on('place', 'withinBoundingBox', { value: box(0, 10, 10, 0) }), [1]],
  [on('place', 'withinBoundingBox', { value: box(170, 0, -170, -20) }), [3]],
  [on('area', 'withinBoundingBox', { value: box(0, 11, 11, 0) }), [1, 3]],
  [on('area', 'intersectsBoundingBox', { value: box(0, 11, 11, 0) }), [1, 2, 3]],
  [on('area', 'doesNotIntersectBoundingBox', { value: box(11, 13, 13, 11) }), [1, 3]],
  [on('place', 'withinPolygon', { value: ring(40, 60, 60, 40) }), [2]],
  [on('area', 'intersectsPolygon', { value: ring(9, 9.5, 9.5, 9) }), [2, 3]],
  [on('area', 'doesNotIntersectPolygon', { value: ring(9, 9.5, 9.5, 9) }), [1]],
  [
    on('place', 'withinDistanceOf', {
      value: { center: point(5, 5.5), distance: { value: 56, unit: 'KILOMETERS' } },
    }),
    [1],
  ],
  [
    on('place', 'withinDistanceOf', {
      value: { center: point(5, 5.5), distance: { value: 30, unit: 'MILES' } },
    }),
    [],
  ],
  [shape({ type: 'envelope', ...box(3, 7, 7, 3) }, 'WITHIN'), [1]],
  [shape({ type: 'envelope', ...box(3, 7, 7, 3) }, 'INTERSECTS'), [1, 3]],
  [shape({ type: 'geoJson', geoJson: JSON.stringify(bay) }, 'WITHIN'), []],
  [on('area', 'withinPolygon', { value: ring(-1, 11, 11, -1) }), [1, 3]],
  [shape({ type: 'geoJson', geoJson: JSON.stringify(point(10.5, 9)) }, 'CONTAINS'), [2]],
  [shape({ type: 'geoJson', geoJson: JSON.stringify(point(5, 5)) }, 'DISJOINT'), [2]],
  [
    {
      type: 'eq',
      propertyIdentifier: { type: 'structField', propertyApiName: 'part', structFieldApiName: 'size' },
      value: 4,
    },
    [1],
  ],
  [{ type: 'eq', propertyIdentifier: { type: 'property', apiName: 'id' }, value: 1 }, [1]],
  [
    {
      type: 'eq',
      propertyIdentifier: {
        type: 'propertyWithLoadLevel',
        propertyIdentifier: { type: 'property', apiName: 'id' },
        loadLevel: { type: 'applyReducers' },
      },
      value: 1,
    },
    [1],
  ],
  [{ type: 'containsAnyTerm', propertyIdentifier: { type: 'titleProperty' }, value: 'dog' }, [2]],
  [{ type: 'gt', propertyIdentifier: { type: 'primaryKeyProperty' }, value: 3 }, [4]],
]

describe('search', () => {
  it('finds by every operator', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    for (const [where, keys] of CASES) {
      const { data } = await OntologyObjectsV2.search(client, 'o', 'Thing', {
        where: where as SearchJsonQueryV2,
        select: [],
        selectV2: [],
      })
      expect([where, data.map((object: Record<string, unknown>) => object['__primaryKey'])]).toEqual([
        where,
        keys,
      ])
    }
    const tried = new Set(CASES.map(([where]) => (where as { type: string }).type))
    expect([...FILTER_NAMES].filter((name) => !tried.has(name))).toEqual([])
  })

  it('refuses what does not fit, by name', async ({ mock, expect }) => {
    const refusals: readonly (readonly [where: unknown, name: string, status: number])[] = [
      [on('nope', 'eq', { value: 1 }), 'PropertiesNotFound', 404],
      [on('id', 'eq', { value: 'x' }), 'InvalidPropertyValue', 400],
      [on('id', 'eq', {}), 'InvalidPropertyValue', 400],
      [on('text', 'eq', { value: 7 }), 'InvalidPropertyValue', 400],
      [on('day', 'gt', { value: '2026-02-30' }), 'InvalidPropertyValue', 400],
      [on('place', 'eq', { value: point(1, 1) }), 'PropertyTypesSearchNotSupported', 400],
      [on('id', 'containsAnyTerm', { value: 'x' }), 'PropertyTypesSearchNotSupported', 400],
      [on('text', 'contains', { value: 'x' }), 'PropertyTypesSearchNotSupported', 400],
      [on('text', 'withinPolygon', { value: ring(0, 1, 1, 0) }), 'PropertyTypesSearchNotSupported', 400],
      [on('text', 'relativeDateRange', { timeZoneId: 'UTC' }), 'PropertyTypesSearchNotSupported', 400],
      [on('flag', 'gt', { value: true }), 'PropertyTypesSearchNotSupported', 400],
      [{ type: 'and', value: [] }, 'InvalidAndFilter', 400],
      [{ type: 'or', value: [] }, 'InvalidOrFilter', 400],
      [{ type: 'not', value: [] }, 'Default:InvalidArgument', 400],
      [{ type: 'ne', field: 'id', value: 1 }, 'Default:InvalidArgument', 400],
      [{ type: 'toString', field: 'id', value: 1 }, 'Default:InvalidArgument', 400],
      [{ type: 'eq', value: 1 }, 'Default:InvalidArgument', 400],
      [
        { type: 'eq', field: 'id', propertyIdentifier: { type: 'property', apiName: 'id' }, value: 1 },
        'Default:InvalidArgument',
        400,
      ],
      [on('text', 'regex', { value: '(' }), 'Default:InvalidArgument', 400],
      [on('text', 'regex', { value: 'a{99999}' }), 'Default:InvalidArgument', 400],
      [on('day', 'relativeDateRange', { timeZoneId: 'Moon/Crater' }), 'Default:InvalidArgument', 400],
      [rule({ type: 'nearly' }), 'Default:InvalidArgument', 400],
      [
        {
          type: 'not',
          value: {
            type: 'not',
            value: { type: 'not', value: { type: 'not', value: on('id', 'eq', { value: 1 }) } },
          },
        },
        'Default:InvalidArgument',
        400,
      ],
      ['text', 'Default:InvalidArgument', 400],
    ]
    for (const [where, name, status] of refusals) {
      const answer = await mock.fetch('/api/v2/ontologies/o/objects/Thing/search', {
        method: 'POST',
        body: JSON.stringify({ where }),
      })
      const { errorName } = (await answer.json()) as { errorName: string }
      expect([where, errorName, answer.status]).toEqual([where, name, status])
    }
  })
})

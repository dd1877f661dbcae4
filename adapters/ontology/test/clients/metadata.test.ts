import { createClient } from '@osdk/client'
import { describe } from 'vitest'
import { createOntologyTest } from '../../src/testing.ts'
import { TYPE_NAMES } from '../../src/values/value.ts'

// The generated types carry what these definitions leave out.
// eslint-disable-next-line typescript/no-explicit-any
type Untyped = any

const COMPOSED: Readonly<Record<string, object>> = {
  array: { type: 'array', subType: 'long' },
  struct: { type: 'struct', fields: { street: 'string', floor: 'integer' } },
  vector: { type: 'vector', dimension: 3 },
  decimal: { type: 'decimal', precision: 10, scale: 2 },
}

const KEYS = ['string', 'integer', 'long', 'short', 'byte', 'double', 'date', 'timestamp'] as const
const ANSWERS: Readonly<Record<string, object>> = {
  array: { type: 'array', subType: 'string' },
  set: { type: 'set', subType: 'integer' },
  struct: { type: 'struct', fields: { a: 'double' } },
  entrySet: { type: 'entrySet', keyType: 'string', valueType: 'boolean' },
  object: { type: 'object', objectType: 'By_string' },
  objectSet: { type: 'objectSet', objectType: 'By_string' },
  interfaceObject: { type: 'interfaceObject', interfaceType: 'Named' },
  optional: { type: 'string', optional: true },
}
const PLAIN = [
  'string',
  'integer',
  'long',
  'float',
  'double',
  'boolean',
  'date',
  'timestamp',
  'attachment',
  'mediaReference',
]

const it = createOntologyTest({
  fixture: {
    version: 1,
    ontologies: [
      {
        apiName: 'o',
        rid: 'ri.ontology.main.ontology.all-types',
        objectTypes: KEYS.map((key) => ({
          apiName: `By_${key}`,
          primaryKey: key,
          properties: Object.fromEntries(TYPE_NAMES.map((name) => [name, COMPOSED[name] ?? name])),
          ...(key === 'string' && { implements: { Named: { properties: { name: 'string' } } } }),
          generate: 2,
        })),
        interfaceTypes: [{ apiName: 'Named', properties: { name: 'string' } }],
        actionTypes: [
          {
            apiName: 'act',
            parameters: {
              thing: { type: 'object', objectType: 'By_string' },
              things: { type: 'array', subType: { type: 'objectSet', objectType: 'By_string' } },
              struct: { type: 'struct', fields: { a: 'integer' } },
              ...Object.fromEntries(
                ['marking', 'geohash', 'geoshape', 'objectType'].map((type) => [type, type]),
              ),
            },
            operations: [
              { type: 'createObject', objectTypeApiName: 'By_string' },
              { type: 'modifyObject', objectTypeApiName: 'By_long' },
            ],
          },
        ],
        queryTypes: [...PLAIN.map((type) => [type, type] as const), ...Object.entries(ANSWERS)].map(
          ([name, output]) => ({
            apiName: `ask_${name}`,
            parameters: { given: output },
            output,
            result: { type: 'callback', callback: 'none' },
          }),
        ),
      },
    ],
  },
})

const clientOf = ({ baseUrl }: { readonly baseUrl: string }): Untyped =>
  createClient(baseUrl, 'ri.ontology.main.ontology.all-types', () => Promise.resolve('token'))

describe('the official client reads the metadata', () => {
  it('of object types with keys and properties of every type', async ({ mock, expect }) => {
    const client = clientOf(mock)
    for (const key of KEYS) {
      const metadata = await client.fetchMetadata({ type: 'object', apiName: `By_${key}` })
      expect(metadata).toMatchObject({
        apiName: `By_${key}`,
        primaryKeyApiName: key,
        primaryKeyType: key === 'date' ? 'datetime' : key,
        pluralDisplayName: `By_${key}s`,
      })
      // The client knows no properties of type cipherText.
      expect(Object.keys(metadata.properties).toSorted()).toEqual(
        TYPE_NAMES.filter((name) => name !== 'cipherText').toSorted(),
      )
    }
  })

  it('of interfaces, actions and queries', async ({ mock, expect }) => {
    const client = clientOf(mock)
    expect(await client.fetchMetadata({ type: 'interface', apiName: 'Named' })).toMatchObject({
      implementedBy: ['By_string'],
      properties: { name: { type: 'string' } },
    })
    expect(await client.fetchMetadata({ type: 'action', apiName: 'act' })).toMatchObject({
      modifiedEntities: {
        By_string: { created: true, modified: false },
        By_long: { created: false, modified: true },
      },
      parameters: {
        thing: { type: { type: 'object', object: 'By_string' } },
        things: { multiplicity: true },
      },
    })
    for (const name of [...PLAIN, ...Object.keys(ANSWERS)]) {
      const metadata = await client.fetchMetadata({ type: 'query', apiName: `ask_${name}` })
      expect([name, metadata.output.type]).toEqual([name, CLIENT_NAMES[name] ?? name])
    }
  })

  it('and loads objects by keys of every type', async ({ mock, expect }) => {
    const client = clientOf(mock)
    for (const key of KEYS) {
      const set = client({ type: 'object', apiName: `By_${key}` })
      const { data } = await set.fetchPage()
      expect(data).toHaveLength(2)
      for (const object of data) {
        expect(await set.fetchOne(object.$primaryKey)).toMatchObject({ $primaryKey: object.$primaryKey })
      }
    }
  })
})

describe('the official client finds', () => {
  it('nearest neighbours, by their relevance', async ({ mock, expect }) => {
    const set = clientOf(mock)({ type: 'object', apiName: 'By_integer' })
    const { data } = await set.fetchPage({ $select: ['vector'] })
    const near = await set.nearestNeighbors(data[1].vector, 1, 'vector').fetchPage({ $orderBy: 'relevance' })
    expect(near.data.map((object: Untyped) => [object.$primaryKey, object.$score])).toEqual([
      [2, expect.closeTo(1)],
    ])
  })
})

/** What the client calls some of the types. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  entrySet: 'map',
  interfaceObject: 'interface',
  optional: 'string',
}

import { describe, expect, it } from 'vitest'
import { OntologyMock } from '../src/mock.ts'
import { ask } from './ask.ts'

const mockOf = (): OntologyMock =>
  new OntologyMock({
    fixture: {
      version: 1,
      ontologies: [
        {
          apiName: 'o',
          objectTypes: [
            {
              apiName: 'Doc',
              primaryKey: 'id',
              properties: {
                id: 'integer',
                title: 'string',
                pages: 'integer',
                at: 'timestamp',
                embedding: { type: 'vector', dimension: 2 },
              },
              implements: ['Printed'],
              objects: [
                { id: 1, title: 'a', pages: 10, at: '2026-03-05T00:00:00Z', embedding: [1, 0] },
                { id: 2, title: 'b', pages: 20, embedding: [1, 1] },
                { id: 3, title: 'c', pages: 30, embedding: [0, 2] },
              ],
            },
            { apiName: 'Tag', primaryKey: 'name', objects: [{ name: 'x' }, { name: 'y' }] },
          ],
          linkTypes: [
            {
              apiName: 'tags',
              reverse: 'docs',
              from: 'Doc',
              to: 'Tag',
              objects: [
                { from: 2, to: 'x' },
                { from: 1, to: 'x' },
              ],
            },
          ],
          interfaceTypes: [
            { apiName: 'Titled', properties: { title: 'string' } },
            { apiName: 'Printed', extends: ['Titled'], properties: { pages: 'integer' } },
          ],
          actionTypes: [
            {
              apiName: 'act',
              parameters: {
                many: { type: 'array', subType: { type: 'struct', fields: { a: 'integer' } } },
                kind: 'objectType',
              },
            },
          ],
          queryTypes: ['10.0.0', '2.0.0', '9.1.0'].map((version) => ({
            apiName: 'versioned',
            version,
            result: { type: 'static', value: version },
          })),
        },
      ],
    },
  })

const docs = { type: 'base', objectType: 'Doc' }
const tags = { type: 'base', objectType: 'Tag' }
const where = (field: string, value: unknown, type = 'eq') => ({ type, field, value })
const filter = (objectSet: object, clause: object) => ({ type: 'filter', objectSet, where: clause })
const keysOf = ({ body }: { body: { data?: { __primaryKey: unknown }[] } }) =>
  body.data?.map(({ __primaryKey }) => __primaryKey)

const load = (mock: OntologyMock, objectSet: object, rest: object = {}) =>
  ask(mock, '/o/objectSets/loadObjects', { objectSet, ...rest })

const derive = (mock: OntologyMock, definition: object) =>
  load(mock, { type: 'withProperties', objectSet: docs, derivedProperties: { made: definition } }).then(
    ({ body }) => body.data?.map(({ made }: { made: unknown }) => made) ?? body.errorName,
  )

describe('an object set', () => {
  it('is filtered by key within what it holds only', async () => {
    const mock = mockOf()
    const long = filter(docs, where('pages', 10, 'gt'))
    expect(keysOf(await load(mock, filter(long, where('id', 2))))).toEqual([2])
    expect(keysOf(await load(mock, filter(long, where('id', 1))))).toEqual([])
  })

  it('is joined, met and cut, each object once and in the order they came', async () => {
    const mock = mockOf()
    const [one, two] = [filter(docs, where('id', 3, 'lt')), filter(docs, where('id', 1, 'gt'))]
    const join = async (type: string, objectSets: object[]) => keysOf(await load(mock, { type, objectSets }))
    expect(await join('union', [two, one])).toEqual([1, 2, 3])
    expect(await join('intersect', [two, one])).toEqual([2])
    expect(await join('subtract', [one, two])).toEqual([1])
    expect((await load(mock, { type: 'union', objectSets: [] })).body.errorName).toBe(
      'Default:InvalidArgument',
    )
  })

  it('is seen as another type, and drops what is none', async () => {
    const mock = mockOf()
    const both = { type: 'union', objectSets: [docs, tags] }
    const as = async (entityType: string) =>
      keysOf(await load(mock, { type: 'asType', entityType, objectSet: both }))
    expect(await as('Tag')).toEqual(['x', 'y'])
    expect(await as('Titled')).toEqual([1, 2, 3])
    expect((await load(mock, { type: 'asType', entityType: 'Nope', objectSet: both })).body.errorName).toBe(
      'InterfaceTypeNotFound',
    )
  })

  it('of an interface has the types that implement one which extends it', async () => {
    const mock = mockOf()
    const titled = { type: 'interfaceBase', interfaceType: 'Titled' }
    const narrow = await load(mock, titled)
    expect(keysOf(narrow)).toEqual([1, 2, 3])
    expect(narrow.body.data[0]).not.toHaveProperty('pages')
    const whole = await load(mock, { type: 'asBaseObjectTypes', objectSet: titled })
    expect(whole.body.data[0]).toMatchObject({ pages: 10 })
    expect((await load(mock, filter(titled, where('nope', 1)))).body.errorName).toBe('PropertiesNotFound')
    const { body } = await ask(mock, '/o/interfaceTypes/Printed')
    expect(Object.keys(body.properties)).toEqual(['pages'])
    expect(Object.keys(body.allProperties)).toEqual(['title', 'pages'])
    expect(body.allExtendsInterfaces).toEqual(['Titled'])
  })

  it('around others has each linked object once, in the order they came', async () => {
    const mock = mockOf()
    expect(keysOf(await load(mock, { type: 'searchAround', link: 'docs', objectSet: tags }))).toEqual([1, 2])
    expect(keysOf(await load(mock, { type: 'searchAround', link: 'tags', objectSet: docs }))).toEqual(['x'])
    const nowhere = await load(mock, {
      type: 'interfaceLinkSearchAround',
      interfaceLink: 'x',
      objectSet: docs,
    })
    expect(nowhere.body.errorName).toBe('IncompatibleNestedObjectSet')
  })

  it('has vectors only where they are requested', async () => {
    const mock = mockOf()
    expect((await load(mock, docs)).body.data[0]).not.toHaveProperty('embedding')
    const selected = await load(mock, docs, { select: ['embedding'] })
    expect(selected.body.data[0]).toMatchObject({ id: 1, embedding: [1, 0] })
    const both = { select: ['id'], selectV2: [{ type: 'property', apiName: 'id' }] }
    expect((await load(mock, docs, both)).body.errorName).toBe('Default:InvalidArgument')
  })
})

describe('pages of linked objects', () => {
  const path = '/o/objects/Tag/x/links/docs?pageSize=1'

  it('end where a link is added meanwhile, as it is configured', async () => {
    const mock = mockOf()
    const around = { type: 'searchAround', link: 'docs', objectSet: tags }
    const first = (await ask(mock, path)).body
    const set = (await load(mock, around, { pageSize: 1 })).body
    mock.ontologies.addLinks('o', 'tags', [{ from: 3, to: 'x' }])
    expect((await ask(mock, `${path}&pageToken=${first.nextPageToken}`)).body.errorName).toBe(
      'InvalidPageToken',
    )
    const next = await load(mock, around, { pageSize: 1, pageToken: set.nextPageToken })
    expect(next.body.errorName).toBe('InvalidPageToken')
  })

  it('go on as they began in a snapshot', async () => {
    const mock = mockOf()
    const snapshot = `${path}&snapshot=true`
    const first = (await ask(mock, snapshot)).body
    mock.ontologies.addLinks('o', 'tags', [{ from: 3, to: 'x' }])
    const second = await ask(mock, `${snapshot}&pageToken=${first.nextPageToken}`)
    expect(keysOf(second)).toEqual([2])
    expect(second.body).not.toHaveProperty('nextPageToken')
    expect(keysOf(await ask(mock, '/o/objects/Tag/x/links/docs'))).toEqual([1, 2, 3])
  })
})

describe('nearest neighbours', () => {
  const near = (rest: object, value: unknown = [0, 1]) => ({
    type: 'nearestNeighbors',
    objectSet: docs,
    propertyIdentifier: { type: 'property', apiName: 'embedding' },
    query: { type: 'vector', value },
    numNeighbors: 2,
    ...rest,
  })
  const byRelevance = { orderBy: { orderType: 'relevance', fields: [] }, excludeRid: true, select: ['id'] }

  it('are those whose vectors are most alike, the nearest first where that is requested', async () => {
    const mock = mockOf()
    expect(keysOf(await load(mock, near({})))).toEqual([2, 3])
    const { body } = await load(mock, near({}), byRelevance)
    expect(body.data).toEqual(
      [
        { __primaryKey: 3, __apiName: 'Doc', id: 3, __score: 1 },
        { __primaryKey: 2, __apiName: 'Doc', id: 2, __score: expect.closeTo(Math.SQRT1_2) as number },
      ].map((object) => ({ ...object, __title: String(object.id) })),
    )
    expect(keysOf(await load(mock, near({ similarityThreshold: 0.9 })))).toEqual([3])
    expect(
      keysOf(await load(mock, filter(near({ numNeighbors: 3 }), where('id', 3, 'lt')), byRelevance)),
    ).toEqual([2, 1])
  })

  it('come in pages too', async () => {
    const mock = mockOf()
    const page = { ...byRelevance, pageSize: 1 }
    const first = await load(mock, near({}), page)
    const second = await load(mock, near({}), { ...page, pageToken: first.body.nextPageToken })
    expect([keysOf(first), keysOf(second), second.body.nextPageToken]).toEqual([[3], [2], undefined])
  })

  it('are refused by name', async () => {
    const mock = mockOf()
    const refused: readonly (readonly [set: object, name: string])[] = [
      [
        near({ propertyIdentifier: { type: 'property', apiName: 'title' } }),
        'PropertyTypeDoesNotSupportNearestNeighbors',
      ],
      [near({}, [1, 2, 3]), 'InvalidVectorDimension'],
      [near({}, ['x', 'y']), 'Default:InvalidArgument'],
      [near({ query: { type: 'text', value: 'x' } }), 'UnsupportedObjectSet'],
      [near({ numNeighbors: 501 }), 'TooManyNearestNeighborsRequested'],
      [near({ numNeighbors: 0 }), 'TooManyNearestNeighborsRequested'],
      [near({ similarityThreshold: 2 }), 'SimilarityThresholdOutOfRange'],
    ]
    for (const [set, name] of refused) expect((await load(mock, set)).body.errorName).toBe(name)
    expect((await load(mock, docs, byRelevance)).body.errorName).toBe('InvalidOrderType')
  })
})

describe('a derived property', () => {
  const linked = (operation: object) => ({
    type: 'selection',
    objectSet: { type: 'searchAround', link: 'tags', objectSet: { type: 'methodInput' } },
    operation,
  })
  const pages = { type: 'property', apiName: 'pages' }

  it('selects and aggregates what is linked', async () => {
    const mock = mockOf()
    expect(await derive(mock, linked({ type: 'count' }))).toEqual([1, 1, 0])
    expect(await derive(mock, linked({ type: 'get', selectedPropertyApiName: 'name' }))).toEqual([
      'x',
      'x',
      undefined,
    ])
    const collect = (type: string) => linked({ type, selectedPropertyApiName: 'name', limit: 5 })
    expect(await derive(mock, collect('collectList'))).toEqual([['x'], ['x'], []])
    expect(await derive(mock, collect('collectSet'))).toEqual([['x'], ['x'], []])
  })

  it('calculates', async () => {
    const mock = mockOf()
    const two = { properties: [pages, { type: 'negate', property: pages }] }
    expect(await derive(mock, { type: 'add', properties: [pages, pages] })).toEqual([20, 40, 60])
    expect(await derive(mock, { type: 'multiply', properties: [pages, pages] })).toEqual([100, 400, 900])
    expect(await derive(mock, { type: 'subtract', left: pages, right: pages })).toEqual([0, 0, 0])
    expect(await derive(mock, { type: 'divide', left: pages, right: pages })).toEqual([1, 1, 1])
    expect(await derive(mock, { type: 'greatest', ...two })).toEqual([10, 20, 30])
    expect(await derive(mock, { type: 'least', ...two })).toEqual([-10, -20, -30])
    expect(
      await derive(mock, { type: 'absoluteValue', property: { type: 'negate', property: pages } }),
    ).toEqual([10, 20, 30])
    const at = { type: 'property', apiName: 'at' }
    const part = (name: string) => derive(mock, { type: 'extract', part: name, property: at })
    expect(await part('MONTHS')).toEqual([3, undefined, undefined])
    expect([(await part('DAYS'))[0], (await part('QUARTERS'))[0], (await part('YEARS'))[0]]).toEqual([
      5, 1, 2026,
    ])
  })

  it('is refused where it cannot be made', async () => {
    const mock = mockOf()
    expect(await derive(mock, { type: 'property', apiName: 'nope' })).toBe('PropertiesNotFound')
    for (const definition of [
      { type: 'guess' },
      { type: 'add', properties: [{ type: 'property', apiName: 'title' }] },
      { type: 'extract', part: 'MONTHS', property: pages },
      { type: 'extract', part: 'EPOCHS', property: { type: 'property', apiName: 'at' } },
      linked({ type: 'median', selectedPropertyApiName: 'name' }),
    ]) {
      expect(await derive(mock, definition)).toBe('InvalidDerivedPropertyDefinition')
    }
    const taken = { type: 'withProperties', objectSet: docs, derivedProperties: { title: pages } }
    expect((await load(mock, taken)).body.errorName).toBe('DerivedPropertyApiNamesNotUnique')
    expect((await load(mock, { type: 'methodInput' })).body.errorName).toBe('UnsupportedObjectSet')
  })
})

describe('older and other forms', () => {
  it('name the properties to load by `properties`, and with commas', async () => {
    const { body } = await ask(mockOf(), '/o/objects/Doc/2?properties=title,pages&excludeRid=true')
    expect(Object.keys(body)).toEqual(['__primaryKey', '__apiName', '__title', 'id', 'title', 'pages'])
    const one = await ask(mockOf(), '/o/objects/Doc?properties=title&excludeRid=true&pageSize=1')
    expect(one.body.data[0]).not.toHaveProperty('pages')
  })

  it('take the newest version of a query by its numbers', async () => {
    const { body } = await ask(mockOf(), '/o/queries/versioned/execute', {})
    expect(body).toEqual({ value: '10.0.0' })
  })

  it('take rids where they take names', async () => {
    const mock = mockOf()
    const { rid } = (await ask(mock, '/o/objectTypes/Doc')).body
    expect((await ask(mock, `/o/objectTypes/${rid}`)).body.apiName).toBe('Doc')
    const printed = (await ask(mock, '/o/interfaceTypes/Printed')).body
    expect((await ask(mock, `/o/interfaceTypes/${printed.rid}`)).body).toEqual(printed)
    const unknown = 'ri.ontology.main.object-type.x'
    expect((await ask(mock, `/o/objectTypes/${unknown}`)).body.parameters).toEqual({ objectTypeRid: unknown })
    expect((await ask(mock, `/${unknown}`)).body.parameters).toEqual({ ontologyRid: unknown })
    const none = await ask(mock, '/o/actionTypes/byRid/ri.none')
    expect(none.body).toMatchObject({ errorName: 'ActionTypeNotFound', parameters: { rid: 'ri.none' } })
    expect((await ask(mock, '/o/interfaceTypes/Titled/outgoingLinkTypes/nope')).body.errorName).toBe(
      'InterfaceLinkTypeNotFound',
    )
  })

  it('describe the parameters of actions, structs with fields that may be left out', async () => {
    const { body } = await ask(mockOf(), '/o/actionTypes/act')
    expect(body.parameters.many.dataType).toEqual({
      type: 'array',
      subType: { type: 'struct', fields: [{ name: 'a', fieldType: { type: 'integer' }, required: false }] },
    })
    expect(body.parameters.kind.dataType).toEqual({ type: 'objectType' })
  })
})

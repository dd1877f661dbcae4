import { OntologyInterfaces, OntologyObjectSets, OntologyObjectsV2 } from '@osdk/foundry.ontologies'
import { describe } from 'vitest'
import { ontologyTest as it } from '../../src/testing.ts'
import { keysOf } from './keys-of.ts'
import { platformClient } from './client.ts'

describe('interfaces and object sets', () => {
  it('lists and gets interface types and their links', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const preview = { preview: true }
    const { data } = await OntologyInterfaces.list(client, 'acme', preview)
    expect(data).toEqual([await OntologyInterfaces.get(client, 'acme', 'Facility', preview)])
    expect(data[0]).toMatchObject({
      apiName: 'Facility',
      implementedByObjectTypes: ['Office', 'Warehouse'],
      allPropertiesV2: { name: { dataType: { type: 'string' }, requireImplementation: true } },
      links: {
        staff: {
          cardinality: 'MANY',
          linkedEntityApiName: { type: 'objectTypeApiName', apiName: 'Employee' },
        },
      },
    })
    const links = await OntologyInterfaces.listOutgoingInterfaceLinkTypes(client, 'acme', 'Facility')
    const link = await OntologyInterfaces.getOutgoingInterfaceLinkType(client, 'acme', 'Facility', 'staff')
    expect(links.data).toEqual([link])
  })

  it('lists, searches and aggregates the objects of an interface', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const preview = { preview: true }
    const listed = await OntologyInterfaces.listObjectsForInterface(client, 'acme', 'Facility', {
      ...preview,
      select: [],
      orderBy: 'p.name:asc',
      excludeRid: true,
    })
    expect(listed.totalCount).toBe('5')
    expect(listed.data[1]).toEqual({
      __primaryKey: 1,
      __apiName: 'Warehouse',
      __title: 'North store',
      name: 'North store',
      city: 'Oslo',
    })
    const found = await OntologyInterfaces.search(
      client,
      'acme',
      'Facility',
      {
        where: { type: 'eq', field: 'city', value: 'Oslo' },
        augmentedProperties: {},
        augmentedSharedPropertyTypes: {},
        augmentedInterfacePropertyTypes: {},
        selectedSharedPropertyTypes: [],
        selectedInterfacePropertyTypes: ['name'],
        selectedObjectTypes: [],
        otherInterfaceTypes: [],
      },
      preview,
    )
    expect(keysOf(found)).toEqual(['pop/up', 1])
    const counted = await OntologyInterfaces.aggregate(
      client,
      'acme',
      'Facility',
      { aggregation: [{ type: 'count' }], groupBy: [{ type: 'exact', field: 'city', maxGroupCount: 1 }] },
      preview,
    )
    expect(counted).toEqual({
      accuracy: 'ACCURATE',
      data: [{ group: { city: 'Oslo' }, metrics: [{ name: 'count', value: 2 }] }],
      excludedItems: 3,
    })
  })

  it('lists the objects behind an interface link', async ({ mock, expect }) => {
    const page = await OntologyInterfaces.listInterfaceLinkedObjects(
      platformClient(mock.baseUrl),
      'acme',
      'Facility',
      'Office',
      'lab',
      'staff',
      { preview: true, select: [] },
    )
    expect(keysOf(page)).toEqual([3, 4])
  })

  it('loads objects as their interface', async ({ mock, expect }) => {
    const page = await OntologyObjectSets.loadObjectsOrInterfaces(
      platformClient(mock.baseUrl),
      'acme',
      {
        objectSet: { type: 'interfaceBase', interfaceType: 'Facility' },
        select: [],
        selectV2: [],
        excludeRid: true,
      },
      { preview: true },
    )
    expect(page.data.at(-1)).toEqual({
      $primaryKey: 2,
      $apiName: 'Warehouse',
      $title: 'South store',
      name: 'South store',
      city: 'Lagos',
    })
  })

  it('keeps an object set for an hour', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const objectSet = {
      type: 'filter' as const,
      objectSet: { type: 'base' as const, objectType: 'Employee' },
      where: { type: 'eq' as const, field: 'department', value: 'Research' },
    }
    const { objectSetRid } = await OntologyObjectSets.createTemporary(client, 'acme', { objectSet })
    expect(await OntologyObjectSets.get(client, 'acme', objectSetRid)).toEqual(objectSet)
    const load = () =>
      OntologyObjectSets.load(client, 'acme', {
        objectSet: { type: 'reference', reference: objectSetRid },
        select: [],
        selectV2: [],
      })
    expect(keysOf(await load())).toEqual([1, 2, 5])
    mock.adapter.clock.advance(3_600_000)
    await expect(load()).rejects.toMatchObject({
      errorName: 'ObjectSetNotFound',
      parameters: { objectSetRid },
    })
  })

  it('loads links in bulk', async ({ mock, expect }) => {
    const { data } = await OntologyObjectSets.loadLinks(
      platformClient(mock.baseUrl),
      'acme',
      { objectSet: { type: 'base', objectType: 'Employee' }, links: ['office', 'projects'] },
      { preview: true },
    )
    expect(data).toHaveLength(5)
    expect(data[0]).toMatchObject({
      sourceObject: { __primaryKey: 1 },
      linkedObjects: [
        { linkType: 'office', targetObject: { __primaryKey: 'hq' } },
        { linkType: 'projects', targetObject: { __primaryKey: 'engine' } },
        { linkType: 'projects', targetObject: { __primaryKey: 'Project-1' } },
      ],
    })
    expect(data[4]?.linkedObjects).toEqual([])
  })

  it('loads objects of any types by their rids, and drops what is unknown', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const ridOf = async (type: string, key: string): Promise<string> => {
      const object = await OntologyObjectsV2.get(client, 'acme', type, key, { select: [] })
      return (object as { __rid: string }).__rid
    }
    const objects = [
      await ridOf('Employee', '2'),
      await ridOf('Office', 'hq'),
      'ri.phonograph2-objects.main.object.x',
    ]
    const page = await OntologyObjectSets.loadMultipleObjectTypes(
      client,
      'acme',
      { objectSet: { type: 'static', objects }, select: [], selectV2: [] },
      { preview: true },
    )
    expect(page.data.map(({ $apiName }: Record<string, unknown>) => $apiName)).toEqual(['Office', 'Employee'])
  })
})

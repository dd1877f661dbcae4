import {
  ActionTypesFullMetadata,
  ActionTypesV2,
  LinkedObjectsV2,
  ObjectTypesV2,
  OntologiesV2,
  OntologyObjectsV2,
  Queries,
  QueryTypes,
} from '@osdk/foundry.ontologies'
import { describe } from 'vitest'
import { ontologyTest as it } from '../../src/testing.ts'
import { platformClient } from './client.ts'
import { keysOf } from './keys-of.ts'

const namesOf = (page: { readonly data: readonly { readonly apiName: string }[] }): string[] =>
  page.data.map(({ apiName }) => apiName)

describe('ontologies', () => {
  it('lists the ontologies and gets one by name and by rid', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const { data } = await OntologiesV2.list(client)
    expect(data).toEqual([
      {
        apiName: 'acme',
        displayName: 'Acme',
        description: 'The people and places of a small company.',
        rid: expect.stringMatching(/^ri\.ontology\.main\.ontology\.[0-9a-f-]{36}$/),
      },
    ])
    expect(await OntologiesV2.get(client, 'acme')).toEqual(data[0])
    expect(await OntologiesV2.get(client, String(data[0]?.rid))).toEqual(data[0])
  })

  it('gets the full metadata of an ontology', async ({ mock, expect }) => {
    const full = await OntologiesV2.getFullMetadata(platformClient(mock.baseUrl), 'acme')
    expect(full.ontology.apiName).toBe('acme')
    expect(Object.keys(full.objectTypes)).toEqual(['Office', 'Warehouse', 'Employee', 'Project'])
    expect(Object.keys(full.actionTypes)).toEqual(['promoteEmployee', 'openOffice'])
    expect(Object.keys(full.queryTypes)).toEqual([
      'headcount:1.0.0',
      'headcount:2.0.0',
      'employeesOf:1.0.0',
      'founders:1.0.0',
    ])
    expect(Object.keys(full.interfaceTypes)).toEqual(['Facility'])
    expect(Object.keys(full.sharedPropertyTypes)).toEqual(['name', 'city'])
  })

  it('loads the metadata of named types only', async ({ mock, expect }) => {
    const wanted = {
      objectTypes: ['Employee'],
      linkTypes: ['office'],
      actionTypes: [],
      queryTypes: ['headcount:2.0.0'],
      interfaceTypes: [],
    }
    const full = await OntologiesV2.loadMetadata(platformClient(mock.baseUrl), 'acme', wanted, {
      preview: true,
    })
    expect(Object.keys(full.objectTypes)).toEqual(['Employee'])
    expect(full.objectTypes['Employee']?.linkTypes.map(({ apiName }) => apiName)).toEqual(['office'])
    expect(full.actionTypes).toEqual({})
    expect(Object.keys(full.queryTypes)).toEqual(['headcount:2.0.0'])
  })
})

describe('object types', () => {
  it('lists the object types in two pages', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const first = await ObjectTypesV2.list(client, 'acme', { pageSize: 3 })
    expect(namesOf(first)).toEqual(['Office', 'Warehouse', 'Employee'])
    const { nextPageToken: pageToken } = first
    const second = await ObjectTypesV2.list(client, 'acme', { pageSize: 3, pageToken })
    expect(namesOf(second)).toEqual(['Project'])
    expect(second).not.toHaveProperty('nextPageToken')
  })

  it('gets an object type', async ({ mock, expect }) => {
    const type = await ObjectTypesV2.get(platformClient(mock.baseUrl), 'acme', 'Employee')
    expect(type).toMatchObject({
      apiName: 'Employee',
      displayName: 'Employee',
      pluralDisplayName: 'Employees',
      primaryKey: 'employeeId',
      titleProperty: 'fullName',
      icon: { type: 'blueprint' },
      status: 'ACTIVE',
    })
    expect(type.properties['badge']?.dataType).toEqual({ type: 'long' })
    expect(type.properties['skills']?.dataType).toEqual({
      type: 'array',
      subType: { type: 'string' },
      reducers: [],
    })
    expect(type.properties['address']?.dataType).toMatchObject({
      structFieldTypes: [{ apiName: 'street', dataType: { type: 'string' } }, { apiName: 'zip' }],
    })
  })

  it('gets the full metadata of an object type', async ({ mock, expect }) => {
    const full = await ObjectTypesV2.getFullMetadata(platformClient(mock.baseUrl), 'acme', 'Warehouse', {
      preview: true,
    })
    expect(full.implementsInterfaces).toEqual(['Facility'])
    expect(full.implementsInterfaces2['Facility']?.propertiesV2).toEqual({
      name: { type: 'localPropertyImplementation', propertyApiName: 'label' },
      city: { type: 'localPropertyImplementation', propertyApiName: 'town' },
    })
    expect(full.sharedPropertyTypeMapping).toEqual({ name: 'label', city: 'town' })
  })

  it('lists and gets the links of an object type', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const { data } = await ObjectTypesV2.listOutgoingLinkTypes(client, 'acme', 'Employee')
    expect(
      data.map(({ apiName, cardinality, foreignKeyPropertyApiName: key }) => [apiName, cardinality, key]),
    ).toEqual([
      ['office', 'ONE', 'officeId'],
      ['manager', 'ONE', 'managerId'],
      ['reports', 'MANY', undefined],
      ['projects', 'MANY', undefined],
    ])
    const back = await ObjectTypesV2.getOutgoingLinkType(client, 'acme', 'Office', 'employees')
    expect(back).toEqual({
      apiName: 'employees',
      displayName: 'Employees',
      status: 'ACTIVE',
      objectTypeApiName: 'Employee',
      cardinality: 'MANY',
      linkTypeRid: data[0]?.linkTypeRid,
    })
  })

  it('gets object types and action types by their rids', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const { rid: objectTypeRid } = await ObjectTypesV2.get(client, 'acme', 'Office')
    const requests = [{ objectTypeRid }, { objectTypeRid: 'ri.ontology.main.object-type.none' }]
    const types = await ObjectTypesV2.getByRidBatch(client, 'acme', { requests })
    expect(namesOf(types)).toEqual(['Office'])
    const { rid: actionTypeRid } = await ActionTypesV2.get(client, 'acme', 'openOffice')
    expect(await ActionTypesV2.getByRid(client, 'acme', actionTypeRid)).toMatchObject({
      apiName: 'openOffice',
    })
    const actions = await ActionTypesV2.getByRidBatch(client, 'acme', { requests: [{ actionTypeRid }] })
    expect(namesOf(actions)).toEqual(['openOffice'])
  })
})

describe('objects', () => {
  it('lists objects in two pages, selected and ordered', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const request = {
      select: ['fullName', 'salary'],
      orderBy: 'p.department:asc,properties.salary:desc',
      excludeRid: true,
      pageSize: 3,
    }
    const first = await OntologyObjectsV2.list(client, 'acme', 'Employee', request)
    expect(first.totalCount).toBe('5')
    expect(first.data[0]).toEqual({
      __primaryKey: 3,
      __apiName: 'Employee',
      __title: 'Grace Hopper',
      employeeId: 3,
      fullName: 'Grace Hopper',
      salary: 6100,
    })
    const { nextPageToken: pageToken } = first
    const second = await OntologyObjectsV2.list(client, 'acme', 'Employee', { ...request, pageToken })
    // Edsger has no salary, and so comes last of his department.
    expect([...keysOf(first), ...keysOf(second)]).toEqual([3, 4, 1, 2, 5])
    expect(second).not.toHaveProperty('nextPageToken')
  })

  it('gets an object by a key of any type', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const ada = await OntologyObjectsV2.get(client, 'acme', 'Employee', '1', { select: [] })
    expect(ada).toMatchObject({ __primaryKey: 1, __title: 'Ada Lovelace', badge: '9007199254740993' })
    expect(ada).not.toHaveProperty('managerId')
    const office = await OntologyObjectsV2.get(client, 'acme', 'Office', 'pop/up', { select: ['city'] })
    expect(office).toEqual({
      __rid: expect.stringMatching(/^ri\.phonograph2-objects\.main\.object\./),
      __primaryKey: 'pop/up',
      __apiName: 'Office',
      __title: 'Pop-up office',
      officeId: 'pop/up',
      city: 'Oslo',
    })
  })

  it('counts objects', async ({ mock, expect }) => {
    expect(await OntologyObjectsV2.count(platformClient(mock.baseUrl), 'acme', 'Project')).toEqual({
      count: 14,
    })
  })

  it('searches in two pages', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const body = {
      where: { type: 'eq' as const, field: 'isRemote', value: false },
      select: [],
      selectV2: [{ type: 'property' as const, apiName: 'fullName' }],
      orderBy: { fields: [{ field: 'fullName', direction: 'desc' }] },
      pageSize: 1,
    }
    const first = await OntologyObjectsV2.search(client, 'acme', 'Employee', body)
    expect(first.totalCount).toBe('2')
    const pageToken = String(first.nextPageToken)
    const second = await OntologyObjectsV2.search(client, 'acme', 'Employee', { ...body, pageToken })
    expect([...keysOf(first), ...keysOf(second)]).toEqual([3, 1])
    expect(second).not.toHaveProperty('nextPageToken')
  })

  it('aggregates objects', async ({ mock, expect }) => {
    const answer = await OntologyObjectsV2.aggregate(platformClient(mock.baseUrl), 'acme', 'Employee', {
      aggregation: [
        { type: 'count', name: 'people' },
        { type: 'max', field: 'salary', name: 'most' },
      ],
      groupBy: [{ type: 'exact', field: 'department' }],
      where: { type: 'isNull', field: 'salary', value: false },
    })
    const row = (department: string, people: number, most: number) => ({
      group: { department },
      metrics: [
        { name: 'people', value: people },
        { name: 'most', value: most },
      ],
    })
    expect(answer).toEqual({
      accuracy: 'ACCURATE',
      data: [row('Engineering', 2, 6100), row('Research', 2, 5200.5)],
    })
  })
})

describe('links', () => {
  it('lists linked objects from both sides and in two pages', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const list = (type: string, key: string, link: string, page: object = {}) =>
      LinkedObjectsV2.listLinkedObjects(client, 'acme', type, key, link, { select: [], ...page })
    expect(keysOf(await list('Employee', '1', 'office'))).toEqual(['hq'])
    expect(keysOf(await list('Office', 'hq', 'employees'))).toEqual([1, 2])
    expect(keysOf(await list('Project', 'engine', 'members'))).toEqual([1, 2])
    const first = await list('Employee', '1', 'reports', { pageSize: 1 })
    expect(first).not.toHaveProperty('totalCount')
    const second = await list('Employee', '1', 'reports', { pageSize: 1, pageToken: first.nextPageToken })
    expect([...keysOf(first), ...keysOf(second)]).toEqual([2, 3])
    expect(second).not.toHaveProperty('nextPageToken')
  })

  it('gets a linked object', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const linked = await LinkedObjectsV2.getLinkedObject(
      client,
      'acme',
      'Employee',
      '1',
      'projects',
      'engine',
      {
        select: ['budget'],
      },
    )
    expect(linked).toMatchObject({ __primaryKey: 'engine', budget: '1250.50' })
  })
})

describe('action types and queries', () => {
  it('lists action types in two pages and gets one', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const first = await ActionTypesV2.list(client, 'acme', { pageSize: 1 })
    const second = await ActionTypesV2.list(client, 'acme', { pageSize: 1, pageToken: first.nextPageToken })
    expect([...namesOf(first), ...namesOf(second)]).toEqual(['promoteEmployee', 'openOffice'])
    expect(second).not.toHaveProperty('nextPageToken')
    expect(await ActionTypesV2.get(client, 'acme', 'promoteEmployee')).toEqual({
      apiName: 'promoteEmployee',
      displayName: 'Promote employee',
      status: 'ACTIVE',
      rid: expect.stringMatching(/^ri\.ontology\.main\.action-type\./),
      operations: [{ type: 'modifyObject', objectTypeApiName: 'Employee' }],
      parameters: {
        employee: {
          displayName: 'employee',
          dataType: { type: 'object', objectApiName: 'Employee', objectTypeApiName: 'Employee' },
          required: true,
          typeClasses: [],
        },
        salary: { displayName: 'salary', dataType: { type: 'double' }, required: true, typeClasses: [] },
        note: { displayName: 'note', dataType: { type: 'string' }, required: false, typeClasses: [] },
      },
    })
  })

  it('gets the full metadata of action types', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const one = await ActionTypesFullMetadata.get(client, 'acme', 'openOffice')
    expect(one).toMatchObject({ actionType: { apiName: 'openOffice' }, fullLogicRules: [] })
    const { data } = await ActionTypesFullMetadata.list(client, 'acme', { objectTypeApiNames: ['Employee'] })
    expect(data.map(({ actionType }) => actionType.apiName)).toEqual(['promoteEmployee'])
  })

  it('lists query types in two pages and gets one in any version', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const first = await QueryTypes.list(client, 'acme', { pageSize: 2 })
    const second = await QueryTypes.list(client, 'acme', { pageSize: 2, pageToken: first.nextPageToken })
    expect([...namesOf(first), ...namesOf(second)]).toEqual(['headcount', 'employeesOf', 'founders'])
    expect(second).not.toHaveProperty('nextPageToken')
    expect(await QueryTypes.get(client, 'acme', 'headcount')).toMatchObject({
      version: '2.0.0',
      output: { type: 'double' },
    })
    expect(await QueryTypes.get(client, 'acme', 'headcount', { version: '1.0.0' })).toMatchObject({
      version: '1.0.0',
      output: { type: 'integer' },
    })
  })

  it('executes a query', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const parameters = { office: 'hq', remote: true }
    expect(await Queries.execute(client, 'acme', 'employeesOf', { parameters })).toEqual({ value: [2] })
    expect(
      await Queries.execute(client, 'acme', 'headcount', { parameters: {} }, { version: '1.0.0' }),
    ).toEqual({ value: 5 })
    expect(await Queries.execute(client, 'acme', 'founders', { parameters: {} })).toEqual({
      value: [
        { name: 'Ada', year: 1843 },
        { name: 'Grace', year: 1952 },
      ],
    })
  })
})

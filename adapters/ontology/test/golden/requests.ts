/** A request of a golden contract; the method is POST where there is a body. */
export interface GoldenRequest {
  readonly path: string
  readonly body?: unknown
  readonly method?: 'GET' | 'POST'
}

const get = (path: string): GoldenRequest => ({ path })
const post = (path: string, body: unknown): GoldenRequest => ({ path, body })

const employees = { type: 'base', objectType: 'Employee' }
const facilities = { type: 'interfaceBase', interfaceType: 'Facility' }
const research = { type: 'eq', field: 'department', value: 'Research' }
const bySalary = { fields: [{ field: 'salary', direction: 'desc' }] }
const names = [{ type: 'property', apiName: 'fullName' }]

/** What each operation is sent, below `/api/v2/ontologies`. Where a rid is wanted, `{rid:path}` stands for that of a description. */
export const GOLDEN_REQUESTS: Readonly<Record<string, readonly GoldenRequest[]>> = {
  listOntologiesV2: [get(''), get('?pageSize=0')],
  getOntologyV2: [get('/acme'), get('/nope')],
  getOntologyFullMetadata: [get('/acme/fullMetadata')],
  loadOntologyMetadata: [
    post('/acme/metadata?preview=true', {
      objectTypes: ['Warehouse'],
      linkTypes: [],
      interfaceTypes: ['Facility'],
    }),
    { method: 'POST', path: '/acme/metadata' },
  ],
  listObjectTypesV2: [get('/acme/objectTypes?pageSize=1'), get('/acme/objectTypes?pageToken=garbage')],
  getObjectTypesByRidBatch: [
    post('/acme/objectTypes/getByRidBatch', {
      requests: [{ objectTypeRid: '{rid:/acme/objectTypes/Warehouse}' }],
    }),
    post('/acme/objectTypes/getByRidBatch', { requests: [] }),
  ],
  getObjectTypeV2: [get('/acme/objectTypes/Employee'), get('/acme/objectTypes/Nope')],
  getObjectTypeFullMetadata: [get('/acme/objectTypes/Office/fullMetadata?preview=true')],
  listOutgoingLinkTypesV2: [get('/acme/objectTypes/Employee/outgoingLinkTypes')],
  getOutgoingLinkTypeV2: [
    get('/acme/objectTypes/Office/outgoingLinkTypes/employees'),
    get('/acme/objectTypes/Office/outgoingLinkTypes/nope'),
  ],
  listObjectsV2: [
    get('/acme/objects/Employee?pageSize=2'),
    get('/acme/objects/Employee?select=fullName&select=salary&orderBy=p.salary%3Adesc&excludeRid=true'),
    get('/acme/objects/Employee?orderBy=salary'),
  ],
  getObjectV2: [get('/acme/objects/Office/pop%2Fup'), get('/acme/objects/Employee/99')],
  countObjects: [{ method: 'POST', path: '/acme/objects/Employee/count' }],
  searchObjectsV2: [
    post('/acme/objects/Employee/search', {
      where: research,
      orderBy: bySalary,
      selectV2: names,
      excludeRid: true,
    }),
    post('/acme/objects/Employee/search', { where: { type: 'and', value: [] } }),
    { method: 'POST', path: '/acme/objects/Employee/search' },
  ],
  aggregateObjectsV2: [
    post('/acme/objects/Employee/aggregate', {
      where: { type: 'isNull', field: 'salary', value: false },
      aggregation: [
        { type: 'count' },
        { type: 'sum', field: 'salary', name: 'total' },
        { type: 'approximatePercentile', field: 'salary', approximatePercentile: 50, direction: 'DESC' },
      ],
      groupBy: [{ type: 'exact', field: 'department' }],
    }),
  ],
  listLinkedObjectsV2: [
    get('/acme/objects/Office/hq/links/employees?pageSize=1&select=fullName'),
    get('/acme/objects/Employee/5/links/office'),
  ],
  getLinkedObjectV2: [
    get('/acme/objects/Employee/1/links/office/hq'),
    get('/acme/objects/Employee/1/links/office/lab'),
  ],
  listActionTypesV2: [get('/acme/actionTypes')],
  getActionTypeByRid: [get('/acme/actionTypes/byRid/{rid:/acme/actionTypes/openOffice}')],
  getActionTypesByRidBatch: [
    post('/acme/actionTypes/getByRidBatch', {
      requests: [{ actionTypeRid: '{rid:/acme/actionTypes/openOffice}' }],
    }),
  ],
  getActionTypeV2: [get('/acme/actionTypes/promoteEmployee'), get('/acme/actionTypes/nope')],
  getActionTypeFullMetadata: [get('/acme/actionTypes/openOffice/fullMetadata')],
  listActionTypesFullMetadata: [get('/acme/actionTypesFullMetadata?objectTypeApiNames=Office')],
  listQueryTypesV2: [get('/acme/queryTypes')],
  getQueryTypesByRidBatch: [
    post('/acme/queryTypes/getByRidBatch?preview=true', {
      requests: [{ rid: '{rid:/acme/queryTypes/founders}' }],
    }),
  ],
  getQueryTypeV2: [
    get('/acme/queryTypes/headcount?version=1.0.0'),
    get('/acme/queryTypes/headcount?version=9.9.9'),
  ],
  executeQueryV2: [
    post('/acme/queries/employeesOf/execute', { parameters: { office: 'lab' } }),
    post('/acme/queries/employeesOf/execute', { parameters: { office: 'moon' } }),
    post('/acme/queries/employeesOf/execute', { parameters: {} }),
  ],
  loadObjectSetV2: [
    post('/acme/objectSets/loadObjects', {
      objectSet: { type: 'filter', objectSet: employees, where: research },
      select: [],
      selectV2: names,
      pageSize: 2,
      excludeRid: true,
      snapshot: true,
    }),
    post('/acme/objectSets/loadObjects', { objectSet: { type: 'nothing' } }),
  ],
  loadObjectSetV2MultipleObjectTypes: [
    post('/acme/objectSets/loadObjectsMultipleObjectTypes?preview=true', { objectSet: facilities }),
    post('/acme/objectSets/loadObjectsMultipleObjectTypes?preview=true', {
      objectSet: { type: 'interfaceBase', interfaceType: 'Facility', includeAllBaseObjectProperties: true },
      pageSize: 1,
    }),
  ],
  loadObjectSetV2ObjectsOrInterfaces: [
    post('/acme/objectSets/loadObjectsOrInterfaces?preview=true', {
      objectSet: facilities,
      excludeRid: true,
    }),
  ],
  aggregateObjectSetV2: [
    post('/acme/objectSets/aggregate', {
      objectSet: { type: 'searchAround', objectSet: employees, link: 'office' },
      aggregation: [{ type: 'exactDistinct', field: 'city', name: 'cities' }],
      groupBy: [],
    }),
  ],
  createTemporaryObjectSetV2: [post('/acme/objectSets/createTemporary', { objectSet: employees })],
  loadObjectSetLinksV2: [
    post('/acme/objectSets/loadLinks?preview=true', { objectSet: employees, links: ['office', 'reports'] }),
  ],
  getObjectSetV2: [get('/acme/objectSets/ri.object-set.main.object-set.nope')],
  listInterfaceTypes: [get('/acme/interfaceTypes?preview=true')],
  getInterfaceType: [
    get('/acme/interfaceTypes/Facility?preview=true'),
    get('/acme/interfaceTypes/Nope?preview=true'),
  ],
  listOutgoingInterfaceLinkTypes: [get('/acme/interfaceTypes/Facility/outgoingLinkTypes')],
  getOutgoingInterfaceLinkType: [get('/acme/interfaceTypes/Facility/outgoingLinkTypes/staff')],
  listObjectsForInterface: [get('/acme/interfaces/Facility?preview=true&pageSize=4')],
  searchObjectsForInterface: [
    post('/acme/interfaces/Facility/search?preview=true', {
      where: { type: 'eq', field: 'city', value: 'Oslo' },
    }),
  ],
  aggregateObjectsForInterface: [
    post('/acme/interfaces/Facility/aggregate?preview=true', {
      aggregation: [{ type: 'count', name: 'facilities' }],
      groupBy: [{ type: 'exact', field: 'city' }],
    }),
  ],
  listInterfaceLinkedObjects: [
    get('/acme/interfaces/Facility/Office/lab/links/staff?preview=true&select=fullName'),
  ],
  listValueTypes: [get('/acme/valueTypes?preview=true')],
  getValueType: [get('/acme/valueTypes/nope?preview=true')],
}

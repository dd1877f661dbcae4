import {
  ActionTypesV2,
  LinkedObjectsV2,
  ObjectTypesV2,
  OntologiesV2,
  OntologyInterfaces,
  OntologyObjectSets,
  OntologyObjectsV2,
  Queries,
  QueryTypes,
} from '@osdk/foundry.ontologies'
import { describe, expect } from 'vitest'
import { OntologyMockContext } from '../../src/mock.ts'
import { ontologyTest as it } from '../../src/testing.ts'
import { platformClient, refusalOf } from './client.ts'

type Client = ReturnType<typeof platformClient>
type Call = (client: Client) => Promise<unknown>

const search = (body: object): Call => {
  const whole = { select: [], selectV2: [], ...body }
  return (client) => OntologyObjectsV2.search(client, 'acme', 'Employee', whole)
}
const list =
  (query: object): Call =>
  (client) =>
    OntologyObjectsV2.list(client, 'acme', 'Employee', { select: [], ...query })
const load =
  (objectSet: object): Call =>
  (client) =>
    OntologyObjectSets.load(client, 'acme', { objectSet: objectSet as never, select: [], selectV2: [] })
const run =
  (query: string, parameters: object): Call =>
  (client) =>
    Queries.execute(client, 'acme', query, { parameters: { ...parameters } })

const CALLS: Readonly<
  Record<string, readonly [call: Call, status: number, code: string, parameters: object]>
> = {
  OntologyNotFound: [(client) => OntologiesV2.get(client, 'nope'), 404, 'NOT_FOUND', { apiName: 'nope' }],
  ObjectTypeNotFound: [
    (client) => ObjectTypesV2.get(client, 'acme', 'Nope'),
    404,
    'NOT_FOUND',
    { objectType: 'Nope' },
  ],
  ObjectNotFound: [
    (client) => OntologyObjectsV2.get(client, 'acme', 'Employee', '99', { select: [] }),
    404,
    'NOT_FOUND',
    { objectType: 'Employee', primaryKey: { employeeId: 99 } },
  ],
  LinkTypeNotFound: [
    (client) => LinkedObjectsV2.listLinkedObjects(client, 'acme', 'Employee', '1', 'nope', { select: [] }),
    404,
    'NOT_FOUND',
    { objectType: 'Employee', linkType: 'nope' },
  ],
  LinkedObjectNotFound: [
    (client) =>
      LinkedObjectsV2.getLinkedObject(client, 'acme', 'Employee', '1', 'office', 'lab', { select: [] }),
    404,
    'NOT_FOUND',
    { linkType: 'office', linkedObjectType: 'Office', linkedObjectPrimaryKey: { officeId: 'lab' } },
  ],
  ActionTypeNotFound: [
    (client) => ActionTypesV2.get(client, 'acme', 'nope'),
    404,
    'NOT_FOUND',
    { actionType: 'nope' },
  ],
  QueryNotFound: [(client) => QueryTypes.get(client, 'acme', 'nope'), 404, 'NOT_FOUND', { query: 'nope' }],
  QueryVersionNotFound: [
    (client) => QueryTypes.get(client, 'acme', 'headcount', { version: '9.0.0' }),
    404,
    'NOT_FOUND',
    { apiName: 'headcount', version: '9.0.0' },
  ],
  InterfaceTypeNotFound: [
    (client) => OntologyInterfaces.get(client, 'acme', 'Nope', { preview: true }),
    404,
    'NOT_FOUND',
    { apiName: 'Nope' },
  ],
  FoundryBranchNotFound: [
    (client) => ObjectTypesV2.list(client, 'acme', { branch: 'ri.foundry.main.branch.nope' }),
    404,
    'NOT_FOUND',
    { branch: 'ri.foundry.main.branch.nope' },
  ],
  ObjectSetNotFound: [
    load({ type: 'reference', reference: 'ri.object-set.main.object-set.nope' }),
    404,
    'NOT_FOUND',
    { objectSetRid: 'ri.object-set.main.object-set.nope' },
  ],
  PropertiesNotFound: [
    list({ select: ['fullName', 'nope'] }),
    404,
    'NOT_FOUND',
    { objectType: 'Employee', properties: ['nope'] },
  ],
  InvalidPageSize: [list({ pageSize: 0 }), 400, 'INVALID_ARGUMENT', { pageSize: 0 }],
  InvalidPageToken: [list({ pageToken: 'garbage' }), 400, 'INVALID_ARGUMENT', { pageToken: 'garbage' }],
  InvalidSortType: [list({ orderBy: 'q.salary' }), 400, 'INVALID_ARGUMENT', { invalidSortType: 'q' }],
  InvalidSortOrder: [list({ orderBy: 'p.salary:up' }), 400, 'INVALID_ARGUMENT', { invalidSortOrder: 'up' }],
  InvalidFields: [list({ orderBy: 'salary' }), 400, 'INVALID_ARGUMENT', { properties: ['salary'] }],
  DuplicateOrderBy: [
    list({ orderBy: 'p.salary,p.salary:desc' }),
    400,
    'INVALID_ARGUMENT',
    { properties: ['salary'] },
  ],
  PropertiesNotSortable: [list({ orderBy: 'p.skills' }), 400, 'INVALID_ARGUMENT', { properties: ['skills'] }],
  InvalidOrderType: [
    search({ orderBy: { orderType: 'relevance', fields: [] } }),
    400,
    'INVALID_ARGUMENT',
    { orderType: 'relevance' },
  ],
  InvalidPropertyValue: [
    search({ where: { type: 'eq', field: 'employeeId', value: 'x' } }),
    400,
    'INVALID_ARGUMENT',
    { property: 'employeeId', propertyBaseType: 'integer', propertyValue: 'x' },
  ],
  PropertyTypesSearchNotSupported: [
    search({ where: { type: 'gt', field: 'address', value: 1 } }),
    400,
    'INVALID_ARGUMENT',
    { parameters: { gt: ['address'] } },
  ],
  InvalidAndFilter: [search({ where: { type: 'and', value: [] } }), 400, 'INVALID_ARGUMENT', {}],
  UnsupportedObjectSet: [load({ type: 'nothing' }), 400, 'INVALID_ARGUMENT', {}],
  UnknownParameter: [
    run('employeesOf', { office: 'hq', moon: 1 }),
    400,
    'INVALID_ARGUMENT',
    { unknownParameters: ['moon'], expectedParameters: ['office', 'remote'] },
  ],
  MissingParameter: [run('employeesOf', {}), 400, 'INVALID_ARGUMENT', { parameters: ['office'] }],
  InvalidQueryParameterValue: [
    run('employeesOf', { office: 7 }),
    400,
    'INVALID_ARGUMENT',
    { parameterDataType: { type: 'string' }, parameterId: 'office', parameterValue: 7 },
  ],
  QueryEncounteredUserFacingError: [
    run('employeesOf', { office: 'moon' }),
    409,
    'CONFLICT',
    { functionRid: expect.any(String) as string, functionVersion: '1.0.0', message: 'Nobody lives there.' },
  ],
  MissingBatchRequest: [
    (client) => ObjectTypesV2.getByRidBatch(client, 'acme', { requests: [] }),
    400,
    'INVALID_ARGUMENT',
    {},
  ],
  BatchRequestSizeExceededLimit: [
    (client) =>
      ObjectTypesV2.getByRidBatch(client, 'acme', {
        requests: Array.from({ length: 101 }, () => ({ objectTypeRid: 'x' })),
      }),
    400,
    'INVALID_ARGUMENT',
    { maximumBatchSize: 100, providedBatchSize: 101 },
  ],
}

describe('the errors of the official client', () => {
  it('have the service name, code, status and parameters', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    for (const [errorName, [call, statusCode, errorCode, parameters]] of Object.entries(CALLS)) {
      const error = await refusalOf(call(client))
      expect({
        errorName: error.errorName,
        errorCode: error.errorCode,
        statusCode: error.statusCode,
        parameters: error.parameters,
      }).toEqual({ errorName, errorCode, statusCode, parameters })
      expect(error.errorInstanceId).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('name bad credentials and missing scopes', async ({ expect }) => {
    const tokens = [{ token: 'unscoped', scopes: [] }]
    await using mock = await OntologyMockContext.start({ auth: { mode: 'strict', tokens } })
    const list = (token: string) => refusalOf(OntologiesV2.list(platformClient(mock.baseUrl, token)))
    expect(await list('unknown')).toMatchObject({ statusCode: 401, errorName: 'Default:Unauthorized' })
    expect(await list('unscoped')).toMatchObject({
      statusCode: 403,
      errorName: 'ApiUsageDenied',
      parameters: { missingScope: 'api:ontologies-read' },
    })
  })

  it('carry deterministic ids', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const first = await refusalOf(OntologiesV2.get(client, 'nope'))
    mock.reset()
    const again = await refusalOf(OntologiesV2.get(client, 'nope'))
    expect(again.errorInstanceId).toBe(first.errorInstanceId)
  })

  it('come after as many tries as the client makes at 429 and 503', async ({ mock, expect }) => {
    const client = platformClient(mock.baseUrl)
    const triesOf = async (
      call: () => Promise<unknown>,
    ): Promise<readonly [requests: number, status: unknown]> => {
      const before = mock.adapter.snapshot().requests
      const status = await call().then(
        () => 200,
        (error: unknown) => (error as { statusCode?: number }).statusCode,
      )
      return [mock.adapter.snapshot().requests - before, status]
    }
    const list = () => OntologiesV2.list(client)
    mock.adapter.faults.set([{ operation: 'listOntologiesV2', status: 429, retryAfterSeconds: 1 }])
    expect(await triesOf(list)).toEqual([4, 429])
    mock.adapter.faults.set([{ operation: 'listOntologiesV2', status: 503, times: 1 }])
    expect(await triesOf(list)).toEqual([2, 200])
    mock.adapter.faults.set([{ operation: 'listOntologiesV2', status: 500 }])
    expect(await triesOf(list)).toEqual([1, 500])
  })
})

import { ApiError } from '../errors.ts'
import { fitsType, toDataValue } from '../fixture/data-value.ts'
import { takesNull } from '../fixture/read-data-type.ts'
import type { QueryType } from '../ontology/model.ts'
import { isRecord } from '../values/value.ts'
import { describeQuery } from '../wire/ontology.ts'
import {
  batchOf,
  bodyOf,
  type Call,
  defineOperation,
  type OntologyOperation,
  PAGE_TESTS,
  pickByRid,
} from './define.ts'
import { pageOfTypes, QUERY_PAGES } from './pages.ts'

/** Thrown by a callback to fail with a message that is meant for the user. */
export class QueryUserError extends Error {
  override readonly name = 'QueryUserError'
}

/** What the service answers for a query that failed. */
const queryFailure = (
  { rid, version }: QueryType,
  type: 'runtime' | 'userFacing' | 'timeout',
  message: string,
): ApiError => {
  const parameters = { functionRid: rid, functionVersion: version }
  if (type === 'timeout') return new ApiError('QueryTimeExceededLimit', parameters)
  return type === 'userFacing'
    ? new ApiError('QueryEncounteredUserFacingError', { ...parameters, message })
    : new ApiError('QueryRuntimeError', { ...parameters, message, stacktrace: '', parameters: {} })
}

/** Asks the callback that a query names, if the configuration allows it. */
const askCallback = async (
  { context, ontology }: Call,
  query: QueryType,
  name: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const { callbacks, clock } = context.state
  const callback = Object.hasOwn(callbacks, name) ? callbacks[name] : undefined
  if (callback === undefined) {
    throw queryFailure(
      query,
      'runtime',
      `the callback "${name}" is not among the configuration's \`queries\``,
    )
  }
  try {
    return await callback({
      ontology: ontology.apiName,
      query: query.apiName,
      version: query.version,
      parameters,
      objects: (objectType) =>
        (ontology.objectTypes.get(objectType)?.table.all ?? []).map(({ properties }) =>
          structuredClone(properties),
        ),
      clock: { now: () => clock.now() },
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw queryFailure(query, error instanceof QueryUserError ? 'userFacing' : 'runtime', message)
  }
}

type Parameters = Readonly<Record<string, unknown>>

/** The query of the path, in the version requested or the newest. */
const queryOf = ({ ontology, param, context }: Call): QueryType => {
  const name = param('queryApiName')
  const versions = ontology.queryTypes.get(name)
  if (versions === undefined) throw new ApiError('QueryNotFound', { query: name })
  const version = context.query.get('version')
  const found = version === null ? versions.at(-1) : versions.find((each) => each.version === version)
  if (found === undefined) throw new ApiError('QueryVersionNotFound', { apiName: name, version })
  return found
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const checkParameters = ({ parameters: expected }: QueryType, given: Parameters): void => {
  const unknownParameters = Object.keys(given).filter((id) => !expected.has(id))
  if (unknownParameters.length > 0) {
    throw new ApiError('UnknownParameter', { unknownParameters, expectedParameters: [...expected.keys()] })
  }
  const missing = [...expected]
    .filter(([id, { isRequired }]) => isRequired && isAbsent(given[id]))
    .map(([id]) => id)
  if (missing.length > 0) throw new ApiError('MissingParameter', { parameters: missing })
  for (const [id, { type }] of expected) {
    if (isAbsent(given[id]) || fitsType(given[id], type)) continue
    throw new ApiError('InvalidQueryParameterValue', {
      parameterDataType: type,
      parameterId: id,
      parameterValue: given[id],
    })
  }
}

const isSame = (left: unknown, right: unknown): boolean => {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]))
  }
  if (!isRecord(left) || !isRecord(right)) return left === right || (isAbsent(left) && isAbsent(right))
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    isSame(left[key], right[key]),
  )
}

const byCases = (query: QueryType, given: Parameters): unknown => {
  const { cases = [], otherwise } = query.source.result
  const found = cases.find(({ parameters }) =>
    Object.entries(parameters).every(([id, value]) => isSame(given[id], value)),
  )
  if (found?.error !== undefined) {
    throw queryFailure(query, found.error.type ?? 'runtime', found.error.message ?? 'The query failed.')
  }
  if (found !== undefined) return found.value
  if (otherwise === undefined && !takesNull(query.output)) {
    throw queryFailure(
      query,
      'runtime',
      'no case of the fixture fits these parameters, and there is no `otherwise`',
    )
  }
  return otherwise
}

/** Executes a query: `{ parameters }` in, `{ value }` out. */
const executeQuery = async (call: Call): Promise<{ readonly value: unknown }> => {
  const query = queryOf(call)
  const { parameters = {} } = bodyOf(call.context)
  if (!isRecord(parameters)) throw new ApiError('Conjure:InvalidArgument', {}, '`parameters` is an object')
  checkParameters(query, parameters)
  const { result } = query.source
  const raw =
    result.type === 'callback'
      ? await askCallback(call, query, result.callback ?? '', parameters)
      : result.type === 'cases'
        ? byCases(query, parameters)
        : (result.value ?? result.objects)
  const keyName = (name: string): string | undefined =>
    call.ontology.objectTypes.get(name)?.primaryKey.apiName
  const value = toDataValue(raw, query.output, keyName) ?? null
  const isChecked = result.type === 'callback' && query.source.output !== undefined
  if (isChecked && !fitsType(value, query.output)) {
    throw new ApiError('InvalidQueryOutputValue', {
      outputDataType: query.output,
      outputValue: value,
      functionRid: query.rid,
      functionVersion: query.version,
    })
  }
  return { value }
}

const about = { family: 'QueryType', page: 'ontologies-v2-resources/query-types' } as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'
const CLIENT = 'test/clients/platform.test.ts > '

const newest = ({ ontology }: Call): QueryType[] =>
  [...ontology.queryTypes.values()].flatMap((versions) => versions.at(-1) ?? [])

export const QUERY_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation('listQueryTypesV2', 'GET /{ontology}/queryTypes', {
    ...about,
    supports: ['pageSize', 'pageToken', 'branch'],
    limits: { defaultPageSize: QUERY_PAGES.usual, maxPageSize: QUERY_PAGES.most },
    errors: ['OntologyNotFound', 'InvalidPageSize', 'InvalidPageToken'],
    tests: [`${CLIENT}lists query types in two pages and gets one in any version`, GOLDEN, ...PAGE_TESTS],
    handle: (call) => pageOfTypes(call.context, newest(call), QUERY_PAGES, describeQuery),
  }),
  defineOperation('getQueryTypesByRidBatch', 'POST /{ontology}/queryTypes/getByRidBatch', {
    ...about,
    isPreview: true,
    supports: ['requests', 'preview', 'branch'],
    limits: { maxBatchSize: 100 },
    errors: ['MissingBatchRequest', 'BatchRequestSizeExceededLimit'],
    tests: [GOLDEN],
    handle: (call) => ({ data: pickByRid(newest(call), batchOf(call.context, 'rid')).map(describeQuery) }),
  }),
  defineOperation('getQueryTypeV2', 'GET /{ontology}/queryTypes/{queryApiName}', {
    ...about,
    supports: ['version', 'sdkPackageRid', 'sdkVersion'],
    errors: ['OntologyNotFound', 'QueryNotFound', 'QueryVersionNotFound'],
    tests: [`${CLIENT}lists query types in two pages and gets one in any version`, GOLDEN],
    handle: (call) => describeQuery(queryOf(call)),
  }),
  defineOperation('executeQueryV2', 'POST /{ontology}/queries/{queryApiName}/execute', {
    family: 'Query',
    page: 'ontologies-v2-resources/queries',
    support: 'representative',
    supports: ['parameters', 'version', 'branch', 'attribution', 'traceParent', 'traceState'],
    variants: ['static', 'cases', 'callback'],
    errors: `QueryNotFound QueryVersionNotFound UnknownParameter MissingParameter InvalidQueryParameterValue
      InvalidQueryOutputValue QueryRuntimeError QueryEncounteredUserFacingError QueryTimeExceededLimit
      MissingPostBody`.split(/\s+/),
    tests: [
      `${CLIENT}executes a query`,
      'test/queries.test.ts > answers by a callback that the configuration allows',
      GOLDEN,
    ],
    handle: executeQuery,
  }),
]

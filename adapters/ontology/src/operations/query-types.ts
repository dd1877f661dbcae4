import type { QueryType } from '../ontology/model.ts'
import { QUERY_PAGES } from '../page/page-size.ts'
import { describeQuery } from '../wire/ontology.ts'
import { batchOf, pickByRid } from './by-rid.ts'
import type { Call, OntologyOperation } from './call.ts'
import { defineOperation, PAGE_TESTS } from './define.ts'
import { executeQuery, queryOf } from './execute-query.ts'
import { pageOfTypes } from './pages.ts'

const about = { family: 'QueryType', page: 'ontologies-v2-resources/query-types' } as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'
const CLIENT = 'test/clients/platform.test.ts > '

const newest = ({ ontology }: Call): QueryType[] =>
  [...ontology.queryTypes.values()].flatMap((versions) => versions.at(-1) ?? [])

/** The operations on query types. */
export const QUERY_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation(
    {
      ...about,
      id: 'listQueryTypesV2',
      method: 'GET',
      path: '/{ontology}/queryTypes',
      supports: ['pageSize', 'pageToken', 'branch'],
      limits: { defaultPageSize: QUERY_PAGES.usual, maxPageSize: QUERY_PAGES.most },
      errors: ['OntologyNotFound', 'InvalidPageSize', 'InvalidPageToken'],
      tests: [`${CLIENT}lists query types in two pages and gets one in any version`, GOLDEN, ...PAGE_TESTS],
    },
    (call) => pageOfTypes(call.visit, newest(call), QUERY_PAGES, describeQuery),
  ),
  defineOperation(
    {
      ...about,
      id: 'getQueryTypesByRidBatch',
      method: 'POST',
      path: '/{ontology}/queryTypes/getByRidBatch',
      isPreview: true,
      supports: ['requests', 'preview', 'branch'],
      limits: { maxBatchSize: 100 },
      errors: ['MissingBatchRequest', 'BatchRequestSizeExceededLimit'],
      tests: [GOLDEN],
    },
    (call) => ({ data: pickByRid(newest(call), batchOf(call.visit, 'rid')).map(describeQuery) }),
  ),
  defineOperation(
    {
      ...about,
      id: 'getQueryTypeV2',
      method: 'GET',
      path: '/{ontology}/queryTypes/{queryApiName}',
      supports: ['version', 'sdkPackageRid', 'sdkVersion'],
      errors: ['OntologyNotFound', 'QueryNotFound', 'QueryVersionNotFound'],
      tests: [`${CLIENT}lists query types in two pages and gets one in any version`, GOLDEN],
    },
    (call) => describeQuery(queryOf(call)),
  ),
  defineOperation(
    {
      family: 'Query',
      page: 'ontologies-v2-resources/queries',
      id: 'executeQueryV2',
      method: 'POST',
      path: '/{ontology}/queries/{queryApiName}/execute',
      support: 'representative',
      supports: ['parameters', 'version', 'branch', 'attribution', 'traceParent', 'traceState'],
      variants: ['static', 'cases', 'callback'],
      errors: [
        'QueryNotFound',
        'QueryVersionNotFound',
        'UnknownParameter',
        'MissingParameter',
        'InvalidQueryParameterValue',
        'InvalidQueryOutputValue',
        'QueryRuntimeError',
        'QueryEncounteredUserFacingError',
        'QueryTimeExceededLimit',
        'MissingPostBody',
      ],
      tests: [
        `${CLIENT}executes a query`,
        'test/queries.test.ts > answers by a callback that the configuration allows',
        GOLDEN,
      ],
    },
    executeQuery,
  ),
]

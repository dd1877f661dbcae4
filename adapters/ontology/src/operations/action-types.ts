import { ApiError } from '../errors.ts'
import type { ActionType } from '../ontology/model.ts'
import { describeAction } from '../wire/ontology.ts'
import {
  batchOf,
  type Call,
  defineOperation,
  defineUnsupported,
  listOf,
  type OntologyOperation,
  PAGE_TESTS,
  pickByRid,
  READ,
  WRITE,
} from './define.ts'
import { pageOfTypes, TYPE_PAGES } from './pages.ts'

const about = { family: 'ActionType', page: 'ontologies-v2-resources/action-types' } as const
const actions = { family: 'Action', page: 'ontologies-v2-resources/actions' } as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'
const CLIENT = 'test/clients/platform.test.ts > '

const actionTypeOf = ({ ontology, param }: Call): ActionType => {
  const type = ontology.actionTypes.get(param('actionType'))
  if (type === undefined) throw new ApiError('ActionTypeNotFound', { actionType: param('actionType') })
  return type
}

const byRid = ({ ontology, param }: Call): ActionType => {
  const rid = param('actionTypeRid')
  const [type] = pickByRid(ontology.actionTypes.values(), [rid])
  if (type === undefined) throw new ApiError('ActionTypeNotFound', { rid })
  return type
}

const fullOf = (type: ActionType): Record<string, unknown> => ({
  actionType: describeAction(type),
  // What an action's rules do is not part of a fixture.
  fullLogicRules: [],
})

const touches = ({ source }: ActionType, objectTypes: readonly string[]): boolean =>
  objectTypes.length === 0 ||
  (source.operations ?? []).some((operation) =>
    Object.entries(operation).some(([key, name]) => key !== 'type' && objectTypes.includes(name)),
  )

export const ACTION_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation('listActionTypesV2', 'GET /{ontology}/actionTypes', {
    ...about,
    supports: ['pageSize', 'pageToken', 'branch'],
    limits: { maxPageSize: TYPE_PAGES.most },
    errors: ['OntologyNotFound', 'InvalidPageSize', 'InvalidPageToken'],
    tests: [`${CLIENT}lists action types in two pages and gets one`, GOLDEN, ...PAGE_TESTS],
    handle: ({ context, ontology }) =>
      pageOfTypes(context, [...ontology.actionTypes.values()], TYPE_PAGES, describeAction),
  }),
  defineOperation('getActionTypeByRid', 'GET /{ontology}/actionTypes/byRid/{actionTypeRid}', {
    ...about,
    supports: ['branch'],
    errors: ['OntologyNotFound', 'ActionTypeNotFound'],
    tests: [`${CLIENT}gets object types and action types by their rids`, GOLDEN],
    handle: (call) => describeAction(byRid(call)),
  }),
  defineOperation('getActionTypesByRidBatch', 'POST /{ontology}/actionTypes/getByRidBatch', {
    ...about,
    supports: ['requests', 'branch'],
    limits: { maxBatchSize: 100 },
    errors: ['MissingBatchRequest', 'BatchRequestSizeExceededLimit'],
    tests: [`${CLIENT}gets object types and action types by their rids`, GOLDEN],
    handle: ({ context, ontology }) => ({
      data: pickByRid(ontology.actionTypes.values(), batchOf(context, 'actionTypeRid')).map(describeAction),
    }),
  }),
  defineOperation('getActionTypeV2', 'GET /{ontology}/actionTypes/{actionType}', {
    ...about,
    supports: ['branch'],
    errors: ['OntologyNotFound', 'ActionTypeNotFound'],
    tests: [`${CLIENT}lists action types in two pages and gets one`, GOLDEN],
    handle: (call) => describeAction(actionTypeOf(call)),
  }),
  defineOperation('getActionTypeFullMetadata', 'GET /{ontology}/actionTypes/{actionType}/fullMetadata', {
    ...about,
    support: 'representative',
    supports: ['branch'],
    errors: ['OntologyNotFound', 'ActionTypeNotFound'],
    tests: [`${CLIENT}gets the full metadata of action types`, GOLDEN],
    handle: (call) => fullOf(actionTypeOf(call)),
  }),
  defineOperation('listActionTypesFullMetadata', 'GET /{ontology}/actionTypesFullMetadata', {
    ...about,
    support: 'representative',
    supports: ['objectTypeApiNames', 'pageSize', 'pageToken', 'branch'],
    limits: { maxPageSize: TYPE_PAGES.most },
    errors: ['OntologyNotFound', 'InvalidPageSize', 'InvalidPageToken'],
    tests: [`${CLIENT}gets the full metadata of action types`, GOLDEN],
    handle: ({ context, ontology }) => {
      const wanted = listOf(context, 'objectTypeApiNames')
      const types = [...ontology.actionTypes.values()].filter((type) => touches(type, wanted))
      return pageOfTypes(context, types, TYPE_PAGES, fullOf)
    },
  }),
  ...(['apply', 'applyBatch', 'applyAsync', 'applyWithOverrides'] as const).map((name) =>
    defineUnsupported(`${name}ActionV2`, `POST /{ontology}/actions/{action}/${name}`, {
      ...actions,
      scopes: [READ, WRITE],
    }),
  ),
]

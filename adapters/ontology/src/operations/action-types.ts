import { ApiError } from '../errors.ts'
import type { ActionType } from '../ontology/model.ts'
import { TYPE_PAGES } from '../page/page-size.ts'
import { describeAction } from '../wire/ontology.ts'
import { batchOf, pickByRid } from './by-rid.ts'
import { type Call, listOf, type OntologyOperation } from './call.ts'
import { defineOperation, defineUnsupported, PAGE_TESTS, READ, WRITE } from './define.ts'
import { pageOfTypes } from './pages.ts'

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

/** The operations on action types. Actions themselves are not applied. */
export const ACTION_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation(
    {
      ...about,
      id: 'listActionTypesV2',
      method: 'GET',
      path: '/{ontology}/actionTypes',
      supports: ['pageSize', 'pageToken', 'branch'],
      limits: { maxPageSize: TYPE_PAGES.most },
      errors: ['OntologyNotFound', 'InvalidPageSize', 'InvalidPageToken'],
      tests: [`${CLIENT}lists action types in two pages and gets one`, GOLDEN, ...PAGE_TESTS],
    },
    ({ visit, ontology }) =>
      pageOfTypes(visit, [...ontology.actionTypes.values()], TYPE_PAGES, describeAction),
  ),
  defineOperation(
    {
      ...about,
      id: 'getActionTypeByRid',
      method: 'GET',
      path: '/{ontology}/actionTypes/byRid/{actionTypeRid}',
      supports: ['branch'],
      errors: ['OntologyNotFound', 'ActionTypeNotFound'],
      tests: [`${CLIENT}gets object types and action types by their rids`, GOLDEN],
    },
    (call) => describeAction(byRid(call)),
  ),
  defineOperation(
    {
      ...about,
      id: 'getActionTypesByRidBatch',
      method: 'POST',
      path: '/{ontology}/actionTypes/getByRidBatch',
      supports: ['requests', 'branch'],
      limits: { maxBatchSize: 100 },
      errors: ['MissingBatchRequest', 'BatchRequestSizeExceededLimit'],
      tests: [`${CLIENT}gets object types and action types by their rids`, GOLDEN],
    },
    ({ visit, ontology }) => ({
      data: pickByRid(ontology.actionTypes.values(), batchOf(visit, 'actionTypeRid')).map(describeAction),
    }),
  ),
  defineOperation(
    {
      ...about,
      id: 'getActionTypeV2',
      method: 'GET',
      path: '/{ontology}/actionTypes/{actionType}',
      supports: ['branch'],
      errors: ['OntologyNotFound', 'ActionTypeNotFound'],
      tests: [`${CLIENT}lists action types in two pages and gets one`, GOLDEN],
    },
    (call) => describeAction(actionTypeOf(call)),
  ),
  defineOperation(
    {
      ...about,
      id: 'getActionTypeFullMetadata',
      method: 'GET',
      path: '/{ontology}/actionTypes/{actionType}/fullMetadata',
      support: 'representative',
      supports: ['branch'],
      errors: ['OntologyNotFound', 'ActionTypeNotFound'],
      tests: [`${CLIENT}gets the full metadata of action types`, GOLDEN],
    },
    (call) => fullOf(actionTypeOf(call)),
  ),
  defineOperation(
    {
      ...about,
      id: 'listActionTypesFullMetadata',
      method: 'GET',
      path: '/{ontology}/actionTypesFullMetadata',
      support: 'representative',
      supports: ['objectTypeApiNames', 'pageSize', 'pageToken', 'branch'],
      limits: { maxPageSize: TYPE_PAGES.most },
      errors: ['OntologyNotFound', 'InvalidPageSize', 'InvalidPageToken'],
      tests: [`${CLIENT}gets the full metadata of action types`, GOLDEN],
    },
    ({ visit, ontology }) => {
      const wanted = listOf(visit, 'objectTypeApiNames')
      const types = [...ontology.actionTypes.values()].filter((type) => touches(type, wanted))
      return pageOfTypes(visit, types, TYPE_PAGES, fullOf)
    },
  ),
  ...(['apply', 'applyBatch', 'applyAsync', 'applyWithOverrides'] as const).map((name) =>
    defineUnsupported({
      ...actions,
      id: `${name}ActionV2`,
      method: 'POST',
      path: `/{ontology}/actions/{action}/${name}`,
      scopes: [READ, WRITE],
    }),
  ),
]

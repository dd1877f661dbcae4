import { ApiError } from '../errors.ts'
import type { LinkSide, ObjectType } from '../ontology/model.ts'
import { TYPE_PAGES } from '../page/page-size.ts'
import { describeFully, describeLinkSide, describeObjectType } from '../wire/object-types.ts'
import { batchOf, pickByRid } from './by-rid.ts'
import type { Call, OntologyOperation } from './call.ts'
import { defineOperation, defineUnsupported, PAGE_TESTS } from './define.ts'
import { pageOfTypes } from './pages.ts'

const about = { family: 'ObjectType', page: 'ontologies-v2-resources/object-types' } as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'
const METADATA = 'test/clients/metadata.test.ts > '
const CLIENT = 'test/clients/platform.test.ts > '

/** The object type of the path, by its API name; rids are answered too, as the service does. */
export const objectTypeOf = ({ ontology, param }: Call): ObjectType => {
  const name = param('objectType')
  const found =
    ontology.objectTypes.get(name) ?? [...ontology.objectTypes.values()].find(({ rid }) => rid === name)
  if (found !== undefined) return found
  throw new ApiError(
    'ObjectTypeNotFound',
    name.startsWith('ri.') ? { objectTypeRid: name } : { objectType: name },
  )
}

/** The link of the path, as its type sees it. */
export const linkOf = ({ param }: Call, type: ObjectType): LinkSide => {
  const side = type.links.get(param('linkType'))
  if (side === undefined) {
    throw new ApiError('LinkTypeNotFound', { objectType: type.apiName, linkType: param('linkType') })
  }
  return side
}

/** The operations on object types and their links. */
export const OBJECT_TYPE_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation(
    {
      ...about,
      id: 'listObjectTypesV2',
      method: 'GET',
      path: '/{ontology}/objectTypes',
      supports: ['pageSize', 'pageToken', 'branch'],
      limits: { maxPageSize: TYPE_PAGES.most },
      errors: ['OntologyNotFound', 'InvalidPageSize', 'InvalidPageToken'],
      tests: [`${CLIENT}lists the object types in two pages`, GOLDEN, ...PAGE_TESTS],
    },
    ({ visit, ontology, describing }) =>
      pageOfTypes(visit, [...ontology.objectTypes.values()], TYPE_PAGES, (type) =>
        describeObjectType(type, describing),
      ),
  ),
  defineOperation(
    {
      ...about,
      id: 'getObjectTypesByRidBatch',
      method: 'POST',
      path: '/{ontology}/objectTypes/getByRidBatch',
      supports: ['requests', 'branch'],
      limits: { maxBatchSize: 100 },
      errors: ['MissingBatchRequest', 'BatchRequestSizeExceededLimit'],
      tests: [`${CLIENT}gets object types and action types by their rids`, GOLDEN],
    },
    ({ visit, ontology, describing }) => ({
      data: pickByRid(ontology.objectTypes.values(), batchOf(visit, 'objectTypeRid')).map((type) =>
        describeObjectType(type, describing),
      ),
    }),
  ),
  defineOperation(
    {
      ...about,
      id: 'getObjectTypeV2',
      method: 'GET',
      path: '/{ontology}/objectTypes/{objectType}',
      supports: ['branch'],
      errors: ['OntologyNotFound', 'ObjectTypeNotFound'],
      tests: [`${CLIENT}gets an object type`, GOLDEN],
    },
    (call) => describeObjectType(objectTypeOf(call), call.describing),
  ),
  defineOperation(
    {
      ...about,
      id: 'getObjectTypeFullMetadata',
      method: 'GET',
      path: '/{ontology}/objectTypes/{objectType}/fullMetadata',
      isPreview: true,
      supports: ['preview', 'branch', 'sdkPackageRid', 'sdkVersion'],
      errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'ApiFeaturePreviewUsageOnly'],
      tests: [
        `${CLIENT}gets the full metadata of an object type`,
        `${METADATA}of object types with keys and properties of every type`,
        GOLDEN,
      ],
    },
    (call) => describeFully(objectTypeOf(call), call.describing),
  ),
  defineOperation(
    {
      ...about,
      id: 'listOutgoingLinkTypesV2',
      method: 'GET',
      path: '/{ontology}/objectTypes/{objectType}/outgoingLinkTypes',
      supports: ['pageSize', 'pageToken', 'branch'],
      limits: { maxPageSize: TYPE_PAGES.most },
      errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'InvalidPageSize', 'InvalidPageToken'],
      tests: [`${CLIENT}lists and gets the links of an object type`, GOLDEN],
    },
    (call) => pageOfTypes(call.visit, [...objectTypeOf(call).links.values()], TYPE_PAGES, describeLinkSide),
  ),
  defineOperation(
    {
      ...about,
      id: 'getOutgoingLinkTypeV2',
      method: 'GET',
      path: '/{ontology}/objectTypes/{objectType}/outgoingLinkTypes/{linkType}',
      supports: ['branch'],
      errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'LinkTypeNotFound'],
      tests: [`${CLIENT}lists and gets the links of an object type`, GOLDEN],
    },
    (call) => describeLinkSide(linkOf(call, objectTypeOf(call))),
  ),
  defineUnsupported({
    family: 'ObjectType',
    page: 'ontologies-v2-resources/object-types',
    id: 'getObjectTypeEditsHistory',
    method: 'POST',
    path: '/{ontology}/objectTypes/{objectType}/editsHistory',
  }),
]

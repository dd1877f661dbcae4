import { ApiError } from '../errors.ts'
import type { LinkSide, ObjectType } from '../ontology/model.ts'
import { describeFully, describeLinkSide, describeObjectType } from '../wire/object-types.ts'
import {
  batchOf,
  type Call,
  defineOperation,
  defineUnsupported,
  type OntologyOperation,
  PAGE_TESTS,
  pickByRid,
} from './define.ts'
import { pageOfTypes, TYPE_PAGES } from './pages.ts'

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

export const OBJECT_TYPE_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation('listObjectTypesV2', 'GET /{ontology}/objectTypes', {
    ...about,
    supports: ['pageSize', 'pageToken', 'branch'],
    limits: { maxPageSize: TYPE_PAGES.most },
    errors: ['OntologyNotFound', 'InvalidPageSize', 'InvalidPageToken'],
    tests: [`${CLIENT}lists the object types in two pages`, GOLDEN, ...PAGE_TESTS],
    handle: ({ context, ontology, describing }) =>
      pageOfTypes(context, [...ontology.objectTypes.values()], TYPE_PAGES, (type) =>
        describeObjectType(type, describing),
      ),
  }),
  defineOperation('getObjectTypesByRidBatch', 'POST /{ontology}/objectTypes/getByRidBatch', {
    ...about,
    supports: ['requests', 'branch'],
    limits: { maxBatchSize: 100 },
    errors: ['MissingBatchRequest', 'BatchRequestSizeExceededLimit'],
    tests: [`${CLIENT}gets object types and action types by their rids`, GOLDEN],
    handle: ({ context, ontology, describing }) => ({
      data: pickByRid(ontology.objectTypes.values(), batchOf(context, 'objectTypeRid')).map((type) =>
        describeObjectType(type, describing),
      ),
    }),
  }),
  defineOperation('getObjectTypeV2', 'GET /{ontology}/objectTypes/{objectType}', {
    ...about,
    supports: ['branch'],
    errors: ['OntologyNotFound', 'ObjectTypeNotFound'],
    tests: [`${CLIENT}gets an object type`, GOLDEN],
    handle: (call) => describeObjectType(objectTypeOf(call), call.describing),
  }),
  defineOperation('getObjectTypeFullMetadata', 'GET /{ontology}/objectTypes/{objectType}/fullMetadata', {
    ...about,
    isPreview: true,
    supports: ['preview', 'branch', 'sdkPackageRid', 'sdkVersion'],
    errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'ApiFeaturePreviewUsageOnly'],
    tests: [
      `${CLIENT}gets the full metadata of an object type`,
      `${METADATA}of object types with keys and properties of every type`,
      GOLDEN,
    ],
    handle: (call) => describeFully(objectTypeOf(call), call.describing),
  }),
  defineOperation('listOutgoingLinkTypesV2', 'GET /{ontology}/objectTypes/{objectType}/outgoingLinkTypes', {
    ...about,
    supports: ['pageSize', 'pageToken', 'branch'],
    limits: { maxPageSize: TYPE_PAGES.most },
    errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'InvalidPageSize', 'InvalidPageToken'],
    tests: [`${CLIENT}lists and gets the links of an object type`, GOLDEN],
    handle: (call) =>
      pageOfTypes(call.context, [...objectTypeOf(call).links.values()], TYPE_PAGES, describeLinkSide),
  }),
  defineOperation(
    'getOutgoingLinkTypeV2',
    'GET /{ontology}/objectTypes/{objectType}/outgoingLinkTypes/{linkType}',
    {
      ...about,
      supports: ['branch'],
      errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'LinkTypeNotFound'],
      tests: [`${CLIENT}lists and gets the links of an object type`, GOLDEN],
      handle: (call) => describeLinkSide(linkOf(call, objectTypeOf(call))),
    },
  ),
  defineUnsupported('getObjectTypeEditsHistory', 'POST /{ontology}/objectTypes/{objectType}/editsHistory', {
    family: 'ObjectType',
    page: 'ontologies-v2-resources/object-types',
  }),
]

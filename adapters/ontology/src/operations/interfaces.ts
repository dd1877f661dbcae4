import { aggregate } from '../aggregate/aggregate.ts'
import { ApiError } from '../errors.ts'
import { evaluateSet } from '../object-set/evaluate.ts'
import type { ObjectSet, SetContext } from '../object-set/object-set.ts'
import { filterSet, findInterfaceType, interfaceSet } from '../object-set/sources.ts'
import type { InterfaceType } from '../ontology/model.ts'
import { scopeOf } from '../ontology/scope.ts'
import { entryOf } from '../values/value.ts'
import { describeInterface, describeInterfaceLinks } from '../wire/ontology.ts'
import { bodyOf, type Call, defineOperation, type OntologyOperation } from './define.ts'
import { loadByBody, loadByQuery, withCount } from './load.ts'
import { objectTypeOf } from './object-types.ts'
import { objectOf } from './objects.ts'
import { OBJECT_PAGES, pageOfTypes, TYPE_PAGES } from './pages.ts'

const about = { family: 'OntologyInterface', page: 'ontologies-v2-resources/ontology-interfaces' } as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'
const CLIENT = 'test/clients/object-sets.test.ts > '
const AS_INTERFACE = { prefix: '__', asInterface: true } as const
const LISTED = ['pageSize', 'pageToken', 'select', 'orderBy', 'excludeRid', 'snapshot', 'preview', 'branch']
const LIMITS = { defaultPageSize: OBJECT_PAGES.usual, maxPageSize: OBJECT_PAGES.most }
const ERRORS = [
  'OntologyNotFound',
  'InterfaceTypeNotFound',
  'PropertiesNotFound',
  'InvalidPageSize',
  'InvalidPageToken',
]

const interfaceOf = ({ ontology, param }: Call): InterfaceType => {
  const name = param('interfaceType')
  const byRid = [...ontology.interfaceTypes.values()].find(({ rid }) => rid === name)
  return byRid ?? findInterfaceType(ontology, name)
}

const narrowed = (type: InterfaceType, where: unknown, setContext: SetContext): ObjectSet => {
  const set = interfaceSet(type, setContext.moment, false)
  return where === undefined || where === null ? set : filterSet(set, where, setContext)
}

const linkOf = (call: Call): Record<string, unknown> => {
  const type = interfaceOf(call)
  const name = call.param('interfaceLinkType')
  const link = entryOf(describeInterfaceLinks(type, call.describing, true), name)
  if (link === undefined) {
    throw new ApiError('InterfaceLinkTypeNotFound', { interfaceType: type.apiName, interfaceLinkType: name })
  }
  return link
}

const listLinked = (call: Call): Record<string, unknown> => {
  const type = interfaceOf(call)
  const objectType = objectTypeOf(call)
  const object = objectOf(call, objectType)
  const from: ObjectSet = {
    scope: { ...scopeOf(objectType), interfaceType: type, isWhole: false },
    objects: [object],
    revision: 0,
  }
  const definition = {
    type: 'interfaceLinkSearchAround',
    interfaceLink: call.param('interfaceLinkType'),
    objectSet: { type: 'methodInput' },
  }
  const { data, nextPageToken } = loadByQuery(
    call,
    (setContext) => evaluateSet(definition, { ...setContext, methodInput: from }),
    AS_INTERFACE,
  )
  return { data, ...(nextPageToken !== undefined && { nextPageToken }) }
}

export const INTERFACE_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation('listInterfaceTypes', 'GET /{ontology}/interfaceTypes', {
    ...about,
    isPreview: true,
    supports: ['pageSize', 'pageToken', 'preview', 'branch'],
    limits: { maxPageSize: TYPE_PAGES.most },
    errors: ERRORS,
    tests: [`${CLIENT}lists and gets interface types and their links`, GOLDEN],
    handle: ({ context, ontology, describing }) =>
      pageOfTypes(context, [...ontology.interfaceTypes.values()], TYPE_PAGES, (type) =>
        describeInterface(type, describing),
      ),
  }),
  defineOperation('getInterfaceType', 'GET /{ontology}/interfaceTypes/{interfaceType}', {
    ...about,
    isPreview: true,
    supports: ['preview', 'branch'],
    errors: ERRORS,
    tests: [`${CLIENT}lists and gets interface types and their links`, GOLDEN],
    handle: (call) => describeInterface(interfaceOf(call), call.describing),
  }),
  defineOperation(
    'listOutgoingInterfaceLinkTypes',
    'GET /{ontology}/interfaceTypes/{interfaceType}/outgoingLinkTypes',
    {
      ...about,
      supports: ['branch'],
      errors: ERRORS,
      tests: [`${CLIENT}lists and gets interface types and their links`, GOLDEN],
      handle: (call) => ({
        data: Object.values(describeInterfaceLinks(interfaceOf(call), call.describing, true)),
      }),
    },
  ),
  defineOperation(
    'getOutgoingInterfaceLinkType',
    'GET /{ontology}/interfaceTypes/{interfaceType}/outgoingLinkTypes/{interfaceLinkType}',
    {
      ...about,
      supports: ['branch'],
      errors: [...ERRORS, 'InterfaceLinkTypeNotFound'],
      tests: [`${CLIENT}lists and gets interface types and their links`, GOLDEN],
      handle: linkOf,
    },
  ),
  defineOperation('listObjectsForInterface', 'GET /{ontology}/interfaces/{interfaceType}', {
    ...about,
    isPreview: true,
    supports: LISTED,
    limits: LIMITS,
    errors: ERRORS,
    tests: [`${CLIENT}lists, searches and aggregates the objects of an interface`, GOLDEN],
    handle: (call) => {
      const type = interfaceOf(call)
      return withCount(loadByQuery(call, ({ moment }) => interfaceSet(type, moment, false), AS_INTERFACE))
    },
  }),
  defineOperation('searchObjectsForInterface', 'POST /{ontology}/interfaces/{interfaceType}/search', {
    ...about,
    isPreview: true,
    support: 'representative',
    supports: `where orderBy pageSize pageToken selectedInterfacePropertyTypes selectedSharedPropertyTypes
      selectedObjectTypes preview`.split(/\s+/),
    limits: LIMITS,
    errors: [...ERRORS, 'MissingPostBody'],
    tests: [`${CLIENT}lists, searches and aggregates the objects of an interface`, GOLDEN],
    handle: (call) => {
      const type = interfaceOf(call)
      const body = bodyOf(call.context)
      const chosen = (key: string): unknown[] => (Array.isArray(body[key]) ? body[key] : [])
      const types = chosen('selectedObjectTypes')
      const select = [...chosen('selectedInterfacePropertyTypes'), ...chosen('selectedSharedPropertyTypes')]
      return withCount(
        loadByBody(
          call,
          { ...body, select, selectV2: [] },
          (setContext) => {
            const set = narrowed(type, body['where'], setContext)
            const objects = set.objects.filter(
              (object) => types.length === 0 || types.includes(object.type.apiName),
            )
            return { ...set, objects }
          },
          AS_INTERFACE,
        ),
      )
    },
  }),
  defineOperation('aggregateObjectsForInterface', 'POST /{ontology}/interfaces/{interfaceType}/aggregate', {
    ...about,
    isPreview: true,
    supports: ['aggregation', 'groupBy', 'where', 'accuracy', 'preview'],
    errors: [...ERRORS, 'MissingPostBody'],
    tests: [`${CLIENT}lists, searches and aggregates the objects of an interface`, GOLDEN],
    handle: (call) => {
      const body = bodyOf(call.context)
      return aggregate(narrowed(interfaceOf(call), body['where'], call.setContext()), body)
    },
  }),
  defineOperation(
    'listInterfaceLinkedObjects',
    'GET /{ontology}/interfaces/{interfaceType}/{objectType}/{primaryKey}/links/{interfaceLinkType}',
    {
      ...about,
      isPreview: true,
      supports: LISTED,
      limits: LIMITS,
      errors: [...ERRORS, 'ObjectTypeNotFound', 'ObjectNotFound', 'InterfaceLinkTypeNotFound'],
      tests: [`${CLIENT}lists the objects behind an interface link`, GOLDEN],
      handle: listLinked,
    },
  ),
]

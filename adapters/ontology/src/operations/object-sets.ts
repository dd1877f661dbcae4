import { aggregate } from '../aggregate/aggregate.ts'
import { ApiError, invalidArgument } from '../errors.ts'
import { evaluateSet, SET_NAMES } from '../object-set/evaluate.ts'
import type { ObjectSet } from '../object-set/object-set.ts'
import { scopeOf } from '../ontology/scope.ts'
import { textsOf } from '../values/value.ts'
import { createObjectWriter } from '../wire/object-writer.ts'
import {
  bodyOf,
  type Call,
  defineOperation,
  type OntologyOperation,
  PAGE_TESTS,
  READ,
  WRITE,
} from './define.ts'
import { loadByBody, withCount } from './load.ts'
import { bodyParameters, OBJECT_PAGES, openPage } from './pages.ts'

const about = { family: 'OntologyObjectSet', page: 'ontologies-v2-resources/ontology-object-sets' } as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'
const CLIENT = 'test/clients/object-sets.test.ts > '
const OSDK = 'test/clients/osdk.test.ts > '
const LOADED = 'objectSet select selectV2 orderBy pageSize pageToken excludeRid snapshot'.split(' ')
const HOUR_MS = 3_600_000
const LINKED_PAGES = { usual: 1000, most: 1000 }
const LIMITS = { defaultPageSize: OBJECT_PAGES.usual, maxPageSize: OBJECT_PAGES.most }
const ERRORS = `OntologyNotFound ObjectTypeNotFound InterfaceTypeNotFound LinkTypeNotFound ObjectSetNotFound
  PropertiesNotFound UnsupportedObjectSet IncompatibleNestedObjectSet InvalidPageSize InvalidPageToken
  ConsistentSnapshotError MissingPostBody`.split(/\s+/)

/** How the types of a set implement the interface it is seen as. */
const mappingsOf = ({ scope }: ObjectSet): Record<string, unknown> => {
  const { interfaceType, types } = scope
  if (interfaceType === undefined)
    return { interfaceToObjectTypeMappings: {}, interfaceToObjectTypeMappingsV2: {} }
  const mapped = (describe: (apiName: string) => unknown): Record<string, unknown> => ({
    [interfaceType.apiName]: Object.fromEntries(
      types.map((type) => [
        type.apiName,
        Object.fromEntries(
          [...(type.implemented.get(interfaceType.apiName)?.properties ?? [])].map(([key, own]) => [
            key,
            describe(own.apiName),
          ]),
        ),
      ]),
    ),
  })
  return {
    interfaceToObjectTypeMappings: mapped((apiName) => apiName),
    interfaceToObjectTypeMappingsV2: mapped((propertyApiName) => ({
      type: 'localPropertyImplementation',
      propertyApiName,
    })),
  }
}

const createTemporary = ({ context, ontology, setContext, describing }: Call): Record<string, unknown> => {
  const { objectSet } = bodyOf(context)
  evaluateSet(objectSet, setContext())
  const { sets } = context.state.journal
  const objectSetRid = describing.rids('objectSet', ontology.apiName, sets.length)
  sets.push([
    objectSetRid,
    { ontology: ontology.apiName, objectSet, expiresAt: context.clock.now() + HOUR_MS },
  ])
  return { objectSetRid }
}

const getStored = ({ param, setContext }: Call): unknown => {
  const rid = param('objectSetRid')
  const definition = setContext().stored(rid)
  if (definition === undefined) throw new ApiError('ObjectSetNotFound', { objectSetRid: rid })
  return definition
}

const loadLinks = (call: Call): Record<string, unknown> => {
  const { context, ontology } = call
  const body = bodyOf(context)
  const { links } = body
  if (!Array.isArray(links) || links.length === 0) throw invalidArgument('`links` names at least one link')
  const open = openPage(call, {
    token: body['pageToken'],
    pageSize: undefined,
    isSnapshot: false,
    parameters: bodyParameters(context, body),
    limits: LINKED_PAGES,
  })
  const setContext = call.setContext(open.moment)
  const set = evaluateSet(body['objectSet'], setContext)
  const unknown = textsOf(links).find((link) => set.scope.types.every((type) => !type.links.has(link)))
  if (unknown !== undefined && set.scope.types.length > 0) {
    throw new ApiError('LinkTypeNotFound', { objectType: set.scope.types[0]?.apiName, linkType: unknown })
  }
  const { objects, nextPageToken } = open.close(set, [])
  const locate = createObjectWriter(
    scopeOf(...ontology.objectTypes.values()),
    { select: [], excludeRid: false, prefix: '__', asInterface: false },
    setContext.rids,
  )
  const data = objects.map((object) => ({
    sourceObject: locate(object),
    linkedObjects: textsOf(links).flatMap((linkType) => {
      const side = ontology.objectTypes.get(object.type.apiName)?.links.get(linkType)
      return (side?.neighbours(object, open.moment) ?? []).map((target) => ({
        targetObject: locate(target),
        linkType,
      }))
    }),
  }))
  return { data, ...(nextPageToken !== undefined && { nextPageToken }) }
}

export const OBJECT_SET_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation('loadObjectSetV2', 'POST /{ontology}/objectSets/loadObjects', {
    ...about,
    support: 'representative',
    variants: SET_NAMES,
    supports: LOADED,
    limits: LIMITS,
    errors: ERRORS,
    tests: [`${OSDK}fetches pages`, `${OSDK}iterates over all objects`, GOLDEN, ...PAGE_TESTS],
    handle: (call) => ({ ...withCount(loadByBody(call, bodyOf(call.context))), propertySecurities: [] }),
  }),
  defineOperation(
    'loadObjectSetV2MultipleObjectTypes',
    'POST /{ontology}/objectSets/loadObjectsMultipleObjectTypes',
    {
      ...about,
      isPreview: true,
      support: 'representative',
      variants: SET_NAMES,
      supports: ['preview', ...LOADED],
      limits: LIMITS,
      errors: ERRORS,
      tests: [`${OSDK}fetches the objects of an interface`, GOLDEN],
      handle: (call) => {
        const style = { prefix: '$', asInterface: false } as const
        const loaded = loadByBody(call, bodyOf(call.context), undefined, style)
        return { ...withCount(loaded), ...mappingsOf(loaded.set), propertySecurities: [] }
      },
    },
  ),
  defineOperation(
    'loadObjectSetV2ObjectsOrInterfaces',
    'POST /{ontology}/objectSets/loadObjectsOrInterfaces',
    {
      ...about,
      isPreview: true,
      support: 'representative',
      variants: SET_NAMES,
      supports: ['preview', ...LOADED],
      limits: LIMITS,
      errors: ERRORS,
      tests: [`${CLIENT}loads objects as their interface`, GOLDEN],
      handle: (call) =>
        withCount(loadByBody(call, bodyOf(call.context), undefined, { prefix: '$', asInterface: true })),
    },
  ),
  defineOperation('aggregateObjectSetV2', 'POST /{ontology}/objectSets/aggregate', {
    ...about,
    support: 'representative',
    variants: SET_NAMES,
    supports: ['objectSet', 'aggregation', 'groupBy', 'accuracy'],
    limits: { maxGroups: 10_000 },
    errors: [...ERRORS, 'InvalidPropertyType', 'InvalidAggregationOrdering', 'InvalidDurationGroupByValue'],
    tests: [`${OSDK}aggregates`, GOLDEN],
    handle: (call) => {
      const body = bodyOf(call.context)
      return aggregate(evaluateSet(body['objectSet'], call.setContext()), body)
    },
  }),
  defineOperation('createTemporaryObjectSetV2', 'POST /{ontology}/objectSets/createTemporary', {
    ...about,
    supports: ['objectSet'],
    limits: { lifeSeconds: HOUR_MS / 1000 },
    errors: ERRORS,
    scopes: [READ, WRITE],
    sideEffects: ['keeps the definition for an hour of the virtual clock'],
    tests: [`${CLIENT}keeps an object set for an hour`, GOLDEN],
    handle: createTemporary,
  }),
  defineOperation('loadObjectSetLinksV2', 'POST /{ontology}/objectSets/loadLinks', {
    ...about,
    isPreview: true,
    supports: ['preview', 'objectSet', 'links', 'pageToken'],
    limits: { maxPageSize: LINKED_PAGES.most },
    errors: ERRORS,
    tests: [`${CLIENT}loads links in bulk`, GOLDEN],
    handle: loadLinks,
  }),
  defineOperation('getObjectSetV2', 'GET /{ontology}/objectSets/{objectSetRid}', {
    ...about,
    errors: ['OntologyNotFound', 'ObjectSetNotFound'],
    scopes: [],
    tests: [`${CLIENT}keeps an object set for an hour`, GOLDEN],
    handle: getStored,
  }),
]

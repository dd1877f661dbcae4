import { aggregate } from '../aggregate/aggregate.ts'
import { ApiError } from '../errors.ts'
import { FILTER_NAMES } from '../filter/compile.ts'
import { keyOf } from '../fixture/check-object-types.ts'
import type { KeyValue } from '../fixture/fixture.ts'
import type { ObjectSet } from '../object-set/object-set.ts'
import { baseSet, filterSet } from '../object-set/sources.ts'
import type { LinkSide, ObjectType, OntologyObject } from '../ontology/model.ts'
import { scopeOf } from '../ontology/scope.ts'
import { kindOf } from '../values/kinds.ts'
import { createObjectWriter, selectionOf } from '../wire/object-writer.ts'
import {
  bodyOf,
  type Call,
  defineOperation,
  flagOf,
  listOf,
  type OntologyOperation,
  PAGE_TESTS,
} from './define.ts'
import { loadByBody, loadByQuery, withCount } from './load.ts'
import { linkOf, objectTypeOf } from './object-types.ts'
import { OBJECT_PAGES } from './pages.ts'

const about = { family: 'OntologyObject', page: 'ontologies-v2-resources/ontology-objects' } as const
const linked = { family: 'LinkedObject', page: 'ontologies-v2-resources/linked-objects' } as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'
const CLIENT = 'test/clients/platform.test.ts > '
const LISTED = ['pageSize', 'pageToken', 'select', 'orderBy', 'excludeRid', 'snapshot', 'branch']
const LISTING_ERRORS =
  `OntologyNotFound ObjectTypeNotFound PropertiesNotFound InvalidPageSize InvalidPageToken
  ConsistentSnapshotError InvalidSortType InvalidSortOrder DuplicateOrderBy InvalidFields
  PropertiesNotSortable`.split(/\s+/)
const FILTER_ERRORS = [
  'PropertyTypesSearchNotSupported',
  'InvalidPropertyValue',
  'InvalidAndFilter',
  'InvalidOrFilter',
  'Default:InvalidArgument',
]

/** A key as a path has it, in the key property's type; undefined where the text is none. */
const keyFromPath = ({ type }: ObjectType['primaryKey'], text: string): KeyValue | undefined => {
  const value = kindOf(type).parse?.(text)
  return value === undefined ? undefined : keyOf(value, type)
}

const lookUp = (type: ObjectType, text: string): OntologyObject | undefined => {
  const key = keyFromPath(type.primaryKey, text)
  return key === undefined ? undefined : type.table.get(key)
}

const shownKey = ({ primaryKey }: ObjectType, text: string): Record<string, unknown> => ({
  [primaryKey.apiName]: keyFromPath(primaryKey, text) ?? text,
})

/** The object of the path. */
export const objectOf = ({ param }: Call, type: ObjectType): OntologyObject => {
  const text = param('primaryKey')
  const object = lookUp(type, text)
  if (object === undefined) {
    throw new ApiError('ObjectNotFound', { objectType: type.apiName, primaryKey: shownKey(type, text) })
  }
  return object
}

const writeOne = (call: Call, type: ObjectType, object: OntologyObject): Record<string, unknown> => {
  const { context } = call
  const scope = scopeOf(type)
  const select = selectionOf([...listOf(context, 'select'), ...listOf(context, 'properties')], scope)
  const excludeRid = flagOf(context, 'excludeRid')
  return createObjectWriter(
    scope,
    { select, excludeRid, prefix: '__', asInterface: false },
    call.setContext().rids,
  )(object)
}

/** The objects linked to one, as a set. */
const linkedSet = (side: LinkSide, object: OntologyObject, moment: number): ObjectSet => ({
  scope: scopeOf(side.target),
  objects: side.neighbours(object, moment),
  revision: Math.max(side.revision(), side.target.table.revision),
})

const findLinked = (call: Call): Record<string, unknown> => {
  const type = objectTypeOf(call)
  const object = objectOf(call, type)
  const side = linkOf(call, type)
  const text = call.param('linkedObjectPrimaryKey')
  const found = lookUp(side.target, text)
  if (found === undefined || !side.neighbours(object, call.ontology.moment).includes(found)) {
    throw new ApiError('LinkedObjectNotFound', {
      linkType: side.apiName,
      linkedObjectType: side.target.apiName,
      linkedObjectPrimaryKey: shownKey(side.target, text),
    })
  }
  return writeOne(call, side.target, found)
}

export const OBJECT_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation('listObjectsV2', 'GET /{ontology}/objects/{objectType}', {
    ...about,
    supports: LISTED,
    limits: { defaultPageSize: OBJECT_PAGES.usual, maxPageSize: OBJECT_PAGES.most },
    errors: LISTING_ERRORS,
    tests: [`${CLIENT}lists objects in two pages, selected and ordered`, GOLDEN, ...PAGE_TESTS],
    handle: (call) => {
      const type = objectTypeOf(call)
      return withCount(loadByQuery(call, ({ moment }) => baseSet(type, moment)))
    },
  }),
  defineOperation('getObjectV2', 'GET /{ontology}/objects/{objectType}/{primaryKey}', {
    ...about,
    supports: ['select', 'excludeRid', 'branch'],
    errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'ObjectNotFound', 'PropertiesNotFound'],
    tests: [`${CLIENT}gets an object by a key of any type`, GOLDEN],
    handle: (call) => {
      const type = objectTypeOf(call)
      return writeOne(call, type, objectOf(call, type))
    },
  }),
  defineOperation('countObjects', 'POST /{ontology}/objects/{objectType}/count', {
    ...about,
    supports: ['branch'],
    errors: ['OntologyNotFound', 'ObjectTypeNotFound'],
    tests: [`${CLIENT}counts objects`, GOLDEN],
    handle: (call) => ({ count: objectTypeOf(call).table.all.length }),
  }),
  defineOperation('searchObjectsV2', 'POST /{ontology}/objects/{objectType}/search', {
    ...about,
    support: 'representative',
    variants: FILTER_NAMES,
    supports: ['where', 'orderBy', 'pageSize', 'pageToken', 'select', 'selectV2', 'excludeRid', 'snapshot'],
    limits: { defaultPageSize: OBJECT_PAGES.usual, maxPageSize: OBJECT_PAGES.most, maxFilterLevels: 3 },
    errors: [...LISTING_ERRORS, ...FILTER_ERRORS, 'MissingPostBody'],
    tests: [
      `${CLIENT}searches in two pages`,
      'test/clients/search.test.ts > finds by every operator',
      GOLDEN,
      ...PAGE_TESTS,
    ],
    handle: (call) => {
      const type = objectTypeOf(call)
      const body = bodyOf(call.context)
      const { where } = body
      return withCount(
        loadByBody(call, body, (setContext) => {
          const set = baseSet(type, setContext.moment)
          return where === undefined || where === null ? set : filterSet(set, where, setContext)
        }),
      )
    },
  }),
  defineOperation('aggregateObjectsV2', 'POST /{ontology}/objects/{objectType}/aggregate', {
    ...about,
    supports: ['aggregation', 'groupBy', 'where', 'accuracy'],
    limits: { maxGroups: 10_000 },
    errors: [
      ...FILTER_ERRORS,
      'InvalidPropertyType',
      'InvalidAggregationOrdering',
      'InvalidDurationGroupByValue',
    ],
    tests: [`${CLIENT}aggregates objects`, 'test/aggregate.test.ts > computes every metric', GOLDEN],
    handle: (call) => {
      const body = bodyOf(call.context)
      const setContext = call.setContext()
      const set = baseSet(objectTypeOf(call), setContext.moment)
      const { where } = body
      return aggregate(where === undefined || where === null ? set : filterSet(set, where, setContext), body)
    },
  }),
  defineOperation(
    'listLinkedObjectsV2',
    'GET /{ontology}/objects/{objectType}/{primaryKey}/links/{linkType}',
    {
      ...linked,
      supports: LISTED,
      limits: { defaultPageSize: OBJECT_PAGES.usual, maxPageSize: OBJECT_PAGES.most },
      errors: [...LISTING_ERRORS, 'ObjectNotFound', 'LinkTypeNotFound'],
      tests: [`${CLIENT}lists linked objects from both sides and in two pages`, GOLDEN, ...PAGE_TESTS],
      handle: (call) => {
        const type = objectTypeOf(call)
        const object = objectOf(call, type)
        const side = linkOf(call, type)
        // Unlike other listings of objects, this one has no count.
        const { data, nextPageToken } = loadByQuery(call, ({ moment }) => linkedSet(side, object, moment))
        return { data, ...(nextPageToken !== undefined && { nextPageToken }) }
      },
    },
  ),
  defineOperation(
    'getLinkedObjectV2',
    'GET /{ontology}/objects/{objectType}/{primaryKey}/links/{linkType}/{linkedObjectPrimaryKey}',
    {
      ...linked,
      supports: ['select', 'excludeRid', 'branch'],
      errors: ['ObjectNotFound', 'LinkTypeNotFound', 'LinkedObjectNotFound', 'PropertiesNotFound'],
      tests: [`${CLIENT}gets a linked object`, GOLDEN],
      handle: findLinked,
    },
  ),
]

import { ApiError, invalidArgument } from '../errors.ts'
import type { OntologyObject } from '../ontology/model.ts'
import { type Field, findField, type Scope, scopeName } from '../ontology/scope.ts'
import { compare, kindOf } from '../values/kinds.ts'
import { type Comparable, isRecord, textOf } from '../values/value.ts'

/** One property that objects are ordered by. */
export interface Order {
  readonly field: Field
  readonly isDescending: boolean
}

interface Requested {
  readonly name: string
  readonly direction: unknown
}

const DIRECTIONS = ['asc', 'desc']

const resolve = (requested: readonly Requested[], scope: Scope): Order[] => {
  const names = requested.map(({ name }) => name)
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  if (repeated.length > 0) throw new ApiError('DuplicateOrderBy', { properties: repeated })
  const unknown = names.filter((name) => findField(scope, name) === undefined)
  if (unknown.length > 0) {
    throw new ApiError('PropertiesNotFound', { objectType: scopeName(scope), properties: unknown })
  }
  const orders = requested.flatMap(({ name, direction = 'asc' }) => {
    const given = textOf(direction).toLowerCase()
    if (!DIRECTIONS.includes(given)) throw new ApiError('InvalidSortOrder', { invalidSortOrder: direction })
    const field = findField(scope, name)
    return field === undefined ? [] : [{ field, isDescending: given === 'desc' }]
  })
  const unsortable = orders.filter(({ field }) => kindOf(field.type).comparable === undefined)
  if (unsortable.length > 0) {
    throw new ApiError('PropertiesNotSortable', { properties: unsortable.map(({ field }) => field.name) })
  }
  return orders
}

/** The order of a query parameter, such as `p.lastName:asc,properties.age:desc`. */
export const orderFromText = (text: string | undefined, scope: Scope): Order[] => {
  if (text === undefined || text.trim() === '') return []
  const requested = text.split(',').map((clause) => {
    const [path = '', direction] = clause.trim().split(':')
    const [prefix = '', ...rest] = path.split('.')
    if (rest.length === 0 || rest.join('.') === '')
      throw new ApiError('InvalidFields', { properties: [path] })
    if (prefix !== 'p' && prefix !== 'properties')
      throw new ApiError('InvalidSortType', { invalidSortType: prefix })
    return { name: rest.join('.'), direction }
  })
  return resolve(requested, scope)
}

/** The order of a body: `{ orderType?, fields: [{ field, direction? }] }`. */
export const orderFromBody = (orderBy: unknown, scope: Scope): Order[] => {
  if (orderBy === undefined || orderBy === null) return []
  if (!isRecord(orderBy)) throw invalidArgument('`orderBy` is an object with `fields`')
  const { orderType = 'fields', fields = [] } = orderBy
  if (orderType === 'relevance' && scope.score !== undefined)
    return [{ field: scope.score, isDescending: true }]
  if (orderType !== 'fields') {
    throw new ApiError(
      'InvalidOrderType',
      { orderType },
      'only sets of nearest neighbours have an order of relevance',
    )
  }
  if (!Array.isArray(fields)) throw invalidArgument('`fields` is a list')
  const requested = fields.map((each: unknown) => {
    const { field, direction } = isRecord(each) ? each : {}
    if (typeof field !== 'string') throw invalidArgument('each of `fields` names a `field`')
    return { name: field, direction: direction ?? undefined }
  })
  return resolve(requested, scope)
}

/** An object with what it is ordered by: null where it has no value, which comes last either way. */
interface Ranked {
  readonly object: OntologyObject
  readonly ranks: readonly (Comparable | null)[]
}

/** Ranks objects for an order. */
export const createRanker = (orders: readonly Order[]): ((object: OntologyObject) => Ranked) => {
  const readers = orders.map(({ field }) => {
    const { comparable = String } = kindOf(field.type)
    return (object: OntologyObject): Comparable | null => {
      const value = field.read(object)
      return value === undefined || value === null ? null : comparable(value)
    }
  })
  return (object) => ({ object, ranks: readers.map((read) => read(object)) })
}

/** Compares ranked objects; those of equal ranks in the order they came. */
export const createComparison =
  (orders: readonly Order[]) =>
  (left: Ranked, right: Ranked): number => {
    for (const [index, { isDescending }] of orders.entries()) {
      const [a = null, b = null] = [left.ranks[index], right.ranks[index]]
      if (a === b) continue
      if (a === null || b === null) return a === null ? 1 : -1
      const order = compare(a, b)
      if (order !== 0) return isDescending ? -order : order
    }
    return left.object.sequence - right.object.sequence
  }

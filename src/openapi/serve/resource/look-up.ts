import { idText, type CompileOperation } from '../../../collections/item-operations.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import type { Input } from '../../../engine/input.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { ItemNotFound } from '../../../errors.ts'
import { withItem } from '../../../state/found.ts'
import type { Item } from '../../../state/store.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import type { Lookup } from './find-home.ts'
import type { Keep } from './item-response.ts'
import type { Resource } from './resource.ts'

/**
 * An operation on the item that a path names by one of its fields: `/users/by-email/{email}` is of the user who has
 * that address.
 * @param keep which items the path is about; all by default
 */
export function lookUp(
  lookup: Lookup,
  compile: CompileOperation,
  keep: Keep = () => () => true,
): CompileOperation {
  const { home, field } = lookup
  const { idPath = [] } = home
  return (context) => {
    const operation = compile(context)
    const { maxItems, verboseErrors } = context
    return {
      maxItems,
      need: () => ({ kind: 'all' }),
      decide(request, found) {
        const { id: wanted, path, params } = request
        const isKept = keep(request)
        const isNamed = createLookedUp(lookup, params, wanted)
        const item = found.items.find((each) => isNamed(each.value) && isKept(each))
        const id = item && memberAt(item.value, idPath)
        if (id !== undefined) return operation.decide({ ...request, id: idText(id) }, withItem(found, item))
        const where = { collection: path, id_field: field, id_value: wanted }
        throw new ItemNotFound(verboseErrors ? where : undefined)
      },
    }
  }
}

/** Whether an item is the one that a path looks up. @param wanted the last of the values in that path */
export function createLookedUp(
  { field, others }: Lookup,
  params: Readonly<Record<string, string>>,
  wanted: string,
): (item: Item) => boolean {
  return (item) =>
    hasText(item, [field], wanted) &&
    others.every(({ parameter, path }) => hasText(item, path, params[parameter] ?? ''))
}

/** Whether an item has a text somewhere, be it one of several. */
export function hasText(item: Item, path: readonly string[], text: string): boolean {
  const value = memberAt(item, path)
  // Of several names each is one.
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.some((each) => each !== undefined && each !== null && idText(each) === text)
}

/** A parameter that names a field of the item that is answered. */
export interface LookupKey {
  readonly name: string
  readonly field: string
  readonly isRequired: boolean
}

/**
 * The parameters by which a route chooses one of a resource's items: `email` of `/find-user?email=…`.
 * @param taken those that name other items
 */
export function lookupKeysOf(
  { operation }: OpenApiRoute,
  { shape, evidence }: Resource,
  taken: readonly string[],
): readonly LookupKey[] {
  const fields = new Map([...shape.fields.keys()].toReversed().map((name) => [plainName(name), name]))
  const singular = plainName(evidence.singular)
  return operation.parameters.flatMap(({ name, in: place, required }): LookupKey[] => {
    if ((place !== 'query' && place !== 'path') || taken.includes(name)) return []
    const plain = plainName(name)
    const field =
      fields.get(plain) ?? (plain.startsWith(singular) && fields.get(plain.slice(singular.length)))
    return typeof field === 'string' ? [{ name, field, isRequired: required }] : []
  })
}

/** The values that a request gives the fields of the item it is after. */
export interface LookupTest {
  readonly test: (this: void, item: Item) => boolean
  /** Whether a request must have one of them. */
  readonly isRequired: boolean
  /** One of them, to be named where there is no such item. */
  readonly field: string
  readonly text: string
}

/** What tests whether an item has the values that a request gives; `undefined` where it gives none. */
export function createLookupTest(keys: readonly LookupKey[], input: Input): LookupTest | undefined {
  const given = keys.flatMap(({ name, ...key }) => {
    const value = input[name]
    return typeof value === 'string' || typeof value === 'number' ? [{ ...key, text: idText(value) }] : []
  })
  const key = given.find(({ isRequired }) => isRequired) ?? given[0]
  return key && { ...key, test: (item) => given.every(({ field, text }) => hasText(item, [field], text)) }
}

/** An operation on the item that a path names by its id, or else by another of its fields. */
export function byEither(
  fields: readonly string[],
  { idPath = [] }: Resource,
  compile: CompileOperation,
): CompileOperation {
  return (context) => {
    const operation = compile(context)
    return {
      maxItems: context.maxItems,
      need: () => ({ kind: 'all' }),
      decide(request, found) {
        const named = [idPath, ...fields.map((field) => [field])]
        const item = named
          .map((path) => found.items.find(({ value }) => hasText(value, path, request.id)))
          .find((each) => each !== undefined)
        const id = item === undefined ? request.id : idText(memberAt(item.value, idPath))
        return operation.decide({ ...request, id }, withItem(found, item))
      },
    }
  }
}

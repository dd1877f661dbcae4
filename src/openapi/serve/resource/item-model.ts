import { partOf } from '../../../engine/list-shape.ts'
import { lazy } from '../../../engine/lazy.ts'
import { createChecker } from '../../../engine/schema/checker.ts'
import { compileGenerator } from '../../../engine/schema/compile.ts'
import type { Generate, Scope } from '../../../engine/schema/generate.ts'
import { requiredOf, schemaOf } from '../../../engine/schema/keywords.ts'
import { ITEM_SPACE } from '../../../engine/schema/list-space.ts'
import { isUnion, membersOf } from '../../../engine/schema/members.ts'
import { createFold, mergeSchemas, type Fold } from '../../../engine/schema/merge.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import {
  createResolver,
  isObject,
  type Entries,
  type Schema,
  type SchemaOrBoolean,
} from '../../../engine/schema/schema.ts'
import type { Stream } from '../../../engine/random.ts'
import type { Item } from '../../../state/store.ts'
import { createCompleter } from './completed-value.ts'
import { idPathOf, type FieldModels, type IdEvidence, type ItemShape } from './item-shape.ts'

/** Makes items of a model from what is known of them. */
export interface ItemModel {
  /** Of an item's fields those that the model has, with values it can hold. What clients may only send is left out. */
  own(item: Item): Record<string, unknown>
  /**
   * Of a request's fields those that an item of the model can take. What the server alone sets is left out, and added
   * within them.
   * @param stream the draws for what is added
   * @param given what requests give all the same
   */
  taken(fields: Item, stream: Stream, given?: ReadonlySet<string>): Record<string, unknown>
  /** An item that holds what is known, and for the rest generated values. */
  complete(known: Item, stream: Stream, scope: Scope): Record<string, unknown>
  /** A generated item, of which nothing is known. */
  sample(stream: Stream, scope: Scope): unknown
  /** An item without the given fields, as far as the model allows. */
  without(item: Item, names: readonly string[]): Record<string, unknown>
  fits(item: Item): boolean
  /**
   * Which fields an item of the model has within another, where there was space for some: those, what it must have, and
   * its id.
   */
  holds(shown: Item, idField: string | undefined): (name: string) => boolean
  readonly fields: ReadonlyMap<string, SchemaOrBoolean>
}

/** The maker of items of one shape. */
export function createItemModel({ item, fields }: Pick<ItemShape, 'item' | 'fields'>): ItemModel {
  const resolve = createResolver(item)
  const fold = createFold(resolve)
  const model = objectsOf(item)
  const checker = createChecker(model)
  const isOpen = fields.size === 0 || holdsMore(model, fold)
  const marked = (keyword: string): ReadonlySet<string> => markedFields(fields, keyword, fold)
  const [readOnly, writeOnly] = [marked('readOnly'), marked('writeOnly')]
  const generateOf = lazy((): Generate => compileGenerator(model, { checker, space: ITEM_SPACE }))

  const required = lazy(() => new Set(requiredIn(model, fold)))
  const complete = createCompleter(item, checker)
  // What an example of the model has beside its fields is of its items, too.
  const shown = lazy(
    () => new Set(saidOf(item, resolve).flatMap((each) => (isObject(each) ? Object.keys(each) : []))),
  )

  const only = (
    item: Item,
    refused: ReadonlySet<string>,
    held: (value: unknown, schema: SchemaOrBoolean, name: string) => unknown,
    given: ReadonlySet<string> = NO_NAMES,
  ): Record<string, unknown> => {
    const named = Object.entries(item).filter(([name]) => {
      const schema = fields.get(name)
      const isKnown = schema !== undefined || isOpen || required().has(name) || shown().has(name)
      return (!refused.has(name) || given.has(name)) && schema !== false && isKnown
    })
    const whole = Object.fromEntries(named)
    // One validator for all of them is compiled sooner than one for each.
    if (checker.fits(whole)) return whole
    return Object.fromEntries(
      named.flatMap(([name, value]) => {
        const own = held(value, fields.get(name) ?? true, name)
        return own === undefined ? [] : [[name, own]]
      }),
    )
  }
  const asItIs = (value: unknown, schema: SchemaOrBoolean): unknown =>
    typeof schema !== 'object' || checker.fits(value, schema) ? value : undefined
  const fits = (item: Item): boolean => checker.fits(item)

  return {
    own: (item) => only(item, writeOnly, asItIs),
    taken: (item, stream, given) =>
      only(item, readOnly, (value, schema, name) => complete(value, schema, stream.childOf(name)), given),
    complete(known, stream, scope) {
      const generate = generateOf()
      const made = generate(stream, { ...scope, given: { ...known } }) as Item
      const merged = { ...made, ...known }
      if (fits(merged)) return merged
      // The branch of a union that was drawn may not be the one that the known fields speak of.
      if (fits(made)) return { ...made }
      const other = generate(stream, { ...scope, given: undefined }) as Item
      // Where nothing fits, as by a `oneOf` that always has two, an item is at least the one that is known.
      if (!fits(other)) return merged
      return Object.entries(known).reduce<Record<string, unknown>>(
        (left, [name, value]) => {
          const next = { ...left, [name]: value }
          return fits(next) ? next : left
        },
        { ...other },
      )
    },
    sample: (stream, scope) => generateOf()(stream, scope),
    without(item, names) {
      return names.reduce<Record<string, unknown>>(
        (left, name) => {
          const { [name]: _gone, ...others } = left
          return [others, { ...left, [name]: null }, { ...left, [name]: [] }].find(fits) ?? left
        },
        { ...item },
      )
    },
    fits,
    holds: (shown, idField) => (name) =>
      name === idField || Object.hasOwn(shown, name) || required().has(name),
    fields,
  }
}

// Of a choice, and of one within it, what any of them must have.
function requiredIn(schema: SchemaOrBoolean, fold: Fold, choices = 2): readonly string[] {
  const folded = fold(schema)
  if (typeof folded === 'boolean') return []
  const members = choices > 0 && isUnion(folded) ? membersOf(folded, fold) : []
  return [...requiredOf(folded), ...members.flatMap((each) => requiredIn(each, fold, choices - 1))]
}

/** The objects of a model: where an answer may have `null` instead of an item, what is in the collection are the items. */
export function objectsOf(item: Schema): Schema {
  const objects = mergeSchemas([item, { type: 'object' }], createResolver(item))
  return typeof objects === 'boolean' ? item : partOf(item, objects)
}

// An object without a word on further fields may have any, but an answer has those that its model names.
function holdsMore(model: Schema, fold: Fold): boolean {
  const folded = fold(model)
  if (typeof folded === 'boolean') return true
  const more = schemaOf(folded, 'additionalProperties')
  return more !== undefined && more !== false
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** The fields whose schemas have a keyword that is true. */
export function markedFields(
  fields: ReadonlyMap<string, SchemaOrBoolean>,
  keyword: string,
  fold: Fold,
): ReadonlySet<string> {
  const names = [...fields].flatMap(([name, schema]) => {
    const folded = fold(schema)
    const isMarked = [schema, folded].some((each) => typeof each === 'object' && each[keyword] === true)
    return isMarked ? [name] : []
  })
  return new Set(names)
}

/**
 * Of an item within another, the fields that there was space for, and as many elements of its lists; all of what holds
 * nothing further.
 * @param shows whether a field is one of those
 */
export function shownIn(
  now: Item,
  item: Item,
  shows = (name: string): boolean => Object.hasOwn(now, name),
): Record<string, unknown> {
  const names = Object.keys(item).filter(shows)
  return Object.fromEntries(names.map((name) => [name, shownOf(now[name], item[name])]))
}

function shownOf(now: unknown, value: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(value) && now.length > 0 && value.every(isFlat)) return value
  if (Array.isArray(now) && Array.isArray(value))
    return value.slice(0, now.length).map((each, index) => shownOf(now[index], each))
  return isObject(now) && isObject(value) ? shownIn(now, value) : value
}

function isFlat(value: unknown): boolean {
  const parts = isObject(value) ? Object.values(value) : [value]
  return parts.every((part) => typeof part !== 'object' || part === null)
}

/**
 * An item as another holds it. What the holder's model says of its kind, as `kind: drive#fileRef` for a file, is said of
 * the reference.
 */
export function asHeld(
  { fields, modelOf }: Pick<ItemShape, 'fields' | 'modelOf'>,
  own: Record<string, unknown>,
  now: unknown,
): Record<string, unknown> {
  if (!isObject(now)) return own
  const kinds = [...fields.keys()].filter((name) => {
    if (!KIND.test(name) || !Object.hasOwn(own, name) || !Object.hasOwn(now, name)) return false
    const model = modelOf(name)
    return saidOf(model, createResolver(model)).includes(now[name])
  })
  return kinds.length === 0 ? own : { ...own, ...Object.fromEntries(kinds.map((name) => [name, now[name]])) }
}

/** The id of an item as another holds it, which may call it otherwise: `secretRef: { secretId }` of one with an `id`. */
export function heldId(shape: FieldModels, evidence: IdEvidence, id: unknown): Entries {
  const [name, ...deeper] = idPathOf(shape, evidence) ?? []
  return name === undefined || deeper.length > 0 || id === undefined ? {} : { [name]: id }
}

const KIND = /^[@_$]?(kind|type|object|(resource|record|entity)_?type)$/i

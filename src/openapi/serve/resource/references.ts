import { plainName } from '../../../collections/paging/page-parameters.ts'
import { partOf } from '../../../engine/list-shape.ts'
import { lazy, remembered } from '../../../engine/lazy.ts'
import { fieldsOf } from '../../../engine/schema/fields.ts'
import { itemsOf, kindOf, requiredOf, schemasOf, textOf } from '../../../engine/schema/keywords.ts'
import { createFold } from '../../../engine/schema/merge.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import {
  createResolver,
  isObject,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../../engine/schema/schema.ts'
import { UUID } from '../../../shape/formats.ts'
import { componentOf, fieldModelsOf, idPathOf, itemShapeOf, type ItemShape } from './item-shape.ts'
import { IDS, namesOne, isRead, readingsOf, saysWhere, wordsOf } from './reference-words.ts'
import { createIdForm, createResourceIds } from './resource-ids.ts'
import type { Resource } from './resource.ts'
import type { ResourceMap } from './resource-map.ts'

/** A field of an item that names another item, or holds one. */
export interface Reference {
  /** The names that lead to it; `*` stands for each element of a list. */
  readonly path: readonly string[]
  readonly target: Resource
  /** The words of its name that say what it names, such as `pet` of `petId`. */
  readonly noun: string
  /** The target's id as the field holds it; `undefined` where it cannot. */
  readonly asId: (id: unknown) => unknown
  /** The shape of the item that it holds; `undefined` where it holds an id alone. */
  readonly shape: ItemShape | undefined
  /** Whether an item need not have it, and whether it may be null. */
  readonly isOptional: boolean
  readonly isNullable: boolean
  /** The model of what an item has and does not show. */
  readonly unshown?: Schema
}

/** What an item has in the place of one that is too deep in others to be shown. @param now what it had */
export function withoutItem({ isOptional, isNullable }: Reference, now: unknown): unknown {
  if (isOptional) return undefined
  return isNullable ? null : now
}

/** How deep in an item references are looked for. */
const MAX_DEPTH = 4

/** The fields of a model's items that name items of a description's resources, by their names, types and models. */
export function findReferences(model: Schema, owner: Resource, map: ResourceMap): readonly Reference[] {
  const resolve = createResolver(model)
  const fold = createFold(resolve)
  const found: Reference[] = []

  const targetOf = (component: string | undefined, words: readonly string[]): readonly Resource[] => {
    const path = `${owner.template}/{}/`
    const byComponent = component === undefined ? undefined : map.ofComponent(component, path)
    return [...(byComponent === undefined ? [] : [byComponent]), ...named(words, path, owner, map)]
  }
  const walk = (
    schema: SchemaOrBoolean,
    path: readonly string[],
    required: boolean,
    above: () => readonly unknown[],
  ): void => {
    const folded = fold(schema)
    if (typeof folded === 'boolean') return
    const said = lazy(() => [...above(), ...saidOf(folded, resolve)])
    // JSON:API has what a relationship refers to in `data`.
    const name = path.findLast((each, at) => each !== '*' && (each !== 'data' || at === 0)) ?? ''
    const add = (target: Resource, noun: string, asId: Reference['asId'], shape?: ItemShape): void =>
      void found.push({
        path,
        target,
        noun,
        asId,
        shape,
        isOptional: !required,
        isNullable: takesNull(folded),
      })
    const choices = choicesOf(folded, fold)
    const text = choices.find((each) => isId(each))
    if (text !== undefined && path.length > 0 && !isOwnId(path, owner)) {
      const isAlone = choices.every((each) => kindOf(each) !== 'object')
      const objects = isAlone ? [] : (schemasOf(folded, 'anyOf') ?? schemasOf(folded, 'oneOf') ?? [])
      const component = objects
        .map((each) => (isObject(each) ? componentOf(each) : undefined))
        .find((each) => each !== undefined && map.ofComponent(each, owner.template) !== undefined)
      const own = partOf(model, isAlone ? folded : text)
      for (const { noun, suffix } of readingsOf(name))
        for (const target of targetOf(component, noun)) {
          const isNamed =
            suffix === undefined
              ? component !== undefined ||
                (isPlain(text, path) && areLikeIds([...said(), ...saidOf(text, resolve)], target))
              : fitsSuffix(suffix, target)
          const asId = isNamed ? createIdForm(own) : undefined
          if (asId?.(sampleId(target).value) === undefined) continue
          add(target, noun.join(''), asId)
          return
        }
    }
    const object = choices.find((each) => kindOf(each) === 'object')
    if (object !== undefined && kindOf(object) === 'object') {
      const component = isObject(schema) ? (componentOf(schema) ?? componentIn(folded)) : undefined
      const [target] = path.length === 0 ? [] : targetOf(component, wordsOf(name).noun)
      const shape = target && heldShape(partOf(model, object), target)
      const idModel = target && shape && idModelIn(shape, target)
      if (target !== undefined && shape !== undefined && idModel !== undefined) {
        add(target, wordsOf(name).noun.join(''), createIdForm(idModel), shape)
        return
      }
      if (path.length >= MAX_DEPTH) return
      const needed = new Set(requiredOf(object))
      for (const [each, part] of fieldsOf(object, resolve))
        walk(part, [...path, each], needed.has(each), () => membersOf(said(), each))
      return
    }
    const list = choices.find((each) => kindOf(each) === 'array')
    if (list !== undefined && path.length < MAX_DEPTH)
      walk(itemsOf(list).rest, [...path, '*'], false, () => said().filter(Array.isArray).flat())
  }
  walk(model, [], true, () => [])
  return found
}

// The schemas that a value may be of.
function choicesOf(folded: Schema, fold: (schema: SchemaOrBoolean) => SchemaOrBoolean): readonly Schema[] {
  const members = schemasOf(folded, 'anyOf') ?? schemasOf(folded, 'oneOf')
  if (members === undefined) return [folded]
  return members.flatMap((each) => {
    const own = fold(each)
    return typeof own === 'boolean' ? [] : [own]
  })
}

function componentIn(folded: Schema): string | undefined {
  const members = schemasOf(folded, 'anyOf') ?? schemasOf(folded, 'oneOf') ?? []
  return members
    .map((each) => (isObject(each) ? componentOf(each) : undefined))
    .find((each) => each !== undefined)
}

function takesNull(schema: Schema): boolean {
  if (typesOf(schema).includes('null')) return true
  const members = schemasOf(schema, 'anyOf') ?? schemasOf(schema, 'oneOf') ?? []
  return members.some((each) => isObject(each) && takesNull(each))
}

function isId(schema: Schema): boolean {
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return false
  const kind = kindOf(schema)
  const format = textOf(schema, 'format')
  if (kind === 'integer' || kind === 'number') return true
  return kind === 'string' && typesOf(schema).length > 0 && (format === undefined || ID_FORMATS.test(format))
}

const ID_FORMATS = /^(uuid|guid|u?int\d*|objectid|ulid|id)$/i

// What has no suffix such as `Id` names an item only where it looks like nothing else: a text by its form, a whole number
// by its name.
function isPlain(schema: Schema, path: readonly string[]): boolean {
  if (saysWhere(path)) return false
  if (kindOf(schema) === 'integer') return namesOne(path)
  return kindOf(schema) === 'string' && textOf(schema, 'pattern') === undefined && !isRead(path)
}

function membersOf(values: readonly unknown[], name: string): readonly unknown[] {
  return values.flatMap((value) => (isObject(value) && value[name] !== undefined ? [value[name]] : []))
}

// A `department` such as "R&D" names nothing where ids are words, nor does a permission such as "write" where they are numbers.
function areLikeIds(said: readonly unknown[], target: Resource): boolean {
  const id = String(sampleId(target).value)
  const form = [/^\d+$/, UUID, /^[\w.:@/+=~-]*$/].find((each) => each.test(id))
  return form === undefined || said.every((value) => typeof value !== 'string' || form.test(value))
}

function isOwnId(path: readonly string[], { idPath }: Resource): boolean {
  return (
    idPath !== undefined && path.length === idPath.length && path.every((name, at) => name === idPath[at])
  )
}

function fitsSuffix(suffix: string, { idPath, parameter }: Resource): boolean {
  if (IDS.has(suffix)) return true
  return [idPath?.at(-1) ?? '', parameter].some((name) => plainName(name).endsWith(suffix))
}

/** What those are called who use a service. */
export const PEOPLE: readonly string[] = [
  'user',
  'person',
  'account',
  'member',
  'employee',
  'customer',
  'profile',
]
const ROLES = new Set([
  ...['owner', 'author', 'creator', 'assignee', 'reporter', 'manager', 'sender', 'recipient', 'reviewer'],
  ...['approver', 'editor', 'user', 'createdby', 'updatedby', 'modifiedby', 'assignedto', 'by', 'follower'],
])

// The most words first: `billing_address_id` may mean a billing address, or else an address.
function named(
  words: readonly string[],
  path: string,
  owner: Resource,
  map: ResourceMap,
): readonly Resource[] {
  const whole = words.join('')
  if (whole === 'parent') return [owner]
  const ends = words.map((_, at) => words.slice(at).join(''))
  const found = ends.flatMap((noun) => map.ofNoun(noun, path))
  if (found.length > 0 || !(ROLES.has(whole) || ROLES.has(words.at(-1) ?? ''))) return found
  return PEOPLE.flatMap((noun) => map.ofNoun(noun, path)).slice(0, 1)
}

function heldShape(model: Schema, { evidence }: Resource): ItemShape | undefined {
  return itemShapeOf(model, evidence)
}

function idModelIn(shape: ItemShape, { evidence }: Resource): Schema | undefined {
  if (shape.path.length > 0) return undefined
  const path = idPathOf(shape, evidence)
  if (path === undefined) return undefined
  return path.reduce<Schema>((at, name) => fieldModelsOf(at).modelOf(name), shape.item)
}

// An id of the form that a resource's have, to see whether a field could hold one.
const sampleId = remembered((target: Resource): { readonly value: unknown } => {
  return createResourceIds(target, '')('', 0, () => false)
}, new WeakMap())

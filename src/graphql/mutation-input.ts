import { isEnumType, isLeafType, isNonNullType, isScalarType, isSpecifiedScalarType } from 'graphql'
import { isObject } from '../engine/schema/schema.ts'
import type { Item } from '../state/store.ts'
import {
  isList,
  namedTypeOf,
  pluralOf,
  snakeOf,
  type EntityType,
  type Field,
  type SchemaModel,
} from './model.ts'
import type { Args } from './part.ts'
import { textOf } from './object-graph.ts'

/** Makes an object that stands within the input of another, and gives its id. */
type CreateNested = (type: EntityType, args: Args, field: Field) => string

/** Whether there is an object of one of these types with an id. */
type IsThere = (types: readonly EntityType[], id: string) => boolean

/** Reads the fields of an object from the arguments of a mutation. @param id of the object that is changed */
type ReadMutationInput = (type: EntityType, args: Args, id?: string) => Item

/**
 * The reader of what mutations are given: fields by their names, in the arguments themselves or in objects such as
 * `input`, and other objects by their ids (`authorId`, `author: { connect: { id } }`, `tagIds`).
 */
export function createInputReader(
  model: SchemaModel,
  create: CreateNested,
  isThere: IsThere,
): ReadMutationInput {
  const valueOf = (field: Field, value: unknown): unknown => {
    if (isLeafType(namedTypeOf(field)) || value === null) return value
    const [type] = model.entitiesOf(model.listedBy(field.type)?.of ?? field.type)
    if (type === undefined) return value
    const one = (each: unknown): string[] => {
      if (!isObject(each)) return [textOf(each)]
      const { connect, create: made, set, connectOrCreate, data } = each
      if (connect !== undefined || set !== undefined) return [connect ?? set].flat().flatMap(one)
      const inputs = [made ?? connectOrCreate ?? data].flat().filter(isObject)
      if (inputs.length > 0) return inputs.map((input) => create(type, input, field))
      return each[type.idField] === undefined && each['id'] === undefined
        ? [create(type, each, field)]
        : [textOf(each[type.idField] ?? each['id'])]
    }
    const ids = [value].flat().flatMap(one)
    return isList(field) || model.listedBy(field.type) !== undefined ? ids : (ids[0] ?? null)
  }

  return (type, args) => {
    const fields = type.type.getFields()
    const found: Record<string, unknown> = {}
    const others: string[] = []
    const take = (given: Args, depth: number): void => {
      for (const [name, value] of Object.entries(given)) {
        if (value === undefined || /^(where|filter|pk_?columns|clientMutationId)$/i.test(name)) continue
        const field = fieldFor(name, Object.values(fields), model)
        if (field !== undefined && canHold(field, value, model)) found[field.name] = valueOf(field, value)
        else if (isObject(value) && depth < 3) take(value, depth + 1)
        else if (typeof value === 'string' && NAMES_OBJECT.test(name)) others.push(value)
      }
    }
    take(args, 0)
    // The `subjectId` of a comment is that of the issue, if nothing else of the comment may be called so.
    for (const other of others) {
      const holders = Object.values(fields).filter(
        (field) =>
          found[field.name] === undefined && !isList(field) && isThere(model.entitiesOf(field.type), other),
      )
      const [holder] = holders
      if (holder !== undefined && holders.length === 1) found[holder.name] = valueOf(holder, other)
    }
    return found
  }
}

const NAMES_OBJECT = /[a-z](?:I[dD]|_id)$/

// What is called as a field is need not be what the field holds.
function canHold(field: Field, value: unknown, model: SchemaModel): boolean {
  if (value === null) return !isNonNullType(field.type)
  const listed = model.listedBy(field.type)
  // Objects are named by one id or by several.
  if (model.entitiesOf(listed?.of ?? field.type).length > 0) return true
  const isMany = isList(field) || listed !== undefined
  const type = namedTypeOf(field)
  const mayBeList = isMany || (isScalarType(type) && !isSpecifiedScalarType(type))
  if (Array.isArray(value) ? !mayBeList : isMany) return false
  if (!isLeafType(type)) return true
  const values = [value].flat()
  if (isEnumType(type))
    return values.every((each) => type.getValue(textOf(each)) !== undefined || each === null)
  return !isSpecifiedScalarType(type) || !values.some(isObject)
}

function fieldFor(name: string, fields: readonly Field[], model: SchemaModel): Field | undefined {
  const plain = plainOf(name)
  const own =
    fields.find((field) => field.name === name) ?? fields.find((field) => plainOf(field.name) === plain)
  if (own !== undefined) return own
  return fields.find((field) => {
    if (model.entitiesOf(model.listedBy(field.type)?.of ?? field.type).length === 0) return false
    const called = plainOf(field.name)
    return [`${called}id`, `${called}ids`].includes(plain) || pluralOf(plain.replace(/ids$/, '')) === called
  })
}

function plainOf(name: string): string {
  return snakeOf(name).replace(/_/g, '')
}

import {
  getNamedType,
  GraphQLError,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  type GraphQLArgument,
} from 'graphql'
import { isObject } from '../engine/schema/schema.ts'
import type { Item } from '../state/store.ts'
import { following } from './agreeing-fields.ts'
import { createFilter } from './filter.ts'
import { idIn } from './find-one.ts'
import { createsOnly, fieldsByVerb, intentOf, targetOf, type Intent } from './intent.ts'
import { createInputReader } from './mutation-input.ts'
import { saysWhen, timeIn } from './mutation-time.ts'
import { isList, namedTypeOf, type EntityType, type Field } from './model.ts'
import { readField } from './objects.ts'
import type { Args } from './part.ts'
import { payloadOf } from './payload.ts'
import { textOf, type Entity, type ObjectGraph } from './object-graph.ts'

/** What a mutation did to one object. */
export interface Change {
  readonly kind: 'created' | 'updated' | 'deleted'
  /** What is known of it now, or was last. */
  readonly type: string
  readonly id: string
  readonly known: Item
  readonly mutation: string
}

/** What mutations need besides the world. */
export interface MutationParts {
  readonly world: ObjectGraph
  /** The time, in milliseconds. */
  readonly now: number
  readonly notify: (change: Change) => void
}

/** Carries out mutations, and makes what they answer. */
export function createMutate({ world, now, notify }: MutationParts): (field: Field, args: Args) => unknown {
  const { model } = world
  const read = (entity: Entity, name: string): unknown => readField(world, entity, name)

  const create = (type: EntityType, args: Args, field: Field): Entity => {
    const fields = readInput(type, args)
    const given = fields[type.idField]
    const id = given === undefined || given === null ? world.nextId(type) : textOf(given)
    if (given !== undefined && given !== null && world.ids(type).includes(id)) {
      const there = createsOnly(field, type) ? undefined : world.find(type, id)
      if (there !== undefined) return update(there, args, field, intentOf(field.name))
      throw failure(`There is a ${type.name} with the id '${id}' already`, 'CONFLICT')
    }
    const entity = world.put(type, id, { ...initial(type, field), ...stamps(type, now, true), ...fields })
    notify(changeOf('created', entity, field))
    return entity
  }
  // A nested object is written before the one that names it.
  const readInput = createInputReader(
    model,
    (type, nested, field) => create(type, nested, field).id,
    (types, id) => world.findListed(types, id) !== undefined,
  )
  // What could have been sent and was not is null; lists that nothing leads back to are empty.
  const initial = (type: EntityType, field: Field): Item => {
    const maySend = new Set(
      field.args.flatMap((arg) => {
        const named = getNamedType(arg.type)
        return [arg.name, ...(isInputObjectType(named) ? inputNames(named, 0) : [])]
      }),
    )
    const values: Record<string, unknown> = {}
    for (const own of Object.values(type.type.getFields())) {
      const isMany = isList(own) || model.listedBy(own.type) !== undefined
      const objects = model.entitiesOf(model.listedBy(own.type)?.of ?? own.type)
      if (isMany && objects.length > 0) {
        const { back, isMutual } = model.relation(type.type, own.name)
        if (back === undefined || isMutual) values[own.name] = []
      } else if (
        !isNonNullType(own.type) &&
        [own.name, `${own.name}Id`, `${own.name}_id`].some((name) => maySend.has(name))
      )
        values[own.name] = null
    }
    return values
  }
  const update = (entity: Entity, args: Args, field: Field, intent: Intent): Entity => {
    const { type, id } = entity
    const { [type.idField]: _id, ...fields } = readInput(type, args, id)
    const acted =
      intent.kind === 'act' || intent.kind === 'create' ? fieldsByVerb(entity, intent, now, read) : {}
    const changes = { ...acted, ...fields }
    const agreed = following(type, changes, now, ({ name }) => read(entity, name))
    const changed = world.put(type, id, { ...stamps(type, now, false), ...agreed, ...changes })
    notify(changeOf('updated', changed, field))
    return changed
  }
  const remove = (entity: Entity, field: Field): Entity => {
    world.remove(entity.type, entity.id)
    notify(changeOf('deleted', entity, field))
    return entity
  }
  const existing = (type: EntityType, args: Args, field: Field): Entity[] => {
    const ids = args['ids'] ?? (isObject(args['input']) ? args['input']['ids'] : undefined)
    const id = Array.isArray(ids) ? undefined : (idIn(args, type) ?? onlyIdIn(args, field, type))
    const wanted = Array.isArray(ids) ? (ids as unknown[]) : id === undefined ? undefined : [id]
    if (wanted !== undefined)
      return wanted.map((each) => {
        const found = world.find(type, each)
        if (found === undefined)
          throw failure(`There is no ${type.name} with the id '${textOf(each)}'`, 'NOT_FOUND')
        return found
      })
    const where = args['where'] ?? args['filter']
    const fits = createFilter(type, read)
    return isObject(where) ? world.all(type).filter((each) => fits(each, where)) : []
  }
  // `listId` of a `UserList`, where nothing else has to be given that is an id.
  const onlyIdIn = (args: Args, { args: taken }: Field, type: EntityType): unknown => {
    const ids = taken.flatMap((arg) => requiredIds(arg, args[arg.name]))
    const [only] = ids
    return ids.length === 1 && world.ids(type).includes(textOf(only)) ? only : undefined
  }
  const perform = (type: EntityType, intent: Intent, args: Args, field: Field): readonly Entity[] => {
    if (intent.kind === 'create') return inputsOf(args).map((each) => create(type, each, field))
    const found = existing(type, args, field)
    if (intent.kind === 'delete') return found.map((each) => remove(each, field))
    if (found.length > 0) return found.map((each) => update(each, args, field, intent))
    if (intent.kind === 'upsert') return [create(type, args, field)]
    // Such as a login, which names nobody by an id.
    const fits = createFilter(type, read)
    const fitting = world.all(type).find((each) => fits(each, isObject(args['input']) ? args['input'] : args))
    return [
      fitting ?? world.pick(type, world.stream(`Mutation.${field.name}`).childOfValue(args)) ?? [],
    ].flat()
  }
  return (field, args) => {
    const type = targetOf(model, field)
    const intent = intentOf(field.name)
    const stream = world.stream(`Mutation.${field.name}`).childOfValue(args)
    if (type === undefined) {
      if (!isLeafType(namedTypeOf(field))) return payloadOf(world, field, [], args, stream)
      return world.leaf('Mutation', field, stream)
    }
    const entities = perform(type, intent, args, field)
    return payloadOf(world, field, entities, args, stream)
  }
}

function changeOf(kind: Change['kind'], { type, id, known }: Entity, { name: mutation }: Field): Change {
  return { kind, type: type.name, id, known, mutation }
}

/** The inputs of what is to be created: one, or each of a list. */
function inputsOf(args: Args): readonly Args[] {
  const [name, list] =
    Object.entries(args).find(
      ([, value]) => Array.isArray(value) && value.length > 0 && value.every(isObject),
    ) ?? []
  const others = Object.keys(args).filter((each) => each !== name)
  const isMany =
    name !== undefined && (others.length === 0 || /^(objects|data|inputs?|records|values|items)$/i.test(name))
  return isMany ? (list as readonly Args[]) : [args]
}

// The ids among what an argument must have, or the members of its object.
function requiredIds({ type }: Pick<GraphQLArgument, 'type'>, value: unknown): readonly unknown[] {
  if (String(type) === 'ID!') return [value]
  const named = getNamedType(type)
  if (!isInputObjectType(named) || !isObject(value)) return []
  const required = Object.values(named.getFields()).filter((each) => String(each.type) === 'ID!')
  return required.map((each) => value[each.name])
}

function inputNames(type: ReturnType<typeof getNamedType>, depth: number): string[] {
  if (!isInputObjectType(type) || depth > 3) return []
  return Object.values(type.getFields()).flatMap((field) => [
    field.name,
    ...inputNames(getNamedType(field.type), depth + 1),
  ])
}

/** The times that a write sets. */
function stamps({ type }: EntityType, now: number, isNew: boolean): Item {
  const fields = Object.values(type.getFields()).filter(
    (field) => saysWhen(field, 'changed') || (isNew && saysWhen(field, 'made')),
  )
  return Object.fromEntries(fields.map((field) => [field.name, timeIn(field, now)]))
}

function failure(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}

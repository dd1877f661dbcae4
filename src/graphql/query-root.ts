import { isLeafType } from 'graphql'
import { isObject } from '../engine/schema/schema.ts'
import { createFilter } from './filter.ts'
import { isAbout, isList, lowerFirst, namedTypeOf, snakeOf, type EntityType, type Field } from './model.ts'
import { listOf, readField } from './objects.ts'
import { Part, partType, type Args } from './part.ts'
import type { Entity, ObjectGraph } from './object-graph.ts'
import { valueList } from './value-list.ts'

/** The value of a field of the query type. */
export function queryRoot(world: ObjectGraph, field: Field, args: Args): unknown {
  const { model } = world
  const stream = world.stream(`Query.${field.name}`)
  const own = Object.keys(args).length === 0 ? stream : stream.childOfValue(args)
  if (isLeafType(namedTypeOf(field))) return countOf(world, field, args) ?? world.leaf('Query', field, own)
  const listed = model.listedBy(field.type)
  const types = model.entitiesOf(listed?.of ?? field.type)
  if (types.length === 0 && listed !== undefined) return valueList(world, field, listed, args, stream)
  if (types.length === 0) {
    const part = (at: number): Part => new Part(partType(model, field.type, own.child(at)), own.child(at))
    return isList(field) ? [part(0), part(1), part(2)] : part(0)
  }
  if (isList(field) && Array.isArray(args['ids']) && types.length > 1)
    return (args['ids'] as unknown[]).map((id) => findIn(world, types, id) ?? null)
  if (isList(field) || listed !== undefined) {
    const all = types.flatMap((type) => world.all(type))
    return listOf(world, field, all, args, stream)
  }
  return findOne(world, types, args, field) ?? null
}

// One object: that of the id, or the first that is as the arguments say; without any, always the same.
function findOne(
  world: ObjectGraph,
  types: readonly EntityType[],
  args: Args,
  field: Field,
): Entity | undefined {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  const [type, ...others] = types
  if (type === undefined) return undefined
  if (given.length === 0) return world.pick(type, world.stream(`Query.${field.name}`))
  const id = types.map((each) => idIn(args, each)).find((each) => each !== undefined)
  if (id !== undefined) return findIn(world, types, id)
  const conditions = Object.fromEntries(
    given.flatMap(([name, value]) => (isObject(value) ? Object.entries(value) : [[name, value]])),
  )
  const known = Object.keys(conditions).filter((name) => type.type.getFields()[name] !== undefined)
  // What says nothing of the object, such as a language, does not choose it.
  if (known.length === 0 && others.length === 0)
    return world.pick(type, world.stream(`Query.${field.name}`).childOfValue(args))
  const fits = createFilter(others.length === 0 ? type : undefined, (entity, name) =>
    readField(world, entity, name),
  )
  const found = types.flatMap((each) => world.all(each)).find((entity) => fits(entity, conditions))
  if (found !== undefined) return found
  const name = known.find(
    (each) =>
      typeof conditions[each] === 'string' && isLeafType(namedTypeOf(type.type.getFields()[each] as Field)),
  )
  return name === undefined ? undefined : world.findBy(type, name, String(conditions[name]))
}

function findIn(world: ObjectGraph, types: readonly EntityType[], id: unknown): Entity | undefined {
  const [only] = types
  if (types.length === 1 && only !== undefined) return world.find(only, id)
  const any = world.findAny(id)
  if (any !== undefined && types.includes(any.type)) return any
  return types
    .map((type) => (world.ids(type).includes(String(id)) ? world.find(type, id) : undefined))
    .find((each) => each !== undefined)
}

/** The id of an object of a type among arguments, at any depth of their objects; `undefined` for none. */
export function idIn(args: Args, { name, idField }: EntityType): unknown {
  const names = [
    idField,
    'id',
    `${lowerFirst(name)}Id`,
    `${lowerFirst(name)}ID`,
    `${snakeOf(name)}_id`,
    '_id',
    'nodeId',
  ]
  const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
  for (const each of names) {
    const value = args[each]
    if (isScalar(value)) return value
    // `where: { id: { eq: 3 } }`
    if (isObject(value)) {
      const equal = value['eq'] ?? value['_eq'] ?? value['equals'] ?? value['equalTo']
      if (isScalar(equal)) return equal
    }
  }
  for (const value of Object.values(args)) {
    const inner = isObject(value) ? idIn(value, { name, idField } as EntityType) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

// `usersCount` and `countUsers(where: …)`.
function countOf(world: ObjectGraph, field: Field, args: Args): number | undefined {
  if (!/count|total/i.test(field.name) || !/^(Int|Long|BigInt|Float)$/.test(namedTypeOf(field).name))
    return undefined
  const type = [...world.model.entities.values()].find(({ name }) => isAbout(field.name, name))
  if (type === undefined) return undefined
  const fits = createFilter(type, (entity, name) => readField(world, entity, name))
  const filter = args['where'] ?? args['filter'] ?? args
  return world.all(type).filter((entity) => fits(entity, filter)).length
}

import { isLeafType } from 'graphql'
import { createFilter } from './filter.ts'
import { conditionsOf, findNamed, idIn } from './find-one.ts'
import { isAbout, isList, namedTypeOf, type EntityType, type Field } from './model.ts'
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
    return (args['ids'] as unknown[]).map((id) => world.findAmong(types, id) ?? null)
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
  const isEmpty = Object.values(args).every((value) => value === undefined || value === null)
  const [type, ...others] = types
  if (type === undefined) return undefined
  const stream = world.stream(`Query.${field.name}`)
  if (isEmpty) return world.pick(type, stream)
  const id = types.map((each) => idIn(args, each)).find((each) => each !== undefined)
  if (id !== undefined) return world.findAmong(types, id)
  // What says nothing of the object, such as a language, does not choose it.
  if (others.length === 0 && Object.keys(conditionsOf(type, args)).length === 0)
    return world.pick(type, stream.childOfValue(args))
  return findNamed(world, { types, args }, (entity, name) => readField(world, entity, name))
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

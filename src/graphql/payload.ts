import { isAbstractType, isLeafType, isNonNullType, isObjectType, type GraphQLObjectType } from 'graphql'
import { hashText, type Stream } from '../engine/random.ts'
import { isObject } from '../engine/schema/schema.ts'
import { cursorOf } from './list-arguments.ts'
import { isList, namedTypeOf, type EntityType, type Field, type SchemaModel } from './model.ts'
import { listOf, readField } from './objects.ts'
import { Part, type Args } from './part.ts'
import { Entity, type ObjectGraph } from './object-graph.ts'

/** What a mutation answers with, about the objects that it created, changed or removed. */
export function payloadOf(
  world: ObjectGraph,
  field: Field,
  entities: readonly Entity[],
  args: Args,
  stream: Stream,
): unknown {
  const { model } = world
  const named = namedTypeOf(field)
  const [first] = entities
  if (isLeafType(named))
    return scalarOf(field, entities, args, world) ?? world.leaf('Mutation', field, stream)
  const types = model.entitiesOf(field.type)
  if (types.length > 0) {
    const own = entities.filter(({ type }) => types.includes(type))
    if (isList(field)) return own
    const isNeeded = first !== undefined || isNonNullType(field.type)
    return (
      own[0] ??
      (isNeeded ? (ownerOf(world, types, first) ?? (types[0] && world.pick(types[0], stream))) : undefined) ??
      null
    )
  }
  if (model.listedBy(field.type) !== undefined && first !== undefined && isMany(field, model))
    return listOf(world, field, entities, {}, stream)
  const type = isAbstractType(named) ? successOf(model, named, first) : (named as GraphQLObjectType)
  const known: Record<string, unknown> = {}
  for (const inner of Object.values(type.getFields())) {
    const value = innerValue(world, inner, entities, args)
    if (value !== undefined) known[inner.name] = value
  }
  const part = new Part(type.name, stream, known)
  return isList(field) ? [part] : part
}

// Some answer with the order, say, that a line belongs to.
function ownerOf(
  world: ObjectGraph,
  types: readonly EntityType[],
  entity: Entity | undefined,
): Entity | undefined {
  if (entity === undefined) return undefined
  const { model } = world
  const leadsTo = (field: Field, wanted: readonly EntityType[]): boolean =>
    model.entitiesOf(model.listedBy(field.type)?.of ?? field.type).some((type) => wanted.includes(type))
  const objectsIn = (owner: Entity, wanted: readonly EntityType[]): readonly unknown[] =>
    Object.values(owner.type.type.getFields())
      .filter((field) => leadsTo(field, wanted))
      .flatMap(({ name }) => readField(world, owner, name))
  const [named] = objectsIn(entity, types)
  if (named instanceof Entity) return named
  return types
    .flatMap((type) => world.all(type))
    .find((owner) => objectsIn(owner, [entity.type]).includes(entity))
}

function isMany(field: Field, model: SchemaModel): boolean {
  return model.listedBy(field.type)?.isEdges === true
}

// Of what a mutation may answer with, that which has the object, and is not called an error.
function successOf(
  model: SchemaModel,
  type: Parameters<SchemaModel['schema']['getPossibleTypes']>[0],
  entity: Entity | undefined,
): GraphQLObjectType {
  const possible = model.schema.getPossibleTypes(type)
  const good = possible.filter(
    ({ name }) => !/error|fail|problem|invalid|exception|denied|notfound/i.test(name),
  )
  const holding = good.find((each) =>
    Object.values(each.getFields()).some(
      (field) => entity !== undefined && model.entitiesOf(field.type).includes(entity.type),
    ),
  )
  return (holding ?? good[0] ?? possible[0]) as GraphQLObjectType
}

function innerValue(world: ObjectGraph, field: Field, entities: readonly Entity[], args: Args): unknown {
  const { model } = world
  const type = namedTypeOf(field)
  const [first] = entities
  if (isLeafType(type)) return scalarOf(field, entities, args, world)
  if (/error|problem|warning/i.test(field.name)) return isList(field) ? [] : null
  if (type === model.schema.getQueryType()) return {}
  if (first === undefined) return undefined
  const given = isList(field) ? undefined : givenObject(world, field, args)
  if (given !== undefined) return given
  if (model.entitiesOf(field.type).includes(first.type)) return isList(field) ? entities : first
  const edge = isObjectType(type) ? type.getFields()['node'] : undefined
  if (edge !== undefined && model.entitiesOf(edge.type).includes(first.type)) {
    const made = entities.map(
      (node, at) =>
        new Part(type.name, node.stream.child(hashText(type.name)), { node, cursor: cursorOf(node, at) }),
    )
    return isList(field) ? made : made[0]
  }
  const listed = model.listedBy(field.type)
  if (listed !== undefined && model.entitiesOf(listed.of).includes(first.type))
    return listOf(world, field, world.all(first.type), {}, first.stream.child(hashText(field.name)))
  return undefined
}

// `subject` is what `subjectId` names.
function givenObject(world: ObjectGraph, field: Field, args: Args): Entity | undefined {
  const input = isObject(args['input']) ? { ...args, ...args['input'] } : args
  const names = [`${field.name}Id`, `${field.name}ID`, `${field.name}_id`]
  const id = names.map((name) => input[name]).find((value) => typeof value === 'string')
  return id === undefined ? undefined : world.findListed(world.model.entitiesOf(field.type), id)
}

const DONE = /^(success|succeeded|ok|done|result|deleted|removed|created|updated|status)$/i

function scalarOf(field: Field, entities: readonly Entity[], args: Args, world: ObjectGraph): unknown {
  const { name } = field
  const type = namedTypeOf(field).name
  const [first] = entities
  if (/^clientMutationId$/i.test(name)) {
    const input = isObject(args['input']) ? args['input'] : args
    return input['clientMutationId'] ?? args['clientMutationId'] ?? null
  }
  if (/error/i.test(name)) return isList(field) ? [] : null
  if (type === 'Boolean') return DONE.test(name) || first !== undefined
  if (first === undefined) return undefined
  if (type === 'ID' || /(^|[a-z_])(id|Id|ID)$/.test(name)) {
    const ids = entities.map(({ type: own, id }) => world.idValue(own, id))
    return isList(field) ? ids : ids[0]
  }
  if (/^Int$/.test(type)) return /^(code|status(_?code)?)$/i.test(name) ? 200 : entities.length
  return undefined
}

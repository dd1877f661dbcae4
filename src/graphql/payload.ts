import { isAbstractType, isLeafType, isObjectType, type GraphQLObjectType } from 'graphql'
import { hashText, type Stream } from '../engine/random.ts'
import { isObject } from '../engine/schema/schema.ts'
import { cursorOf } from './list-arguments.ts'
import { isList, namedTypeOf, type Field, type SchemaModel } from './model.ts'
import { listOf } from './objects.ts'
import { Part, type Args } from './part.ts'
import type { Entity, ObjectGraph } from './object-graph.ts'

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
  if (model.entitiesOf(field.type).length > 0) return isList(field) ? entities : (first ?? null)
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

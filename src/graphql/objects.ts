import { isLeafType, isNonNullType, type GraphQLObjectType } from 'graphql'
import { hashText, type Stream } from '../engine/random.ts'
import { isObject } from '../engine/schema/schema.ts'
import { agreeing } from './agreeing-fields.ts'
import { composed } from './composed-names.ts'
import { conditionsOf, findNamed, idIn } from './find-one.ts'
import { pageOf } from './list-arguments.ts'
import { isList, namedTypeOf, type EntityType, type Field, type SchemaModel } from './model.ts'
import { pageValue } from './page-fields.ts'
import { Part, partType, type Args } from './part.ts'
import { Entity, type ObjectGraph } from './object-graph.ts'
import { valueList } from './value-list.ts'

/** The value of an object's field. */
export function fieldOf(world: ObjectGraph, entity: Entity, field: Field, args: Args): unknown {
  const { type, id, known, stream } = entity
  if (field.name === type.idField) return world.idValue(type, id)
  const own = stream.child(hashText(field.name))
  const joined = composed(entity, field, (of, name) => readField(world, of, name))
  if (joined !== undefined) return joined
  if (Object.hasOwn(known, field.name)) return stored(world, entity, field, known[field.name], args)
  if (!isLeafType(namedTypeOf(field))) return objectsOf(world, entity, field, args)
  const made = world.leaf(type.name, field, withArgs(own, args))
  return field.args.length > 0
    ? made
    : agreeing(type, field, made, (each) => fieldOf(world, entity, each, {}))
}

function withArgs(stream: Stream, args: Args): Stream {
  return Object.keys(args).length === 0 ? stream : stream.childOfValue(args)
}

/** The value of an object's field without arguments; of a connection, what it lists. */
export function readField(world: ObjectGraph, entity: Entity, name: string): unknown {
  const field = entity.type.type.getFields()[name]
  if (field === undefined) return undefined
  const value = fieldOf(world, entity, field, {})
  return value instanceof Part && value.page !== undefined ? value.page.items : value
}

/** The value of a field of an object without an id. */
export function fieldOfPart(world: ObjectGraph, part: Part, field: Field, args: Args): unknown {
  const { typeName, stream, known, page } = part
  if (Object.hasOwn(known, field.name)) return stored(world, part, field, known[field.name], args)
  const paged = page && pageValue(world, part, page, field)
  if (paged !== undefined) return paged
  if (isLeafType(namedTypeOf(field)))
    return world.leaf(typeName, field, withArgs(stream.child(hashText(field.name)), args))
  return objectsOf(world, part, field, args)
}

// What was written: scalars as they are, objects by their ids, and parts by what is known of them.
function stored(world: ObjectGraph, owner: Entity | Part, field: Field, value: unknown, args: Args): unknown {
  if (value === null || value === undefined || value instanceof Entity || value instanceof Part)
    return value ?? null
  if (isLeafType(namedTypeOf(field))) return value
  const { model } = world
  if (namedTypeOf(field) === model.schema.getQueryType()) return value
  const listed = model.listedBy(field.type)
  const types = model.entitiesOf(listed?.of ?? field.type)
  const stream = owner.stream.child(hashText(field.name))
  const one = (each: unknown, at: number): unknown => {
    if (each instanceof Entity || each instanceof Part) return each
    const found = types.length > 0 ? world.findAmong(types, each) : undefined
    if (found !== undefined) return found
    return types.length > 0
      ? undefined
      : new Part(partType(model, field.type, stream), stream.child(at), isObject(each) ? each : {})
  }
  if (!isList(field) && listed === undefined)
    return one(value, 0) ?? (isNonNullType(field.type) ? objectsOf(world, owner, field, args) : null)
  const all = (value as unknown[]).map(one).filter((each) => each !== undefined)
  if (types.length === 0) return all
  return listOf(world, field, all as Entity[], args, stream)
}

/** A list, or the page of it that a connection is. */
export function listOf(
  world: ObjectGraph,
  field: Field,
  all: readonly Entity[],
  args: Args,
  stream: Stream,
): unknown {
  const { model } = world
  const listed = model.listedBy(field.type)
  const types = model.entitiesOf(listed?.of ?? field.type)
  const page = pageOf(all, args, types.length === 1 ? types[0] : undefined, (entity, name) =>
    readField(world, entity, name),
  )
  return listed === undefined ? page.items : new Part(namedTypeOf(field).name, stream, {}, page)
}

/** Objects that a field holds and that nothing was written of. */
function objectsOf(world: ObjectGraph, owner: Entity | Part, field: Field, args: Args): unknown {
  const { model } = world
  const stream = owner.stream.child(hashText(field.name))
  const listed = model.listedBy(field.type)
  const types = model.entitiesOf(listed?.of ?? field.type)
  if (types.length === 0 && listed !== undefined) return valueList(world, field, listed, args, stream)
  if (types.length === 0) {
    const part = (at: number): Part => {
      const own = withArgs(stream.child(at), args)
      return new Part(partType(model, field.type, own), own)
    }
    return isList(field)
      ? Array.from({ length: 1 + Math.floor(stream.next() * 3) }, (_, at) => part(at))
      : part(0)
  }
  if (isList(field) || listed !== undefined)
    return listOf(
      world,
      field,
      onceFor(world, owner, field, () => related(world, owner, field, types)),
      args,
      stream,
    )
  const one = (): Entity | null =>
    onceFor(world, owner, field, () => oneOf(world, owner, field, types, stream)) ?? null
  const named = namedBelow(world, owner, field, types, args)
  if (named === undefined) return one()
  const isOpen = types.some((type) => world.isOpen(type))
  return named.found ?? (isOpen || isNonNullType(field.type) ? one() : null)
}

function onceFor<Value>(world: ObjectGraph, owner: Entity | Part, { name }: Field, make: () => Value): Value {
  return owner instanceof Entity ? world.once(`${owner.type.name} ${owner.id} ${name}`, make) : make()
}

// The one that arguments name, of those that lead back to the owner: `repository.issue(number: 7)`.
function namedBelow(
  world: ObjectGraph,
  owner: Entity | Part,
  field: Field,
  types: readonly EntityType[],
  args: Args,
): { readonly found: Entity | undefined } | undefined {
  const id = types.map((type) => idIn(args, type)).find((each) => each !== undefined)
  if (id !== undefined) return { found: world.findAmong(types, id) }
  if (types.every((type) => Object.keys(conditionsOf(type, args)).length === 0)) return undefined
  const read = (entity: Entity, name: string): unknown => readField(world, entity, name)
  const { back } = owner instanceof Entity ? world.model.relation(owner.type.type, field.name) : NO_RELATION
  if (back === undefined || !(owner instanceof Entity))
    return { found: findNamed(world, { types, args }, read) }
  const among = related(world, owner, field, types)
  return { found: findNamed(world, { types, args, among, known: { [back]: owner.id } }, read) }
}

function related(
  world: ObjectGraph,
  owner: Entity | Part,
  field: Field,
  types: readonly EntityType[],
): readonly Entity[] {
  const [target] = types
  const { model } = world
  const { back, isMutual } =
    owner instanceof Entity ? model.relation(owner.type.type, field.name) : NO_RELATION
  if (!(owner instanceof Entity) || target === undefined || back === undefined)
    return someOf(world, owner, field, types)
  const all = world.all(target)
  const isOwner = (each: unknown): boolean =>
    each instanceof Entity && each.id === owner.id && each.type === owner.type
  if (!isMutual) return all.filter((each) => isOwner(readField(world, each, back)))
  const [own, other] = [`${owner.type.name}.${field.name}`, `${target.name}.${back}`]
  if (own <= other) return all.filter((each) => areLinked(world, own, owner, each, own === other))
  return all.filter((each) => (readField(world, each, back) as readonly unknown[]).some(isOwner))
}

const NO_RELATION = { back: undefined, isMutual: false }
const LINKED_SHARE = 0.3

// Whether two objects are linked says one draw for both, so that either names the other.
function areLinked(
  world: ObjectGraph,
  relation: string,
  one: Entity,
  other: Entity,
  isEven: boolean,
): boolean {
  const isSame = one.type === other.type
  if (isSame && one.id === other.id) return false
  if (!world.isFirst(one) || !world.isFirst(other)) return false
  // Friends are each other's; who follows somebody need not be followed.
  const pair = isSame && isEven && other.id < one.id ? [other.id, one.id] : [one.id, other.id]
  return world.stream(`links of ${relation}`).childOf(pair.join('\n')).next() < LINKED_SHARE
}

// A few, where nothing leads back.
function someOf(
  world: ObjectGraph,
  owner: Entity | Part,
  field: Field,
  types: readonly EntityType[],
): readonly Entity[] {
  const stream = owner.stream.child(hashText(field.name))
  const found = new Map<string, Entity>()
  const count = 1 + Math.floor(stream.next() * 3)
  for (let at = 0; at < count; at++) {
    const type = types[Math.floor(stream.next() * types.length)] as EntityType
    const entity = world.pick(type, stream.child(at))
    if (entity !== undefined && entity !== owner) found.set(`${type.name} ${entity.id}`, entity)
  }
  return [...found.values()]
}

function oneOf(
  world: ObjectGraph,
  owner: Entity | Part,
  field: Field,
  types: readonly EntityType[],
  stream: Stream,
): Entity | undefined {
  const type = types[Math.floor(stream.next() * types.length)] as EntityType
  if (!(owner instanceof Entity)) return world.pick(type, stream)
  const back = types.length === 1 ? partnerField(world.model, owner.type.type, type.type) : undefined
  if (back !== undefined) {
    const all = world.all(type)
    const written = all.find(
      (each) =>
        Object.hasOwn(each.known, back) && (readField(world, each, back) as Entity | null)?.id === owner.id,
    )
    if (written !== undefined) return written
    const partner = all[world.ids(owner.type).indexOf(owner.id)]
    if (partner !== undefined && !Object.hasOwn(partner.known, back)) return partner
    return isNonNullType(field.type) ? world.pick(type, stream) : undefined
  }
  // Of the same type: one that comes before it, so that there are no circles.
  if (type === owner.type && !isNonNullType(field.type)) {
    const ids = world.ids(type)
    const at = ids.indexOf(owner.id)
    return at <= 0 ? undefined : world.find(type, ids[Math.floor(stream.next() * at)])
  }
  return world.pick(type, stream)
}

// The field that leads back to the only object that it can: `User.profile` and `Profile.user`.
function partnerField(
  model: SchemaModel,
  own: GraphQLObjectType,
  other: GraphQLObjectType,
): string | undefined {
  if (own === other) return undefined
  const between = (from: GraphQLObjectType, to: GraphQLObjectType): Field[] =>
    Object.values(from.getFields()).filter(
      ({ type }) => namedTypeOf({ type: model.listedBy(type)?.of ?? type }) === to,
    )
  const [back, ...others] = between(other, own)
  const isSingle =
    back !== undefined && others.length === 0 && !isList(back) && model.listedBy(back.type) === undefined
  return isSingle && between(own, other).length === 1 ? back.name : undefined
}

import { isLeafType } from 'graphql'
import { isObject } from '../engine/schema/schema.ts'
import { createFilter, nameFieldOf, type Read } from './filter.ts'
import { isList, lowerFirst, namedTypeOf, snakeOf, type EntityType, type Field } from './model.ts'
import type { Args } from './part.ts'
import type { Entity, ObjectGraph } from './object-graph.ts'

/** What some arguments say of an object, and where it is looked for. */
export interface Wanted {
  readonly types: readonly EntityType[]
  readonly args: Args
  /** Those that it may be one of, where not all of its types may. */
  readonly among?: readonly Entity[]
  /** What is known of it before: what it lies below. */
  readonly known?: Readonly<Record<string, string>>
}

/** The arguments that say something of an object of a type: those called as its fields. */
export function conditionsOf(type: EntityType, args: Args): Args {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  const inner = given.flatMap(([name, value]) => (isObject(value) ? Object.entries(value) : [[name, value]]))
  return Object.fromEntries(
    inner.filter(([name]) => type.type.getFields()[name as string] !== undefined),
  ) as Args
}

/**
 * The first object that is as the arguments say. Where there is none, and any may be, the one that these arguments make:
 * the repository of that owner and that name.
 */
export function findNamed(world: ObjectGraph, wanted: Wanted, read: Read): Entity | undefined {
  const { types, args, among = types.flatMap((type) => world.all(type)), known = {} } = wanted
  const [type, ...others] = types
  if (type === undefined) return undefined
  const fits = createFilter(others.length === 0 ? type : undefined, read)
  const conditions = conditionsOf(type, args)
  const found = among.find((entity) => fits(entity, conditions))
  if (found !== undefined) return found
  const named = Object.entries(conditions).flatMap(([name, value]) => {
    const text = textFor(world, type.type.getFields()[name] as Field, value, read)
    return text === undefined ? [] : [[name, text] as const]
  })
  return named.length === 0 ? undefined : world.findBy(type, { ...known, ...Object.fromEntries(named) })
}

// What is kept of an argument: a value, or the id of the object that it names.
function textFor(world: ObjectGraph, field: Field, value: unknown, read: Read): string | undefined {
  if (isList(field) || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  if (isLeafType(namedTypeOf(field))) return String(value)
  const types = world.model.entitiesOf(field.type)
  const naming = types[0] && nameFieldOf(types[0])
  if (naming === undefined) return undefined
  return findNamed(world, { types, args: { [naming]: value } }, read)?.id
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

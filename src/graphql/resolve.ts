import { GraphQLError, type GraphQLResolveInfo } from 'graphql'
import type { Field } from './model.ts'
import { fieldOf, fieldOfPart } from './objects.ts'
import { Part, type Args } from './part.ts'
import { queryRoot } from './query-root.ts'
import { Entity, type ObjectGraph } from './object-graph.ts'

/** What a request's fields are resolved with. */
export interface Resolving {
  readonly world: ObjectGraph
  /** How many fields may still be resolved. */
  left: number
  /** Carries out a mutation. */
  mutate(field: Field, args: Args): unknown
}

/** The most fields of one answer. */
export const MAX_FIELDS = 30_000

/** Resolves one field of whatever object. */
export function resolveField(
  source: unknown,
  args: Args,
  context: Resolving,
  info: GraphQLResolveInfo,
): unknown {
  if (context.left-- <= 0) throw new GraphQLError(`The answer has more than ${MAX_FIELDS} fields`)
  const { parentType, fieldName, schema } = info
  const field = parentType.getFields()[fieldName] as Field
  const { world } = context
  if (source instanceof Entity) return fieldOf(world, source, field, args)
  if (source instanceof Part) return fieldOfPart(world, source, field, args)
  if (parentType === schema.getMutationType()) return context.mutate(field, args)
  return queryRoot(world, field, args)
}

/** Which type an object of an interface or a union is of. */
export function typeOf(source: unknown): string | undefined {
  return source instanceof Entity ? source.type.name : (source as Part).typeName
}

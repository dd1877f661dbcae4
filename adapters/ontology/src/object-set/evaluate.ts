import { ApiError, invalidArgument } from '../errors.ts'
import { isRecord, textOf } from '../values/value.ts'
import { ALGEBRA, LINK_SETS } from './combined.ts'
import { DERIVED } from './derived.ts'
import { NEAREST } from './nearest.ts'
import type { ObjectSet, SetContext, SetKind } from './object-set.ts'
import { FILTERED, SOURCES } from './sources.ts'

const KINDS: ReadonlyMap<string, SetKind> = new Map(
  Object.entries({ ...SOURCES, ...ALGEBRA, ...LINK_SETS, ...FILTERED, ...DERIVED, ...NEAREST }),
)

/** The kinds of object sets there are, by their names on the wire. */
export const SET_NAMES: readonly string[] = [...KINDS.keys()]

const MAX_LEVELS = 50

const evaluateAt = (definition: unknown, context: SetContext, level: number): ObjectSet => {
  if (!isRecord(definition)) throw invalidArgument('an object set is an object with a `type`')
  const type = textOf(definition['type'])
  const kind = KINDS.get(type)
  if (kind === undefined) {
    throw new ApiError(
      'UnsupportedObjectSet',
      {},
      `there is no object set "${type}" here; there are ${SET_NAMES.join(', ')}`,
    )
  }
  if (level >= MAX_LEVELS) throw invalidArgument(`object sets are nested ${MAX_LEVELS} levels deep at most`)
  return kind(definition, context, (inner, other = context) => evaluateAt(inner, other, level + 1))
}

/** The objects that a definition stands for. */
export const evaluateSet = (definition: unknown, context: SetContext): ObjectSet =>
  evaluateAt(definition, context, 0)

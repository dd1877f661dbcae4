import { textOf } from '../values/read.ts'
import { ApiError, invalidArgument } from '../errors.ts'
import { isRecord } from '../values/kind.ts'
import { ALGEBRA } from './algebra.ts'
import { DERIVED } from './derived.ts'
import { FILTERED } from './filtered.ts'
import { NEAREST } from './nearest.ts'
import type { ObjectSet, SetContext, SetKind } from './object-set.ts'
import { LINK_SETS } from './search-around.ts'
import { SOURCES } from './sources.ts'

const KINDS: ReadonlyMap<string, SetKind> = new Map(
  Object.entries({ ...SOURCES, ...ALGEBRA, ...LINK_SETS, ...FILTERED, ...DERIVED, ...NEAREST }),
)

/** The kinds of object sets there are, by their names on the wire. */
export const SET_NAMES: readonly string[] = [...KINDS.keys()]

const MOST_LEVELS = 50

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
  if (level >= MOST_LEVELS) throw invalidArgument(`object sets are nested ${MOST_LEVELS} levels deep at most`)
  return kind(definition, context, (inner, other = context) => evaluateAt(inner, other, level + 1))
}

/** The objects that a definition stands for. */
export const evaluateSet = (definition: unknown, context: SetContext): ObjectSet =>
  evaluateAt(definition, context, 0)

import { withWriter, writerOf, type Generate, type Scope } from './generate.ts'
import type { SchemaOrBoolean } from './schema.ts'
import { BRACKETS, keySize, type Sizes } from './sizes.ts'

/** A field of an object that is given a part of its space. */
interface Claimant {
  readonly name: string
  /** What every object has of it. */
  readonly counted: number
  /** What it needs to be there, or to hold anything. */
  readonly needed: number
  readonly most: number
}

/** What the fields of an object have of its space. */
export interface Shares {
  /** The fields that there is no space for. */
  readonly left: ReadonlySet<string>
  readonly spaces: ReadonlyMap<string, number>
}

/** A declared field, by its schema. */
interface Sized {
  readonly name: string
  readonly part: SchemaOrBoolean
  /** Whether the smallest object has it. */
  readonly small: boolean
}

/**
 * Divides the space of an object between the fields that could take more than they must. As many as possible have
 * something, the cheapest first; what is left is divided evenly between them, up to what each can use.
 */
export function createSharing(fields: readonly Sized[], sizes: Sizes): (space: number) => Shares {
  const claims = fields.map(({ name, part, small }): Claimant => {
    const least = sizes.least(part, name)
    const counted = small ? least : 0
    const needed = Math.max(sizes.next(part), counted)
    return { name, counted, needed, most: Math.max(needed, sizes.most(part, 0, name)) }
  })
  const smallest = claims.reduce((sum, { name, counted }) => sum + keySize(name) + counted, BRACKETS)
  const claimants = claims
    .filter(({ counted, most }) => most > counted)
    .toSorted((a, b) => extraOf(a) - extraOf(b))
  const shares = new Map<number, Shares>()

  const divide = (space: number): Shares => {
    let rest = space - smallest
    const spaces = new Map<string, number>()
    const left = new Set<string>()
    const served: Claimant[] = []
    for (const claimant of claimants) {
      const extra = extraOf(claimant)
      if (extra <= rest) {
        served.push(claimant)
        rest -= extra
      } else if (claimant.counted === 0) left.add(claimant.name)
      else spaces.set(claimant.name, claimant.counted)
    }
    // Who can use little leaves the more to the others.
    const byUse = served.toSorted((a, b) => a.most - a.needed - (b.most - b.needed))
    for (const [index, { name, needed, most }] of byUse.entries()) {
      const more = Math.min(most - needed, Math.floor(rest / (byUse.length - index)))
      spaces.set(name, needed + more)
      rest -= more
    }
    return { left, spaces }
  }
  return (space) => {
    const known = shares.get(space) ?? divide(space)
    if (shares.size < MAX_KNOWN) shares.set(space, known)
    return known
  }
}

// They are few, as spaces depend on where in an answer an object lies.
const MAX_KNOWN = 1000

function extraOf({ counted, needed }: Claimant): number {
  return needed - counted
}

/** A generator whose values have a space of their own, which is made of that of the value around them. */
export function withinSpace(generate: Generate, spaceOf: (around: number | undefined) => number): Generate {
  const write = writerOf(generate)
  const enter = (scope: Scope): number | undefined => {
    const around = scope.space
    scope.space = spaceOf(around)
    return around
  }
  return withWriter(
    (stream, scope, siblings) => {
      const around = enter(scope)
      const value = generate(stream, scope, siblings)
      scope.space = around
      return value
    },
    (sink, stream, scope) => {
      const around = enter(scope)
      write(sink, stream, scope)
      scope.space = around
    },
  )
}

/** Gives each of so many parts an equal share of the space; returns the whole, which who did puts back. */
export function divideSpace(scope: Scope, parts: number): number | undefined {
  const around = scope.space
  if (around !== undefined && parts > 1) scope.space = Math.floor(around / parts)
  return around
}

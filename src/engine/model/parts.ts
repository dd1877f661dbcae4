import { MOST_DEPTH } from './compiler.ts'
import type { Generate } from './generate.ts'
import type { Position } from './position.ts'
import type { Schema } from './schema.ts'

/** Makes the generator of a part, given its fold and its position. */
export type CompilePart = (folded: Schema, at: Position) => Generate

// What a part adds to the depth: little where it is only named, much where it lies within itself.
const PART_DEPTH = 1
const RECURSION_DEPTH = 5
const SHALLOW = 2
const MOST_PARTS = 30

/**
 * Compiles the parts of a model that may lie within themselves: each when a value first needs it, and once.
 * A part within itself, or below a part that holds very many, counts as deep, so that its values are small.
 */
export function createParts(compile: CompilePart): CompilePart {
  const known = new Map<Schema, Map<string, Generate>>()
  const active = new Map<Schema, number>()
  let entered = 0

  const depthOf = (folded: Schema, depth: number): number => {
    if (depth < SHALLOW) entered = 0
    if (++entered > MOST_PARTS) return MOST_DEPTH + 1
    return (active.get(folded) ?? 0) > 0 ? RECURSION_DEPTH : PART_DEPTH
  }
  const createPart: CompilePart = (folded, at) => {
    let compiled: Generate | undefined
    return (stream, scope) => {
      compiled ??= compile(folded, at)
      const depth = depthOf(folded, scope.depth)
      active.set(folded, (active.get(folded) ?? 0) + 1)
      scope.depth += depth
      try {
        return compiled(stream, scope)
      } finally {
        scope.depth -= depth
        active.set(folded, (active.get(folded) ?? 0) - 1)
      }
    }
  }
  return (folded, at) => {
    const byPosition = known.get(folded) ?? new Map<string, Generate>()
    known.set(folded, byPosition)
    const key = `${at.model} ${at.field}`
    const part = byPosition.get(key) ?? createPart(folded, at)
    byPosition.set(key, part)
    return part
  }
}

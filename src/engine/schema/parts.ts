import { budgetOf, descends, MAX_DEPTH } from './budget.ts'
import { withWriter, writerOf, type Generate, type Scope, type Write } from './generate.ts'
import type { Position } from './position.ts'
import type { Schema } from './schema.ts'

/** Makes the generator of a part, given its fold and its position. */
export type CompilePart = (folded: Schema, at: Position) => Generate

// What a part adds to the depth: little where it is only named, much where it lies within itself.
const PART_DEPTH = 1
const RECURSION_DEPTH = 5
const SHALLOW = 2
const MAX_PARTS = 30

/**
 * Compiles the parts of a model that may lie within themselves: each when a value first needs it, and once.
 * A part within itself, or below a part that holds very many, counts as deep, so that its values are small.
 */
export function createParts(compile: CompilePart): CompilePart {
  const known = new Map<Schema, { readonly byPosition: Map<string, Generate>; readonly open: Open }>()
  let entered = 0

  const depthOf = (open: Open, depth: number): number => {
    if (depth < SHALLOW) entered = 0
    if (++entered > MAX_PARTS) return MAX_DEPTH + 1
    return open.count > 0 ? RECURSION_DEPTH : PART_DEPTH
  }
  const createPart = (folded: Schema, at: Position, open: Open): Generate => {
    let compiled: Generate | undefined
    let write: Write | undefined
    return withWriter(
      (stream, scope) => {
        compiled ??= compile(folded, at)
        const depth = depthOf(open, scope.depth)
        if (!descends(scope, at)) return null
        enter(open, scope, depth)
        try {
          return compiled(stream, scope)
        } finally {
          leave(open, scope, depth)
        }
      },
      (sink, stream, scope) => {
        compiled ??= compile(folded, at)
        write ??= writerOf(compiled)
        const depth = depthOf(open, scope.depth)
        if (!descends(scope, at)) return sink.value(null)
        enter(open, scope, depth)
        try {
          write(sink, stream, scope)
        } finally {
          leave(open, scope, depth)
        }
      },
    )
  }
  return (folded, at) => {
    const { byPosition, open } = known.get(folded) ?? {
      byPosition: new Map<string, Generate>(),
      open: { count: 0 },
    }
    known.set(folded, { byPosition, open })
    const key = `${at.model} ${at.field}`
    const part = byPosition.get(key) ?? createPart(folded, at, open)
    byPosition.set(key, part)
    return part
  }
}

/** How many values of a part are being made right now, one within the other. */
interface Open {
  count: number
}

function enter(open: Open, scope: Scope, depth: number): void {
  open.count++
  scope.depth += depth
}

function leave(open: Open, scope: Scope, depth: number): void {
  open.count--
  scope.depth -= depth
  budgetOf(scope).level--
}

import type { Node } from './node.ts'

/** A schema and what speaks of the same value as it does: what its `$ref` names, and the members of its `allOf`. */
export interface Composition {
  readonly node: Node
  /** What others know the schema by. */
  readonly key: unknown
  /** The keys of those it is made of. */
  readonly parts: readonly unknown[]
}

/** A schema that closes a circle, and what to say of it. */
export interface Circle {
  readonly node: Node
  readonly text: string
}

/** Finds schemas that are made of themselves, which no value can be; of each circle the one that closes it. */
export function findCircles(compositions: readonly Composition[]): Circle[] {
  const partsOf = new Map(compositions.map((each) => [each.key, each]))
  const done = new Set<unknown>()
  const circles: Circle[] = []

  for (const start of compositions) {
    if (done.has(start.key)) continue
    if (start.parts.length === 0 || done.has(start.node.value)) continue
    const path: { readonly key: unknown; next: number }[] = [{ key: start.key, next: 0 }]
    const open = new Set<unknown>([start.key])
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const known = done.has(top.key) ? undefined : partsOf.get(top.key)
      const part = known?.parts[top.next++]
      if (known === undefined || part === undefined) {
        done.add(top.key)
        open.delete(top.key)
        path.pop()
      } else if (open.has(part)) {
        circles.push({ node: known.node, text: 'is made of itself: its $ref or allOf leads back to it' })
      } else if (partsOf.has(part)) {
        open.add(part)
        path.push({ key: part, next: 0 })
      }
    }
  }
  return circles
}

import { isObject } from '../../engine/schema/schema.ts'

/** What of an answer has no parts, by its path from the root: `meta.asked`; items of a list share theirs, `items[].tag`. */
export function leavesOf(answer: unknown): ReadonlyMap<string, readonly unknown[]> {
  const leaves = new Map<string, unknown[]>()
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`)
    else if (isObject(value)) {
      for (const [name, part] of Object.entries(value)) visit(part, path === '' ? name : `${path}.${name}`)
    } else {
      const known = leaves.get(path) ?? []
      leaves.set(path, known)
      known.push(value)
    }
  }
  visit(answer, '')
  return leaves
}

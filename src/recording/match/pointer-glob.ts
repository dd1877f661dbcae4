/** The parts of a JSON pointer (RFC 6901) in which `*` stands for every item of a list and every member of an object. */
export type PointerGlob = readonly string[]

/** Reads such a pointer; `undefined` for a text that is none. The empty one is the whole. */
export function readPointerGlob(text: string): PointerGlob | undefined {
  if (text === '') return []
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The pointer to a member or an item of what another one points to. */
export function pointerBelow(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A JSON value without what the pointers lead to; `undefined` when that is all of it. The value itself stays as it is. */
export function withoutPointers(value: unknown, pointers: readonly PointerGlob[]): unknown {
  if (pointers.length === 0) return value
  if (pointers.some((parts) => parts.length === 0)) return undefined
  if (value === null || typeof value !== 'object') return value
  const below = (name: string): PointerGlob[] =>
    pointers.filter(([first]) => first === name || first === '*').map((parts) => parts.slice(1))
  const kept = Object.entries(value)
    .map(([name, part]) => [name, withoutPointers(part, below(name))] as const)
    .filter(([, part]) => part !== undefined)
  return Array.isArray(value) ? kept.map(([, part]) => part) : Object.fromEntries(kept)
}

import type { RouteDefinition } from '../engine/route.ts'

/** A route in words, such as `Get users by id`. */
export function summaryOf(route: RouteDefinition): string {
  return [capitalized(route.method.toLowerCase()), ...wordsOf(route)].join(' ')
}

/** An identifier for a route that is not taken yet, such as `getUsersById`; it is taken then. */
export function takeOperationId(route: RouteDefinition, taken: Set<string>): string {
  const name = route.method.toLowerCase() + wordsOf(route).map(capitalized).join('')
  for (let number = 1; ; number++) {
    const id = number === 1 ? name : `${name}${number}`
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}

function wordsOf({ path }: RouteDefinition): string[] {
  const words = path
    .replace(/\{([^{}]+)\}/g, ' by $1 ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return words.length === 0 ? ['root'] : words
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

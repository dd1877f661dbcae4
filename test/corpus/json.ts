/** An object of a parsed document. */
export type Json = Record<string, unknown>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a JSON pointer such as `#/components/schemas/Pet` (RFC 6901, in a URI fragment). */
export function at(document: Json, pointer: string): unknown {
  if (!pointer.startsWith('#')) throw new Error(`${pointer} leads out of the document`)
  const steps = decoded(pointer.slice(1)).split('/').slice(1)
  let value: unknown = document
  for (const step of steps) value = (value as Json | null)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  if (value === undefined) throw new Error(`Nothing at ${pointer}`)
  return value
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** The object itself, or the one that its `$ref`s lead to; an empty one where they lead nowhere. */
export function follow(document: Json, value: unknown): Json {
  let found = value
  for (let steps = 0; isJson(found) && typeof found['$ref'] === 'string'; steps++) {
    if (steps > MAX_STEPS) return {}
    try {
      found = at(document, found['$ref'])
    } catch {
      return {}
    }
  }
  return isJson(found) ? found : {}
}

const MAX_STEPS = 100

/** A text as it is, and anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

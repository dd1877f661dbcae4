import { isJson, type Json } from './json.ts'
import type { Schemas } from './schemas.ts'

type Part = Json | boolean

/** Proves that no value fits a schema: why; undefined where that cannot be shown. */
export type Impossible = (schema: unknown) => string | undefined

const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
type Type = (typeof TYPES)[number]
const MAX_DEPTH = 12
const MAX_PARTS = 60

/**
 * A prover for the schemas of one document. Each of its rules is sound: what is said to be impossible is. It knows
 * neither sim nor its generator.
 * @param fits whether a value fits a schema, by a validator
 */
export function createImpossible(
  schemas: Schemas,
  fits: (schema: unknown, value: unknown) => boolean,
): Impossible {
  const named = (part: Part): Part | undefined => {
    const [, number] = isJson(part) ? (/^urn:corpus:(\d+)$/.exec(String(part['$ref'])) ?? []) : []
    return number === undefined ? undefined : schemas.parts[Number(number)]
  }
  // A schema, what it refers to, and the members of its allOf: all of them hold.
  const together = (parts: readonly Part[]): readonly Part[] => {
    const all = new Set<Part>()
    const queue = [...parts]
    for (const part of queue) {
      if (all.has(part) || all.size > MAX_PARTS) continue
      all.add(part)
      const target = named(part)
      if (target !== undefined) queue.push(target)
      if (isJson(part) && Array.isArray(part['allOf'])) queue.push(...(part['allOf'] as Part[]))
    }
    return [...all]
  }
  const why = (given: readonly Part[], above: readonly string[]): string | undefined => {
    const all = together(given)
    if (all.includes(false)) return 'false allows nothing'
    const own = all.filter(isJson)
    // Values are finite: what needs itself within itself has none.
    const key = JSON.stringify(given)
    if (above.includes(key)) return 'it requires itself without end'
    if (above.length > MAX_DEPTH) return undefined
    const within = (parts: readonly Part[]): string | undefined => why(parts, [...above, key])

    const choices = own
      .flatMap((part) => [part['enum'], ...('const' in part ? [[part['const']]] : [])])
      .filter(Array.isArray)
    const [values] = choices as unknown[][]
    const whole: Json = { allOf: given }
    if (values !== undefined && !values.some((value) => fits(whole, value)))
      return 'no value of enum is allowed'
    const types = TYPES.filter((type) => own.every((part) => allows(part, type)))
    if (types.length === 0) return 'types contradict each other'
    for (const part of own)
      for (const word of ['anyOf', 'oneOf']) {
        const members = part[word]
        if (!Array.isArray(members) || above.length > MAX_DEPTH / 2) continue
        const others =
          given.length === 1 && own.length === 1
            ? [withoutWord(part, word)]
            : own.map((each) => (each === part ? withoutWord(part, word) : each))
        const reasons = (members as Part[]).map((member) => why([...others, member], above))
        if (!reasons.includes(undefined)) return `no member of ${word} is possible: ${reasons[0]}`
      }
    const reasons = types.map((type) => whyNot(type, own, within))
    return reasons.includes(undefined) ? undefined : reasons[0]
  }
  return (schema) => why([schemas.convert(schema)], [])
}

function withoutWord(part: Json, word: string): Json {
  const { [word]: _word, ...others } = part
  return others
}

function allows(part: Json, type: Type): boolean {
  const said = [part['type']].flat().filter((each) => typeof each === 'string')
  return said.length === 0 || said.includes(type) || (type === 'number' && said.includes('integer'))
}

function whyNot(
  type: Type,
  all: readonly Json[],
  within: (parts: readonly Part[]) => string | undefined,
): string | undefined {
  const most = (word: string): number =>
    Math.max(...all.map((part) => (typeof part[word] === 'number' ? part[word] : -Infinity)))
  const least = (word: string): number =>
    Math.min(...all.map((part) => (typeof part[word] === 'number' ? part[word] : Infinity)))
  const crossed = (low: string, high: string): string | undefined =>
    most(low) > least(high) ? `${low} is more than ${high}` : undefined
  if (type === 'number') return crossed('minimum', 'maximum')
  if (type === 'string') return crossed('minLength', 'maxLength')
  if (type === 'array') {
    const items = all.map((part) => part['items']).filter(isPart)
    const first = all.some((part) => part['prefixItems'] !== undefined)
    const reason = most('minItems') > 0 && items.length > 0 && !first ? within(items) : undefined
    return crossed('minItems', 'maxItems') ?? (reason && `items: ${reason}`)
  }
  if (type !== 'object') return undefined
  const required = new Set(
    all.flatMap((part) => (Array.isArray(part['required']) ? (part['required'] as string[]) : [])),
  )
  for (const name of required) {
    const parts = all.flatMap((part) => partsOf(part, name))
    const reason = parts.length === 0 ? undefined : within(parts)
    if (reason !== undefined) return `${name}: ${reason}`
  }
  return crossed('minProperties', 'maxProperties')
}

// What a schema of an object says of one of its properties.
function partsOf(part: Json, name: string): readonly Part[] {
  const named =
    isJson(part['properties']) && Object.hasOwn(part['properties'], name) ? [part['properties'][name]] : []
  const patterns = isJson(part['patternProperties']) ? Object.entries(part['patternProperties']) : []
  const matched = patterns.filter(([pattern]) => matches(pattern, name)).map(([, each]) => each)
  const own = [...named, ...matched]
  return (own.length > 0 ? own : [part['additionalProperties']]).filter(isPart)
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return true
  }
}

function isPart(value: unknown): value is Part {
  return isJson(value) || typeof value === 'boolean'
}

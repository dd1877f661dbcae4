import type { Input } from '../../engine/input.ts'
import { linkOf } from '../../engine/links/link.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import { flatten } from '../../engine/schema/merge.ts'
import { createResolver, LINK, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import { itemModelOf } from '../../engine/output.ts'
import { contentStream, type Seed } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { addressOf } from '../../collections/address.ts'

const ANY = '1'

/** Values for a route's path parameters: the input's own, or such as the answer's fields that they name can hold. */
export function sampleParameters(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  input: Input,
  seed: Seed,
): Record<string, string> {
  const values = route.parameters.map((name) => {
    const bound = textOf(input[name])
    return [name, bound ?? generated(route, routes, name, seed) ?? ANY] as const
  })
  return Object.fromEntries(values)
}

function generated(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  name: string,
  seed: Seed,
): string | undefined {
  try {
    const field = fieldOf(route, name) ?? idFieldOf(route, routes, name)
    if (field === undefined) return undefined
    const generate = compileGenerator(field)
    const stream = contentStream(seed, `sample ${route.key}`)
    const value = generate(stream, { route: route.key, input: {}, headers: {}, depth: 0 })
    return textOf((value as Readonly<Record<string, unknown>>)[name])
  } catch {
    // A field that cannot be generated says nothing about the path; the answer will tell what is wrong with it.
    return undefined
  }
}

/** A model with one field: the one of the answer that a link fills with the parameter, or that has its name. */
function fieldOf({ options: { output } }: RouteDefinition, name: string): Schema | undefined {
  if (output === undefined) return undefined
  const model = itemModelOf(output)
  const flat = flatten(model, createResolver(model))
  const properties = propertiesOf(flat)
  const isLinked = (part: Schema): boolean => linkOf(part)?.inputFields.includes(name) === true
  const [, part] =
    properties.find(([, each]) => typeof each === 'object' && isLinked(each)) ??
    properties.find(([property]) => property === name) ??
    []
  if (part === undefined) return undefined
  const definitions = Object.entries(model).filter(([keyword]) => DEFINITIONS.has(keyword))
  return holding(name, part, Object.fromEntries(definitions))
}

const DEFINITIONS = new Set(['$defs', 'definitions', 'components'])

function idFieldOf(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  name: string,
): Schema | undefined {
  if (route.parameters.at(-1) !== name) return undefined
  return holding(name, addressOf(route, routes).idSchema, {})
}

function holding(name: string, part: Schema | boolean, definitions: Schema): Schema | undefined {
  if (typeof part === 'boolean') return undefined
  const { [LINK]: _link, ...unlinked } = part
  return { ...definitions, type: 'object', properties: { [name]: unlinked }, required: [name] }
}

// What stands in a path must be a scalar, not empty, and no step to another path.
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = String(value)
  return text === '' || /^\.\.?$/.test(text) ? undefined : text
}

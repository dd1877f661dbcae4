import { addressOf } from '../../collections/address.ts'
import type { Input } from '../../engine/input.ts'
import { linkOf } from '../../engine/links/link.ts'
import type { Parameter } from '../../engine/operation.ts'
import { itemModelOf } from '../../engine/output.ts'
import { contentStream, type Seed } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import { flatten } from '../../engine/schema/merge.ts'
import { LINK, createResolver, isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'

const ANY = '1'

/** Values for a route's path parameters: the input's own, or such as the answer's fields that they name can hold. */
export function sampleParameters(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  input: Input,
  seed: Seed,
): Record<string, string> {
  const values = route.parameters.map((name) => {
    const bound = pathTextOf(input[name])
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
    return pathTextOf((value as Readonly<Record<string, unknown>>)[name])
  } catch {
    // A field that cannot be generated says nothing about the path; the answer will say what is wrong with it.
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
function pathTextOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = String(value)
  return text === '' || /^\.\.?$/.test(text) ? undefined : text
}

/** How a value is written. */
export interface Style {
  readonly name: string
  readonly style?: Parameter['style'] | undefined
  readonly explode?: boolean | undefined
  readonly mediaType?: string | undefined
}

/** The text of a value in a path or a header, percent-encoded (OpenAPI 3.1, Style Values). */
export function textOf(style: Style, value: unknown): string {
  const { name, style: form = 'simple', explode = false } = style
  if (style.mediaType !== undefined) return encodeURIComponent(JSON.stringify(value))
  if (form === 'matrix') return matrixOf(name, explode, value)
  const separator = form === 'label' && explode ? '.' : ','
  return `${form === 'label' ? '.' : ''}${partsOf(value, explode).join(separator)}`
}

function matrixOf(name: string, explode: boolean, value: unknown): string {
  const key = encodeURIComponent(name)
  if (!explode) return `;${key}=${partsOf(value, false).join(',')}`
  if (Array.isArray(value)) return value.map((each) => `;${key}=${encoded(each)}`).join('')
  return isObject(value)
    ? partsOf(value, true)
        .map((part) => `;${part}`)
        .join('')
    : `;${key}=${encoded(value)}`
}

/** The names and texts of a value in a query, a form or cookies, percent-encoded. */
export function pairsOf(style: Style, value: unknown): [string, string][] {
  const { name, style: form = 'form', explode = true } = style
  const key = encodeURIComponent(name)
  if (style.mediaType !== undefined) return [[key, encodeURIComponent(JSON.stringify(value))]]
  if (isObject(value) && form === 'deepObject')
    return Object.entries(value).map(([field, each]) => [
      `${key}%5B${encodeURIComponent(field)}%5D`,
      encoded(each),
    ])
  if (explode && Array.isArray(value)) return value.map((each) => [key, encoded(each)])
  if (explode && isObject(value))
    return Object.entries(value).map(([field, each]) => [encodeURIComponent(field), encoded(each)])
  return [[key, partsOf(value, false).join(SEPARATORS[form] ?? ',')]]
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

function partsOf(value: unknown, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map(encoded)
  if (!isObject(value)) return [encoded(value)]
  return Object.entries(value).flatMap(([field, each]) =>
    explode ? [`${encodeURIComponent(field)}=${encoded(each)}`] : [encodeURIComponent(field), encoded(each)],
  )
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? '') ?? '')
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))
}

const BOUNDARY = 'sim-sample-boundary'

/** A multipart body of named fields (RFC 7578). */
export function multipart(fields: Readonly<Record<string, unknown>>): {
  readonly type: string
  readonly payload: string
} {
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) => {
      const isData = typeof each === 'object' && each !== null
      const type = isData ? '\r\ncontent-type: application/json' : ''
      const text = typeof each === 'string' ? each : JSON.stringify(each)
      return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${type}\r\n\r\n${text}\r\n`
    }),
  )
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    payload: `${parts.join('')}--${BOUNDARY}--\r\n`,
  }
}

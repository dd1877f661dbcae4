import fc from 'fast-check'
import { createChecker } from '../../engine/schema/checker.ts'
import { coerceText } from '../../engine/schema/coerce.ts'
import { flatten } from '../../engine/schema/merge.ts'
import {
  createResolver,
  isObject,
  propertiesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { partOf } from '../../engine/list-shape.ts'
import { itemModelOf } from '../../engine/output.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { compileStrategy } from '../strategy/compile-strategy.ts'
import { fitting } from '../strategy/strategies.ts'
import { textsOf } from './request.ts'

/** What is drawn for one request. */
export interface Drawn {
  /** A valid input; `undefined` for a route without an input model. */
  readonly input: unknown
  /** A text for each path parameter, for those that the input does not have. */
  readonly texts: Readonly<Record<string, string>>
}

/** Valid inputs of a route, as its requests can carry them. @throws ModelNotGenerable when there are none */
export function drawnStrategy(route: RouteDefinition): fc.Arbitrary<Drawn> {
  const { input } = route.options
  const texts = route.parameters.map((name) => [name, textStrategy(name, route)] as const)
  return fc.record({
    input:
      input === undefined
        ? fc.constant(undefined)
        : compileStrategy(input, { adaptField: carriedBy(route, input) }),
    texts: fc.record(Object.fromEntries(texts), { noNullPrototype: true }),
  })
}

/** The texts of a route's path parameters: those that are given, else those of the input, else those drawn for them. */
export function paramsOf(
  route: RouteDefinition,
  { input, texts }: Drawn,
  given: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string>> {
  const fields = isObject(input) ? input : {}
  const textOf = (name: string): string => textsOf(given[name] ?? fields[name] ?? texts[name])[0] ?? ''
  return Object.fromEntries(route.parameters.map((name) => [name, textOf(name)]))
}

/** The input that a route reads when its path has these parameters. */
export function inputOf(
  { options: { input: model } }: RouteDefinition,
  input: unknown,
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  if (model === undefined) return params
  // A model of something else than fields has nothing that a path could name.
  if (!isObject(input)) return input as Readonly<Record<string, unknown>>
  const resolve = createResolver(model)
  const read = Object.entries(params).flatMap(([name, text]): [string, unknown][] => {
    const part = fieldOf(model, name)
    return part === undefined ? [] : [[name, coerceText(text, part, resolve)]]
  })
  return { ...input, ...Object.fromEntries(read) }
}

function fieldOf(model: Schema, name: string): SchemaOrBoolean | undefined {
  return propertiesOf(flatten(model, createResolver(model))).find(([known]) => known === name)?.[1]
}

// A path carries one text, never an empty one; a query carries texts. What is read back is what was meant.
function carriedBy({ method, parameters }: RouteDefinition, model: Schema) {
  const resolve = createResolver(model)
  const checker = createChecker(model)
  return (name: string, schema: SchemaOrBoolean, strategy: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
    const inPath = parameters.includes(name)
    if (!inPath && method !== 'GET') return strategy
    const readBack = (value: unknown): unknown => coerceText(textsOf(value), schema, resolve)
    const fits = (value: unknown): boolean =>
      (inPath ? fitsPath(textsOf(value)) : textsOf(value).length > 0) &&
      checker.fits(value, typeof schema === 'boolean' ? { allOf: [schema] } : schema)
    return fitting(strategy.map(readBack), fits, `${name}, as a ${inPath ? 'path' : 'query'} carries it`)
  }
}

function textStrategy(name: string, route: RouteDefinition): fc.Arbitrary<string> {
  const texts = parameterStrategy(name, route).map(textsOf)
  return fitting(texts, fitsPath, `the path parameter '${name}'`).map(([text = '']) => text)
}

// A parameter is what the input model says; else most likely the output's field, such as its id; else any text.
function parameterStrategy(name: string, route: RouteDefinition): fc.Arbitrary<unknown> {
  const { input, output } = route.options
  const own = input === undefined ? undefined : fieldOf(input, name)
  if (input !== undefined && own !== undefined) {
    return carriedBy(route, input)(name, own, compileStrategy(partOf(input, own)))
  }
  const item = itemModelOf(output ?? {})
  const isId = route.path.endsWith(`{${name}}`)
  const part = fieldOf(item, name) ?? (isId ? fieldOf(item, 'id') : undefined)
  return compileStrategy(part === undefined ? { type: 'string', minLength: 1 } : partOf(item, part))
}

function fitsPath(texts: readonly string[]): boolean {
  const [text, ...others] = texts
  return text !== undefined && others.length === 0 && !['', '.', '..'].includes(text)
}

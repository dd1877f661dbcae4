import { createResolver, isObject, modelName, propertiesOf, type Schema } from '../model/schema.ts'
import { flatten } from '../model/merge.ts'
import { linkWithin } from '../model/linked.ts'
import { LinksInvalid } from '../../sim-error.ts'
import type { Route } from '../route.ts'
import { orderFields } from './order.ts'

/** What is wrong with a route's links. */
export interface LinkProblems {
  /** Circles, unknown links and malformed arguments: no answer could ever be given. */
  readonly fatal: readonly string[]
  /** Names of fields that are not there: the linked field would be generated instead. */
  readonly unbound: readonly string[]
}

/** Checks every link of a route's output model, each problem with route, model and field. */
export function checkLinks(route: Route): LinkProblems {
  const fatal: string[] = []
  const unbound: string[] = []
  const { input, output } = route.options
  if (output === undefined) return { fatal, unbound }

  const inputFields = new Set(input === undefined ? route.parameters : fieldsOf(input))
  const resolve = createResolver(output)
  const seen = new Set<Schema>()

  const visit = (schema: unknown, model: string, field: string, siblings: ReadonlySet<string>): void => {
    if (!isObject(schema) || seen.has(schema)) return
    seen.add(schema)
    const name = modelName(schema, model)
    const place = `${route.key}: ${name}${field === '' ? '' : `.${field}`}`
    attempt(place, () => {
      const link = linkWithin(schema)?.link
      for (const wanted of link?.inputFields ?? []) {
        if (!inputFields.has(wanted))
          unbound.push(
            `${place}: ${link?.name} reads input field '${wanted}', which the input model does not have`,
          )
      }
      for (const problem of link?.problems() ?? []) unbound.push(`${place}: ${link?.name}: ${problem}`)
      for (const wanted of link?.siblings ?? []) {
        if (!siblings.has(wanted))
          unbound.push(`${place}: ${link?.name} reads field '${wanted}', which ${model} does not have`)
      }
    })
    if (typeof schema['$ref'] === 'string')
      attempt(place, () => visit(resolve(String(schema['$ref'])), name, '', siblings))

    const properties = propertiesOf(schema)
    const names = new Set(properties.map(([property]) => property))
    attempt(place, () => {
      orderFields(
        name,
        new Map(
          properties.map(([key, part]) => [
            key,
            typeof part === 'boolean' ? undefined : linkWithin(part)?.link,
          ]),
        ),
      )
    })
    for (const [property, part] of properties) visit(part, name, property, names)
    for (const keyword of ['items', 'additionalProperties']) visit(schema[keyword], name, field, siblings)
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      for (const part of (schema[keyword] as unknown[] | undefined) ?? []) visit(part, name, field, siblings)
    }
    for (const part of Object.values((schema['patternProperties'] as object | undefined) ?? {}))
      visit(part, name, field, siblings)
  }
  const attempt = (place: string, check: () => void): void => {
    try {
      check()
    } catch (error) {
      const message = error instanceof LinksInvalid ? error.problems.join('; ') : (error as Error).message
      fatal.push(`${place}: ${message}`)
    }
  }
  visit(output, 'the model', '', new Set())
  return { fatal: [...new Set(fatal)], unbound: [...new Set(unbound)] }
}

function fieldsOf(model: Schema): string[] {
  return propertiesOf(flatten(model, createResolver(model))).map(([name]) => name)
}

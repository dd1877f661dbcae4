import { LinksInvalid } from '../../errors.ts'
import { fieldsOf } from '../schema/fields.ts'
import { linksOf, siblingsOf } from '../schema/linked.ts'
import { visitModel, type Fields, type Place } from '../schema/places.ts'
import { placeName } from '../schema/position.ts'
import { createResolver, type Resolve } from '../schema/schema.ts'
import { itemModelOf, outputKind } from '../output.ts'
import type { Operation } from '../operation.ts'
import type { RouteDefinition } from '../route.ts'
import type { BoundLink } from './link.ts'
import { orderFields } from './order.ts'

/** What is wrong with a route's links. */
export interface LinkProblems {
  /** Circles, unknown links and malformed arguments: no answer could ever be given. */
  readonly fatal: readonly string[]
  /** Names of fields that are not there: the linked field would be generated instead. */
  readonly unbound: readonly string[]
}

/**
 * Checks every link of a route's output model, each problem with route, model and field.
 * @param makers the routes that made what this one shows, whose input the links have read
 */
export function checkLinks(route: RouteDefinition, makers: readonly RouteDefinition[] = []): LinkProblems {
  const { output } = route.options
  if (output === undefined) return { fatal: [], unbound: [] }
  const fatal = new Set<string>()
  const unbound = new Set<string>()
  const model = outputKind(output) === 'paged' ? output : itemModelOf(output)
  const resolve = createResolver(model)
  const inputFields = new Set([route, ...makers].flatMap(inputFieldsOf))

  const visitPlace = (place: Place): void => {
    const where = `${route.key}: ${placeName(place.at)}`
    try {
      for (const { link } of linksOf(place.schema, resolve)) {
        for (const problem of findUnbound(link, inputFields, place))
          unbound.add(`${where}: ${link.name}${problem}`)
      }
    } catch (error) {
      fatal.add(`${where}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const visitFields = (fields: Fields): void => {
    for (const problem of findCircles(fields, resolve)) fatal.add(`${route.key}: ${problem}`)
  }
  visitModel(model, resolve, visitPlace, visitFields)
  return { fatal: [...fatal], unbound: [...unbound] }
}

function inputFieldsOf({ options: { input }, parameters, operation }: RouteDefinition): readonly string[] {
  if (operation !== undefined) return operationFieldsOf(operation)
  return input === undefined ? parameters : [...fieldsOf(input, createResolver(input)).keys()]
}

// What an operation reads is one object: its parameters, and the fields of whichever body comes.
function operationFieldsOf({ parameters, body }: Operation): string[] {
  const models = [...(body?.content.values() ?? [])].flatMap(({ model }) =>
    model === undefined ? [] : [model],
  )
  const fields = models.flatMap((model) => [...fieldsOf(model, createResolver(model)).keys()])
  return [...parameters.map(({ name }) => name), ...fields, 'body']
}

function findUnbound(link: BoundLink, inputFields: ReadonlySet<string>, { siblings, at }: Place): string[] {
  return [
    ...link.inputFields
      .filter((name) => !inputFields.has(name))
      .map((name) => ` reads input field '${name}', which the input model does not have`),
    ...link.siblings
      .filter((name) => !siblings.has(name))
      .map((name) => ` reads field '${name}', which ${at.model} does not have`),
    ...link.problems().map((problem) => `: ${problem}`),
  ]
}

// Fields whose links cannot be read have no place in a circle; what is wrong with them is found where they stand.
function findCircles({ at, properties }: Fields, resolve: Resolve): readonly string[] {
  try {
    orderFields(at.model, new Map(properties.map(([name, part]) => [name, siblingsOf(part, resolve)])))
    return []
  } catch (error) {
    return error instanceof LinksInvalid ? error.problems : []
  }
}

import { LinksInvalid } from '../../sim-error.ts'
import { fieldsOf } from '../model/fields.ts'
import { linksOf, siblingsOf } from '../model/linked.ts'
import { visitModel, type Fields, type Place } from '../model/places.ts'
import { placeName } from '../model/position.ts'
import { createResolver, type Resolve } from '../model/schema.ts'
import { itemModelOf } from '../output.ts'
import type { Route } from '../route.ts'
import type { BoundLink } from './link.ts'
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
  const { output } = route.options
  if (output === undefined) return { fatal: [], unbound: [] }
  const fatal = new Set<string>()
  const unbound = new Set<string>()
  const model = itemModelOf(output)
  const resolve = createResolver(model)
  const inputFields = inputFieldsOf(route)

  const visitPlace = (place: Place): void => {
    for (const { link } of linksOf(place.schema, resolve)) {
      for (const problem of findUnbound(link, inputFields, place)) {
        unbound.add(`${route.key}: ${placeName(place.at)}: ${link.name}${problem}`)
      }
    }
  }
  const visitFields = ({ at, properties }: Fields): void => checkOrder(at.model, properties, resolve)

  // Whatever a visit throws is about its place, and the others are still to be seen.
  const report =
    <Visited extends { readonly at: Place['at'] }>(visit: (visited: Visited) => void) =>
    (visited: Visited) => {
      try {
        visit(visited)
      } catch (error) {
        fatal.add(`${route.key}: ${placeName(visited.at)}: ${messageOf(error)}`)
      }
    }
  visitModel(model, resolve, report(visitPlace), report(visitFields))
  return { fatal: [...fatal], unbound: [...unbound] }
}

function inputFieldsOf({ options: { input }, parameters }: Route): ReadonlySet<string> {
  return new Set(input === undefined ? parameters : fieldsOf(input, createResolver(input)).keys())
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

function checkOrder(model: string, properties: Fields['properties'], resolve: Resolve): void {
  orderFields(model, new Map(properties.map(([name, part]) => [name, siblingsOf(part, resolve)])))
}

function messageOf(error: unknown): string {
  if (error instanceof LinksInvalid) return error.problems.join('; ')
  return error instanceof Error ? error.message : String(error)
}

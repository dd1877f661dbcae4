import { LinksInvalid } from '../errors.ts'
import { placeIn, placeText, type Place } from './place.ts'
import type { RouteDefinition } from '../engine/route.ts'

/** One thing wrong with an app. */
export interface Problem {
  readonly kind: 'config' | 'target' | 'route' | 'model' | 'link' | 'answer'
  /** Method and path of the route it was found in. */
  readonly route?: string
  readonly model?: string
  readonly field?: string
  /** Where in a file it is. */
  readonly place?: Place
  /** One line that names all of these. */
  readonly message: string
}

const PLACE =
  /^(?:(the model|[^\s:.]+)(?:\.([^\s:]+))?|the answer does not fit (the model|[^\s:]+): ([^\s:]+)): /

/** A problem of a route. A message that begins with model and field, as in `User.name: …`, says where it is. */
export function routeProblem(kind: Problem['kind'], route: string, message: string): Problem {
  const own = message.startsWith(`${route}: `) ? message.slice(route.length + 2) : message
  const [, ownModel, ownField, answerModel, answerField] = PLACE.exec(own) ?? []
  const [model, field] = [ownModel ?? answerModel, ownField ?? answerField]
  return {
    kind,
    route,
    ...(model !== undefined && { model }),
    ...(field !== undefined && { field }),
    message: `${route}: ${oneLine(own)}`,
  }
}

/** A text without line breaks. */
export function oneLine(text: string): string {
  return text.trim().replace(/(?<!\s)\s*\n\s*/g, ' ')
}

/** The problems without those that say the same. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()]
}

/** The problems of routes that code declares, with the places where it does. */
export function withPlaces(
  problems: readonly Problem[],
  routes: readonly Pick<RouteDefinition, 'key' | 'declaredAt'>[],
): Problem[] {
  const byKey = new Map(routes.map((route) => [route.key, route]))
  return problems.map((problem) => {
    const place = placeIn(byKey.get(problem.route ?? '')?.declaredAt?.stack)
    return place === undefined
      ? problem
      : { ...problem, place, message: `${placeText(place)}: ${problem.message}` }
  })
}

/** Makes something of apps. @throws LinksInvalid with the places of the routes whose links are wrong */
export function withLinkPlaces<Result>(
  routes: () => readonly Pick<RouteDefinition, 'key' | 'declaredAt'>[],
  make: () => Result,
): Result {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof LinksInvalid)) throw error
    const found = routes()
    const problems = error.problems.map((message) => {
      const route = found.find(({ key }) => message.startsWith(`${key}: `))
      return route === undefined
        ? [{ kind: 'link' as const, message }]
        : [routeProblem('link', route.key, message)]
    })
    throw new LinksInvalid(withPlaces(problems.flat(), found).map(({ message }) => message))
  }
}

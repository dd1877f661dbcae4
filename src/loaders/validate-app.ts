import type { SimAPI } from '../api.ts'
import { makersOf } from '../collections/stored-route.ts'
import { checkLinks } from '../engine/links/check-links.ts'
import { LINK } from '../engine/schema/schema.ts'
import { joinRoutes, type RouteDefinition } from '../engine/route.ts'
import { checkAnswers } from './sampling/check-answers.ts'
import { checkExamples } from './sampling/check-examples.ts'
import { checkModels } from './check-models.ts'
import { findShadowed } from './find-shadowed.ts'
import { distinct, routeProblem, type Problem } from './problem.ts'

/** What checking an app found. */
export interface Validation {
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** What a description says that is not simulated. */
  readonly notes: readonly string[]
  /** How many routes were checked. */
  readonly routes: number
  /** How many links their output models have. */
  readonly links: number
}

/** Checks an app's routes, models, links and fixtures without serving it, and without touching what it stores. */
export async function validateApp(api: SimAPI): Promise<Validation> {
  const { routes } = api
  const isApp = api.options.stateful === true
  const checked = routes.map((route) => ({ route, ...checkRoute(route, makersOf(route, routes, isApp)) }))
  // A route that cannot answer at all would only say so again.
  const able = checked.filter(({ fatal }) => fatal.length === 0).map(({ route }) => route)
  const answers = await checkAnswers(api, able)
  return {
    problems: distinct([
      ...findDuplicate(routes),
      ...checked.flatMap(({ fatal, other }) => [...fatal, ...other]),
      ...answers.problems,
    ]),
    warnings: distinct([
      ...findShadowed(routes),
      ...checked.flatMap(({ warnings }) => warnings),
      ...routes.flatMap(checkExamples),
      ...answers.warnings,
    ]),
    notes: [],
    routes: routes.length,
    links: routes.reduce((sum, { options }) => sum + countLinks(options.output), 0),
  }
}

interface CheckedRoute {
  readonly fatal: readonly Problem[]
  readonly other: readonly Problem[]
  readonly warnings: readonly Problem[]
}

function checkRoute(route: RouteDefinition, makers: readonly RouteDefinition[]): CheckedRoute {
  const models = checkModels(route)
  try {
    const { fatal, unbound } = checkLinks(route, makers)
    const linkProblem = (message: string): Problem => routeProblem('link', route.key, message)
    const other = unbound.map(linkProblem)
    // A description's models are shared: what one operation's input has, another's need not have.
    const isShared = route.operation !== undefined
    return {
      fatal: [...models, ...fatal.map(linkProblem)],
      other: isShared ? [] : other,
      warnings: isShared ? other : [],
    }
  } catch (error) {
    return {
      fatal: [...models, routeProblem('model', route.key, (error as Error).message)],
      other: [],
      warnings: [],
    }
  }
}

function findDuplicate(routes: readonly RouteDefinition[]): Problem[] {
  try {
    joinRoutes(routes)
    return []
  } catch (error) {
    return [{ kind: 'route', message: (error as Error).message }]
  }
}

function countLinks(schema: unknown, seen = new Set<unknown>()): number {
  if (schema === null || typeof schema !== 'object' || seen.has(schema)) return 0
  seen.add(schema)
  const own = Object.hasOwn(schema, LINK) ? 1 : 0
  const parts = Object.entries(schema).filter(([keyword]) => keyword !== LINK)
  return parts.reduce((sum, [, part]) => sum + countLinks(part, seen), own)
}

import type { SimAPI } from '../api.ts'
import { makersOf } from '../collections/stored-route.ts'
import { onLimit } from '../engine/limit-notes.ts'
import { checkLinks } from '../engine/links/check-links.ts'
import { hostOf, joinRoutes, type RouteDefinition } from '../engine/route.ts'
import { asTooDeep } from '../engine/schema/too-deep.ts'
import { checkSchema, createChecker } from '../engine/schema/checker.ts'
import { LINK, modelName, type Schema } from '../engine/schema/schema.ts'
import { pathShape } from '../routing/path-template.ts'
import { createRouter } from '../routing/router.ts'
import { distinct, routeProblem, type Problem } from './problem.ts'
import { checkAnswers, checkExamples } from './sampling/check-answers.ts'

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
  const limits: Problem[] = []
  const endNotes = onLimit((message) => limits.push({ kind: 'model', message }))
  try {
    const found = await checkApp(api)
    return { ...found, warnings: distinct([...found.warnings, ...limits]) }
  } finally {
    endNotes()
  }
}

async function checkApp(api: SimAPI): Promise<Validation> {
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
      fatal: [...models, routeProblem('model', route.key, asTooDeep(error as Error).message)],
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

/** What is wrong with a route's input and output models as JSON Schemas. */
export function checkModels(route: RouteDefinition): Problem[] {
  const { input, output } = route.options
  const problems = [
    ...(input === undefined ? [] : problemsOf(input, 'input')),
    ...(output === undefined ? [] : problemsOf(output, 'output')),
  ]
  return distinct(problems.map((message) => routeProblem('model', route.key, message)))
}

function problemsOf(model: Schema, role: string): string[] {
  const name = modelName(model, role)
  // Which meta-schema a model names makes no difference to how it is read.
  const { $schema: _metaSchema, ...own } = model
  const places = new Map<string, string>()
  for (const { path, message } of checkSchema(own)) {
    const place = path.join('.')
    // The first violation of a place says most; those of the places above it follow from it.
    if (![...places.keys()].some((known) => known.startsWith(place))) {
      places.set(place, `${[name, ...fieldOf(path)].join('.')}: ${path.at(-1) ?? 'the schema'}: ${message}`)
    }
  }
  return places.size > 0 ? [...places.values()] : unusable(model).map((message) => `${name}: ${message}`)
}

// In a schema, the names of fields follow the keyword that holds them.
function fieldOf(path: readonly (string | number)[]): (string | number)[] {
  return path.filter((_part, index) => path[index - 1] === 'properties')
}

// A reference to nothing and a pattern that is not an expression are valid by the meta-schema.
function unusable(model: Schema): string[] {
  try {
    createChecker(model).fits(null)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Routes that are never reached, because another one answers their paths on the same host. */
export function findShadowed(routes: readonly RouteDefinition[]): Problem[] {
  const hosts = new Set(routes.map(hostOf))
  return [...hosts].flatMap((host) => findShadowedOn(routes.filter((route) => hostOf(route) === host)))
}

function findShadowedOn(routes: readonly RouteDefinition[]): Problem[] {
  const router = createRouter(routes)
  // Of several routes with one path, each has the requests that its conditions say.
  const routerOfPaths = createRouter(routes.map(({ key, method, path }) => ({ key, method, path })))
  return routes.flatMap((route) => {
    const request = { method: route.method, path: route.path.replace(/\{[^{}]+\}/g, 'sim-sample') }
    const answering = (route.when === undefined ? router : routerOfPaths).match(request)?.route
    if (answering === undefined || answering.key === route.key) return []
    if (route.when !== undefined && pathShape(answering.path) === pathShape(route.path)) return []
    return [routeProblem('route', route.key, `never reached, since ${answering.key} answers its paths`)]
  })
}

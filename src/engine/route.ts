import { DuplicateRoute, OptionInvalid } from '../errors.ts'
import { listShapeOf } from './list-shape.ts'
import { itemModelOf, outputKind } from './output.ts'
import { createChecker } from './schema/checker.ts'
import { fieldsOf } from './schema/fields.ts'
import { createResolver, isObject, type Schema } from './schema/schema.ts'
import { isStandard, schemaOfModel, type Role } from './schema/standard.ts'
import type { Operation } from './operation.ts'
import { namesOf, pathShape } from '../routing/path-template.ts'
import type { RouteMatch } from '../routing/router.ts'
import type { RouteOptions } from './route-options.ts'

/** The methods a route can be declared for; the last three by an API description only. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE'

/** A route as the engine answers it. */
export interface RouteDefinition {
  readonly method: Method
  /** The path template, such as `/users/{id}`. */
  readonly path: string
  /** Method, host if it names one, and path: what seeds, counters and messages call the route. */
  readonly key: string
  /** Names of the path's parameters, in order. */
  readonly parameters: readonly string[]
  readonly options: RouteOptions<Schema>
  /** What an API description says beyond the options, for a route declared by one. */
  readonly operation?: Operation
}

/** The declared route of a request, and the path's parameters. */
export type Match = RouteMatch<RouteDefinition>

/**
 * A checked route.
 * @param findProblem what is wrong with the values of the options, for those that a user gives
 * @throws OptionInvalid naming the route and the option that cannot be
 */
export function createRoute(
  method: Method,
  path: string,
  options: RouteOptions,
  findProblem: (options: RouteOptions) => string | undefined = () => undefined,
): RouteDefinition {
  const key = `${method} ${options.host ?? ''}${path}`
  const parameters = namesOf(path)
  const known = { ...options, ...schemasOf(key, options) } as RouteOptions<Schema>
  const problem =
    findPathProblem(path, parameters) ?? findProblem(known) ?? findOptionProblem(known, parameters)
  if (problem !== undefined) throw new OptionInvalid(`${key}: ${problem}`)
  return { method, path, key, parameters, options: known }
}

// The models as JSON Schema. What is not a model at all is left to the checks of the options.
function schemasOf(key: string, options: RouteOptions): Partial<Record<Role, Schema>> {
  const roles = (['input', 'output'] as const).filter(
    (role) => isStandard(options[role]) || isObject(options[role]),
  )
  return Object.fromEntries(
    roles.map((role) => {
      try {
        return [role, schemaOfModel(options[role] ?? {}, role)]
      } catch (error) {
        throw new OptionInvalid(`${key}: ${role}: ${(error as Error).message}`, { cause: error })
      }
    }),
  )
}

function findPathProblem(path: string, parameters: readonly string[]): string | undefined {
  if (!path.startsWith('/')) return "the path must start with '/'"
  if (/[?#]/.test(path)) return 'the path must not hold a query or a fragment'
  if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, ''))) return 'the path has a brace without its partner'
  const twice = parameters.find((name, index) => parameters.indexOf(name) !== index)
  return twice === undefined ? undefined : `the path names the parameter '${twice}' twice`
}

// What does not go together in the options of a route, naming the option; `undefined` when all does.
function findOptionProblem(options: RouteOptions<Schema>, parameters: readonly string[]): string | undefined {
  return findNameProblem(options, parameters) ?? findPageProblem(options)
}

// Options that name a field name one that is there.
function findNameProblem(options: RouteOptions<Schema>, parameters: readonly string[]): string | undefined {
  const { input, output, listCount, filterBy, seedFrom } = options
  const inputFields = input === undefined ? parameters : fieldNamesOf(input)
  const named = { seedFrom, filterBy, listCount: typeof listCount === 'string' ? listCount : undefined }
  for (const [option, field] of Object.entries(named)) {
    if (field !== undefined && !inputFields.includes(field)) {
      return `${option} names the input field '${field}', which is not there. Fields: ${inputFields.join(', ') || 'none'}`
    }
  }
  if (filterBy === undefined) return undefined
  const outputFields = output === undefined ? [] : fieldNamesOf(itemModelOf(output))
  if (outputFields.includes(filterBy)) return undefined
  return `filterBy names the output field '${filterBy}', which is not there. Fields: ${outputFields.join(', ') || 'none'}`
}

function findPageProblem({ output, pageTable }: RouteOptions<Schema>): string | undefined {
  if (outputKind(output) === 'paged' && listShapeOf(output ?? {}, '') === undefined)
    return 'output is Paged(model) of a model that neither is a list nor has one'
  if (pageTable === undefined) return undefined
  const kind = outputKind(output)
  if (output === undefined || (kind !== 'list' && kind !== 'slice')) {
    return 'pageTable requires list(model) or PageSlice(model) as output'
  }
  const checker = createChecker(itemModelOf(output))
  for (const row of pageTable.rows) {
    const [violation] = checker.check(row)
    if (violation !== undefined) {
      return `pageTable has a row that does not fit: ${violation.path.join('.')}: ${violation.message}, in ${JSON.stringify(row).slice(0, 80)}`
    }
  }
  return undefined
}

function fieldNamesOf(model: Schema): string[] {
  return [...fieldsOf(model, createResolver(model)).keys()]
}

/** The host that a route answers for alone, if it names one. */
export function hostOf({ options }: RouteDefinition): string | undefined {
  return options.host
}

/** A route that answers for a host alone, unless it names one itself. What is read when it is needed stays so. */
export function withHost(route: RouteDefinition, host: string): RouteDefinition {
  const { method, path, options } = route
  if (options.host !== undefined) return route
  const own = Object.defineProperties(
    { host },
    Object.getOwnPropertyDescriptors(options),
  ) as RouteOptions<Schema>
  return { ...route, key: `${method} ${host}${path}`, options: own }
}

/** Whether a route reads and changes stored items, in an app that does or does not. */
export function isStateful({ options, operation }: RouteDefinition, app: boolean): boolean {
  return options.stateful ?? operation?.stateful ?? app
}

/** The routes of several sources in one list. @throws DuplicateRoute when two answer the same method, host and path */
export function joinRoutes(routes: readonly RouteDefinition[]): readonly RouteDefinition[] {
  const taken = new Set<string>()
  for (const { method, path, options } of routes) {
    const shape = `${method} ${options.host?.toLowerCase() ?? ''}${pathShape(path)}`
    if (taken.has(shape)) throw new DuplicateRoute(method, path)
    taken.add(shape)
  }
  return routes
}

import type { CallSite } from './call-site.ts'
import { DuplicateRoute, OptionInvalid } from '../errors.ts'
import { listShapeOf } from './list-shape.ts'
import { itemModelOf, outputKind } from './output.ts'
import { createChecker } from './schema/checker.ts'
import { fieldsOf } from './schema/fields.ts'
import { createResolver, isObject, type Schema } from './schema/schema.ts'
import { isStandard, schemaOfModel, type Role } from './schema/standard.ts'
import type { SavedAnswers } from './saved-answer.ts'
import type { GraphqlSource } from './graphql-source.ts'
import type { Operation } from './operation.ts'
import { compileWhen, whenKey, whenName, type CompiledCondition } from '../routing/condition.ts'
import { MAX_SEGMENTS, namesOf, pathShape } from '../routing/path-template.ts'
import type { RouteMatch } from '../routing/router.ts'
import type { RouteOptions } from './route-options.ts'

/** The methods that a route can be declared for: those of `http.METHODS` but CONNECT, which has no path. */
export type Method =
  | ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE' | 'QUERY')
  // WebDAV and its extensions (RFC 4918, 3253, 3648, 3744, 4791, 5323, 5842).
  | ('ACL' | 'BIND' | 'CHECKOUT' | 'COPY' | 'LOCK' | 'MERGE' | 'MKACTIVITY' | 'MKCALENDAR' | 'MKCOL' | 'MOVE')
  | ('PROPFIND' | 'PROPPATCH' | 'REBIND' | 'REPORT' | 'SEARCH' | 'UNBIND' | 'UNLOCK')
  | ('LINK' | 'UNLINK' | 'PURGE' | 'SOURCE' | 'M-SEARCH' | 'NOTIFY' | 'SUBSCRIBE' | 'UNSUBSCRIBE')

/** A route as the engine answers it. */
export interface RouteDefinition {
  readonly method: Method
  /** The path template, such as `/users/{id}`. */
  readonly path: string
  /** Method, host if it names one, path, and after `#` its name if it has one: what seeds, counters and messages call it. */
  readonly key: string
  /** What distinguishes its requests from those of other routes with this method and path. */
  readonly when?: readonly CompiledCondition[] | undefined
  /** Names of the path's parameters, in order. */
  readonly parameters: readonly string[]
  readonly options: RouteOptions<Schema>
  /** What an API description says beyond the options, for a route declared by one. */
  readonly operation?: Operation
  /** Answers that are saved for it, for a route of a collection. */
  readonly saved?: SavedAnswers
  /** The schema that it answers by, for a route of GraphQL. */
  readonly graphql?: GraphqlSource
  /** Where code declares it. */
  readonly declaredAt?: CallSite
}

/** The declared route of a request, and the path's parameters. */
export type Match = RouteMatch<RouteDefinition>

/**
 * A checked route.
 * @param given the path template, and after `#` the name of one of several routes with this method and path
 * @param findProblem what is wrong with the values of the options, for those that a user gives
 * @throws OptionInvalid naming the route and the option that cannot be
 */
export function createRoute(
  method: Method,
  given: string,
  options: RouteOptions,
  findProblem: (options: RouteOptions) => string | undefined = () => undefined,
): RouteDefinition {
  const [path = '', ...rest] = given.split('#')
  const parameters = namesOf(path)
  const named = `${method} ${options.host ?? ''}${given}`
  const known = { ...options, ...schemasOf(named, options) } as RouteOptions<Schema>
  const problem =
    findPathProblem(path, parameters) ?? findProblem(known) ?? findOptionProblem(known, parameters)
  if (problem !== undefined) throw new OptionInvalid(`${named}: ${problem}`)
  const { when } = options
  const conditions = when && compileWhen(when)
  const name = rest.length > 0 ? rest.join('#') : conditions && whenName(conditions)
  const key = keyOf(method, options.host, path, name)
  return {
    method,
    path,
    key,
    parameters,
    options: known,
    ...(conditions !== undefined && { when: conditions }),
  }
}

/** What a route is called. @param name of one of several with this method and path */
export function keyOf(method: Method, host: string | undefined, path: string, name?: string): string {
  return `${method} ${host ?? ''}${path}${name === undefined ? '' : `#${name}`}`
}

/** The name of a route among those with its method and path; `undefined` for one without. */
export function nameOf({ key }: Pick<RouteDefinition, 'key'>): string | undefined {
  const mark = key.indexOf('#')
  return mark < 0 ? undefined : key.slice(mark + 1)
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
  if (path.includes('?'))
    return 'the path must not hold a query or a fragment: when: { query: name } says which query a route is for'
  if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, ''))) return 'the path has a brace without its partner'
  if (path.split('/').length > MAX_SEGMENTS) return `the path has more than ${MAX_SEGMENTS} parts`
  const twice = parameters.find((name, index) => parameters.indexOf(name) !== index)
  return twice === undefined ? undefined : `the path names the parameter '${twice}' twice`
}

// What does not go together in the options of a route, naming the option; `undefined` when all does.
function findOptionProblem(options: RouteOptions<Schema>, parameters: readonly string[]): string | undefined {
  return findNameProblem(options, parameters) ?? findPageProblem(options)
}

// Options that name a field name one that is there.
function findNameProblem(options: RouteOptions<Schema>, parameters: readonly string[]): string | undefined {
  const { input, output, listCount, filterBy, seedFrom, select, login } = options
  const inputFields = input === undefined ? parameters : fieldNamesOf(input)
  // Who logs in gives the field of its owner.
  const requested = filterBy === login?.owner ? undefined : filterBy
  const named = {
    seedFrom,
    filterBy: requested,
    listCount: typeof listCount === 'string' ? listCount : undefined,
  }
  for (const [option, field] of Object.entries(named)) {
    if (field !== undefined && !inputFields.includes(field)) {
      return `${option} names the input field '${field}', which is not there. Fields: ${inputFields.join(', ') || 'none'}`
    }
  }
  if (filterBy === undefined || Object.hasOwn(select?.aliases ?? {}, filterBy)) return undefined
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
  return { ...route, key: keyOf(method, host, path, nameOf(route)), options: own }
}

/** Whether a route reads and changes stored items, in an app that does or does not. */
export function isStateful({ options, operation, graphql }: RouteDefinition, app: boolean): boolean {
  if (options.file !== undefined || graphql !== undefined) return true
  return options.stateful ?? operation?.stateful ?? app
}

/**
 * The routes of several sources in one list.
 * @throws DuplicateRoute when nothing distinguishes the requests of two, or both have the same name
 */
export function joinRoutes(routes: readonly RouteDefinition[]): readonly RouteDefinition[] {
  const places = new RoutePlaces()
  for (const route of routes) places.take(route)
  return routes
}

/** The requests that routes of one list answer. */
export class RoutePlaces {
  readonly #taken = new Map<string, RouteDefinition>()
  readonly #named = new Set<string>()

  /** @throws DuplicateRoute when another route has its place or its name; then it has taken neither */
  take(route: RouteDefinition): void {
    const { method, path, options, when, key } = route
    const place = `${method} ${options.host?.toLowerCase() ?? ''}${pathShape(path)}`
    const shape = when === undefined ? place : `${place}#${whenKey(when)}`
    const other = this.#taken.get(shape)
    if (other !== undefined) {
      const isNamed = nameOf(other) !== undefined || nameOf(route) !== undefined
      throw new DuplicateRoute(method, path, isNamed ? [other.key, key] : [])
    }
    if (when !== undefined && this.#named.has(key)) throw new DuplicateRoute(method, path, [key])
    this.#taken.set(shape, route)
    this.#named.add(key)
  }
}

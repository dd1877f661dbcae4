import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { checkSimOptions, type SimOptions } from './options/app-options.ts'
import { loadConfig } from './options/config-file.ts'
import { findMethodProblem } from './http/methods.ts'
import { findRouteOptionProblem } from './options/route-options.ts'
import { createEngine, DEFAULT_MAX_ITEMS } from './simulation/engine.ts'
import type { Engine } from './engine/engine.ts'
import { callSiteOf } from './engine/call-site.ts'
import { checkLinks } from './engine/links/check-links.ts'
import { declaringDirectory } from './engine/fixtures/json-fixtures.ts'
import './engine/links/built-in.ts'
import type { RouteOptions } from './engine/route-options.ts'
import {
  createRoute,
  isStateful,
  joinRoutes,
  RoutePlaces,
  withHost,
  type Method,
  type RouteDefinition,
} from './engine/route.ts'
import { createMemoryStore } from './state/memory-store.ts'
import { makersOf } from './collections/stored-route.ts'
import type { Seed } from './engine/random.ts'
import { hostedPath, readSeed, seedCollection, type SeedFixture } from './collections/seed.ts'
import type { Store } from './state/store.ts'
import { createCounters, type MemoryCounters } from './state/counters.ts'
import { createGateway, gatewayPlugin, type AppGatewayOptions } from './gateway.ts'
import { checkMiddleware, type ConnectMiddleware, type Middleware, type Plugin } from './http/middleware.ts'
import { mount, type Parent } from './http/mount.ts'
import type { OpenApiDocument } from './openapi/export/document.ts'
import { toOpenApi } from './openapi/export/to-openapi.ts'
import { LinksInvalid, OptionInvalid } from './errors.ts'
import { readSnapshot, writeSnapshot } from './state/snapshot-file.ts'

/** Options that win over an app's own where it is served. */
export interface Overrides extends Pick<SimOptions, 'seed' | 'stateful' | 'dynamic' | 'cors'> {
  /** Whether the seed was drawn after all, so that `seedFrom` may stand in for it. */
  readonly seedDrawn?: boolean
}

const BRAND = Symbol.for('sim-gateway.SimAPI')

/** Declares simulated routes and serves them. */
export class SimAPI {
  readonly [BRAND] = true
  /** The seed in use: the one given, or the one drawn. */
  readonly seed: number
  /** What stateful routes keep; all apps made of this one share it. */
  readonly store: Store = createMemoryStore()
  readonly #options: SimOptions
  readonly #scenarios: MemoryCounters = createCounters()
  readonly #routes: RouteDefinition[] = []
  readonly #places = new RoutePlaces()
  #document: (() => OpenApiDocument) | undefined
  readonly #middleware: Middleware[] = []

  /** @throws OptionInvalid when an option is not known or has a value it cannot have */
  constructor(options: SimOptions = {}) {
    checkSimOptions(options)
    const defaults = options.configPath === undefined ? {} : loadConfig(options.configPath, process.cwd())
    const given = Object.entries(options).filter(([, value]) => value !== undefined)
    this.#options = { ...defaults, ...Object.fromEntries(given) }
    this.seed = this.#options.seed ?? randomInt(2 ** 31)
  }

  /** An app with the options of a config file, which is looked for unless named; overrides win. */
  static fromConfig(path?: string, overrides: SimOptions = {}): SimAPI {
    return new SimAPI({ ...loadConfig(path, process.cwd()), ...overrides })
  }

  /** Whether a value is an app, even one made by another copy of this package. */
  static is(value: unknown): value is SimAPI {
    return value !== null && typeof value === 'object' && BRAND in value
  }

  /** Declares a GET route; its input is the query and the path's parameters. The handler is never called. */
  get(path: string, options: RouteOptions = {}, handler?: unknown): this {
    return this.#declare('GET', path, options, handler)
  }

  /** Declares a POST route; its input is the JSON body and the path's parameters. */
  post(path: string, options: RouteOptions = {}, handler?: unknown): this {
    return this.#declare('POST', path, options, handler)
  }

  /** Declares a PUT route; its input is the JSON body and the path's parameters. */
  put(path: string, options: RouteOptions = {}, handler?: unknown): this {
    return this.#declare('PUT', path, options, handler)
  }

  /** Declares a PATCH route; its input is the JSON body and the path's parameters. */
  patch(path: string, options: RouteOptions = {}, handler?: unknown): this {
    return this.#declare('PATCH', path, options, handler)
  }

  /** Declares a DELETE route; its input is the path's parameters and a JSON body, if one comes. */
  delete(path: string, options: RouteOptions = {}, handler?: unknown): this {
    return this.#declare('DELETE', path, options, handler)
  }

  /**
   * Declares a route of any method that Node takes, such as PROPFIND or QUERY. The input of GET and HEAD is the query.
   * @throws OptionInvalid for another method
   */
  route(method: Method, path: string, options: RouteOptions = {}): this {
    const problem = findMethodProblem(method)
    if (problem !== undefined) throw new OptionInvalid(`${method} ${path}: ${problem}`)
    return this.#declare(method, path, options, undefined)
  }

  /**
   * Adds routes that were made elsewhere, such as those of an API description, as they are.
   * @param document the OpenAPI document that describes them; made when it is first needed
   * @throws DuplicateRoute when one of them answers what another route does
   * @throws OptionInvalid when another document describes routes of the app already
   */
  addRoutes(routes: readonly RouteDefinition[], document?: () => OpenApiDocument): this {
    const { host } = this.#options
    const own = host === undefined ? routes : routes.map((route) => withHost(route, host))
    joinRoutes([...this.#routes, ...own])
    if (document !== undefined && this.#document !== undefined)
      throw new OptionInvalid('SimAPI: the routes of an app can be described by one document only')
    this.#document ??= document
    for (const route of own) {
      this.#routes.push(route)
      this.#places.take(route)
    }
    return this
  }

  /** The declared routes, in order. */
  get routes(): readonly RouteDefinition[] {
    return [...this.#routes]
  }

  /** The app's options, those of its config file included. */
  get options(): SimOptions {
    return this.#options
  }

  /**
   * The engine that answers the routes declared so far.
   * @param overrides a store or options in place of the app's own
   * @throws LinksInvalid when links cannot work
   */
  engine(
    overrides: Omit<Overrides, 'seed'> & { readonly seed?: Seed | undefined; readonly store?: Store } = {},
  ): Engine<Store> {
    const { validateLinks, validateResponses, verboseErrors, store } = this.#options
    const stateful = (overrides.stateful ?? this.#options.stateful) === true
    const dynamic = overrides.dynamic ?? this.#options.dynamic
    const isAnyStateful = stateful || this.#routes.some((route) => isStateful(route, false))
    // The links of a description's routes are checked when they are first requested, as all of their models are.
    // What is found out about a list of routes is remembered, and this one may grow.
    const routes = [...this.#routes]
    const declared = routes.filter(({ operation }) => operation === undefined)
    const problems = declared.map((route) => checkLinks(route, makersOf(route, routes, stateful)))
    const found = problems.flatMap(({ fatal, unbound }) => [
      ...fatal,
      ...(validateLinks === true ? unbound : []),
    ])
    if (found.length > 0) throw new LinksInvalid(found)
    return createEngine({
      routes,
      seed: overrides.seed ?? this.seed,
      seedDrawn: overrides.seedDrawn ?? (overrides.seed === undefined && this.#options.seed === undefined),
      ...(validateResponses !== undefined && { validateResponses }),
      ...(verboseErrors !== undefined && { verboseErrors }),
      ...(dynamic !== undefined && { dynamic }),
      ...(isAnyStateful && { store: overrides.store ?? this.store, stateful }),
      ...(store?.maxItems !== undefined && { maxItems: store.maxItems }),
    })
  }

  /** The app as a Fastify instance, ready to listen or to inject requests. @throws LinksInvalid as `engine` does */
  asWebApp(): FastifyInstance {
    return createGateway(this.gatewayOptions())
  }

  /** Serves the app below a path of a Fastify, Express or plain Node `http` parent. */
  async mountInto(parent: Parent, prefix = '/'): Promise<void> {
    await mount(parent, prefix, { plugin: gatewayPlugin(this.gatewayOptions()), app: () => this.asWebApp() })
  }

  /** Adds a Fastify plugin or Connect-style middleware; what is added first sees a request first. */
  addMiddleware(use: Plugin | ConnectMiddleware, options?: Record<string, unknown>): this {
    checkMiddleware(use)
    this.#middleware.push({ use, options })
    return this
  }

  /** Empties one collection of the store, such as `/users`, or all of them. */
  clearStore(path?: string): void {
    this.store.clear(path === undefined ? undefined : hostedPath(path, this.#options.host))
  }

  /**
   * Starts a collection such as `/users` with items, as if they had been created: all of them or none.
   * @param items the items, or where in a JSON file their list lies; the path is relative to the calling file
   * @throws SeedInvalid when there is no such list, an item does not fit the collection's model; ItemExists when an id comes twice
   */
  seedStore(path: string, items: readonly unknown[] | SeedFixture): void {
    const maxItems = this.#options.store?.maxItems ?? DEFAULT_MAX_ITEMS
    const list = Array.isArray(items) ? items : readSeed(items as SeedFixture, declaringDirectory())
    seedCollection(path, list, { store: this.store, routes: [...this.#routes], seed: this.seed, maxItems })
  }

  /** Saves the store to a file, which is replaced whole. @throws SnapshotInvalid when it cannot be written */
  saveStore(file: string): void {
    writeSnapshot(file, this.store.snapshot())
  }

  /** Replaces the store by what a file holds. @throws SnapshotInvalid when it is missing or no snapshot */
  restoreStore(file: string): void {
    this.store.restore(readSnapshot(file))
  }

  /** Starts every scenario again at its first step. */
  resetScenarios(): void {
    this.#scenarios.reset()
  }

  /**
   * The OpenAPI 3.1 document of the declared routes.
   * @param examples a sampled success answer per route key
   */
  openapi(examples?: ReadonlyMap<string, unknown>): OpenApiDocument {
    return toOpenApi([...this.#routes], { ...this.#options, described: this.#document?.() }, examples)
  }

  /** What a gateway needs to serve this app. */
  gatewayOptions(overrides: Overrides = {}): AppGatewayOptions {
    return {
      engine: this.engine(overrides),
      scenarios: this.#scenarios,
      middleware: this.#middleware,
      cors: overrides.cors ?? this.#options.cors,
      openapi: () => this.openapi(),
    }
  }

  /** Other frameworks' users expect to write a handler; it is a placeholder. */
  #declare(method: Method, path: string, options: RouteOptions, _handler: unknown): this {
    const { host, listCount, serverUrls, requires, errorAnswers } = this.#options
    const defaults = {
      ...(host !== undefined && { host }),
      ...(listCount !== undefined && { listCount }),
      ...(serverUrls !== undefined && { serverUrls }),
      ...(requires !== undefined && { requires }),
      ...(errorAnswers !== undefined && { errorAnswers }),
    }
    const route = createRoute(method, path, { ...defaults, ...options }, findRouteOptionProblem)
    this.#places.take(route)
    this.#routes.push({ ...route, declaredAt: callSiteOf(this.#declare) })
    return this
  }
}

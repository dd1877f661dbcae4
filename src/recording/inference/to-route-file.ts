import { answerOf } from './answer-place.ts'
import type { KnownAnswer } from '../../engine/known-answer.ts'
import { splitItemPath } from '../../routing/path-template.ts'
import { elsewhereOf, type Resource, resourceOf, wholeWriteOf } from './resources.ts'
import type { IncludedOption, Selection } from '../../engine/route-options.ts'
import type { Schema } from '../../engine/schema/schema.ts'
import { compareTexts } from '../../grouping.ts'
import { whenData } from '../../pipeline/when-option.ts'
import { type FixtureData, fixtureData } from './fixture-answers.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Inference } from './infer-routes.ts'
import { embedsIn } from './embedded.ts'
import { findIncluded } from './included.ts'
import { isAlwaysEmpty, isAnsweredEmpty, itemOption } from './item-option.ts'
import { hideInModels, withIdBeside } from './beside-option.ts'
import { registerOption } from './logins/register-option.ts'
import { withOpenOutput } from './open-output.ts'
import { commonRefusals, refusalData } from './refusal-data.ts'
import type { StoredModel } from './resource-models.ts'
import { outputOf } from './route-output.ts'
import { selectOf } from './select-option.ts'
import { storedModels } from './stored-models.ts'
import { withStored } from './written-model.ts'

/** The answers that a route knows, and which other requests get the nearest of them. */
export interface WrittenAnswers {
  readonly answers: readonly KnownAnswer[]
  readonly nearest: 'all' | 'failures'
  /** Where requests say which answer is theirs, where the answers are a table. */
  readonly by?: string | undefined
}

/** A file of data-only routes as data, and the JSON files that it names. */
interface RouteFile {
  readonly document: Readonly<Record<string, unknown>>
  /** By path relative to the route file. */
  readonly fixtures: ReadonlyMap<string, unknown>
  /** The answers that routes know, likewise. */
  readonly answers: ReadonlyMap<string, readonly KnownAnswer[]>
}

/**
 * Writes inferred routes down as a person would: models by name, routes in order of their paths.
 * @param known the answers that routes know beforehand, by their keys
 */
export function toRouteFile(
  inference: Inference,
  known: ReadonlyMap<string, WrittenAnswers> = new Map(),
): RouteFile {
  const { routes, resources, serverUrls } = inference
  const models = new Map<string, Schema>()
  const fixtures = new Map<string, unknown>()
  const answers = new Map<string, readonly KnownAnswer[]>()
  const stored = storedModels(inference)
  const hiding: { readonly name: string; readonly output: unknown }[] = []
  const store: Record<string, unknown> = {}
  for (const resource of resources.toSorted((a, b) => compareTexts(a.path, b.path))) {
    for (const [collection, items] of [...resource.seeds].toSorted(([a], [b]) => compareTexts(a, b))) {
      if (items.length === 0) continue
      const place = `${resource.host ?? ''}${collection}`
      const path = freePath(place, fixtures)
      fixtures.set(path, items)
      const unseen = resource.unseen.get(collection) ?? []
      store[place] = { path, ...(unseen.length > 0 && { unseen }) }
    }
  }
  const isStateful = resources.length > 0 || routes.some(({ login }) => login !== undefined)
  const common = commonRefusals(routes.map(({ refusals }) => refusals))
  const entries = routes.toSorted(byPlace).map((route): [string, unknown] => {
    const { method } = route
    const place = placeOfRoute(route)
    const path = freePath(method === 'GET' ? place : `${place}-${method.toLowerCase()}`, fixtures)
    const fixture = route.fixtures && fixtureData(route.fixtures, path)
    if (fixture !== undefined) fixtures.set(path, fixture.document)
    const isTaken = isStateful && (route.isFailure || speaksOfItems(route, resources))
    const key = `${method} ${place}`
    const own = known.get(key)
    const calls = route.calls && { path: callsPath(route, fixtures) }
    if (calls !== undefined) fixtures.set(calls.path, route.calls)
    const answersPath = path.replace('fixtures/', 'answers/')
    if (own !== undefined) answers.set(answersPath, own.answers)
    const shown = own?.nearest === 'all' || calls !== undefined ? withOpenOutput(route) : route
    const resource = resourceOf(resources, route)
    const siblings = (): readonly InferredRoute[] =>
      routes.filter((each) => resourceOf(resources, each) === resource)
    const around = {
      models,
      stored: stored.get(route),
      resource,
      resources,
      siblings,
      fixture,
      isTaken,
      common,
    }
    const inferred = withIdBeside(routeData(shown, around), route.idBeside, around.stored?.model)
    if (route.idBeside !== undefined && route.idBeside.item === undefined)
      hiding.push({ name: route.idBeside.name, output: inferred['output'] })
    const data = calls === undefined ? inferred : { ...inferred, calls }
    if (own === undefined) return [key, data]
    const by = own.by === undefined ? {} : { nearest_by: [own.by] }
    return [key, { ...data, answers: { path: answersPath }, nearest: own.nearest, ...by }]
  })
  hideInModels(models, hiding)
  const named = [...models].toSorted(([a], [b]) => compareTexts(a, b))
  const options = {
    ...(isStateful && { stateful: true }),
    ...(serverUrls.length > 0 && { server_urls: serverUrls }),
    ...refusalData(common, {}),
  }
  const document = {
    ...(Object.keys(options).length > 0 && { options }),
    ...(named.length > 0 && { models: Object.fromEntries(named) }),
    routes: Object.fromEntries(entries),
    ...(Object.keys(store).length > 0 && { store }),
  }
  return { document, fixtures, answers }
}

// One file for all operations of a path.
function callsPath({ method, calls, ...route }: InferredRoute, taken: ReadonlyMap<string, unknown>): string {
  const known = [...taken].find(([, document]) => document === calls)
  return known?.[0] ?? freePath(`${addressOf({ method, ...route })}-${method.toLowerCase()}-calls`, taken)
}

// A store would answer lists and items of any path, and keep what is posted to it.
function speaksOfItems(route: InferredRoute, resources: Inference['resources']): boolean {
  const { host, method, path, output } = route
  if (route.isApart === true) return true
  if (resources.some((each) => each.host === host && each.path === path)) return false
  if (resources.some((each) => elsewhereOf(each, route) !== undefined)) return false
  if (splitItemPath(path) !== undefined) return true
  if (method === 'GET') return output !== undefined && output.form !== 'single'
  return method === 'POST' && output !== undefined
}

/** Other methods come after these, by name. */
const FIRST_METHODS = ['DELETE', 'PATCH', 'PUT', 'POST', 'HEAD', 'GET']

/** Orders routes by where they are, then by method and name. */
export function byPlace(a: InferredRoute, b: InferredRoute): number {
  return (
    compareTexts(addressOf(a), addressOf(b)) ||
    FIRST_METHODS.indexOf(b.method) - FIRST_METHODS.indexOf(a.method) ||
    compareTexts(a.method, b.method) ||
    compareTexts(a.name ?? '', b.name ?? '')
  )
}

/** A route's place, after its method, as its key has it. */
export function placeOfRoute(route: InferredRoute): string {
  return `${addressOf(route)}${route.name === undefined ? '' : `#${route.name}`}`
}

function addressOf({ host = '', path }: InferredRoute): string {
  return `${host}${path}`
}

// A path that no other file has.
function freePath(name: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'root'
  let path = `fixtures/${plain}.json`
  for (let count = 2; taken.has(path); count++) path = `fixtures/${plain}-${count}.json`
  return path
}

/** What the file around a route has, which the route may use. */
interface Surroundings {
  /** Models by name; new ones are added. */
  readonly models: Map<string, Schema>
  /** The model of the items that the route reads or writes; `undefined` where nothing is stored. */
  readonly stored: StoredModel | undefined
  /** The collection that the route is of. */
  readonly resource: Resource | undefined
  readonly resources: readonly Resource[]
  /** The routes of the collection. */
  readonly siblings: () => readonly InferredRoute[]
  readonly fixture: FixtureData | undefined
  /** Whether a store that is there would answer in the route's place. */
  readonly isTaken: boolean
  /** What most routes refuse. */
  readonly common: ReturnType<typeof commonRefusals>
}

/** A route's options as data files name them. */
function routeData(route: InferredRoute, around: Surroundings): Readonly<Record<string, unknown>> {
  const { method, input, headers, paging, errors, errorCodes } = route
  if (route.file !== undefined)
    return {
      ...(route.when !== undefined && { when: whenData(route.when) }),
      file: route.file,
      ...refusalData(route.refusals ?? {}, around.common),
    }
  const isStored = around.stored !== undefined
  const other = around.resource && elsewhereOf(around.resource, route)
  const whole = around.resource && wholeWriteOf(around.resource, route)
  const isPut = method === 'PUT' && other === undefined && whole === undefined
  const puts = isStored && isPut ? around.resource?.writes.puts : undefined
  const status = puts?.made ?? route.status
  const isList = isStored && (method === 'GET' || whole !== undefined) && route.output?.form !== 'single'
  const isOfOwner = isList && method === 'GET' && route.login?.owner !== undefined
  const chosen = selectOf(route, around, isList)
  const select = isOfOwner ? withoutOwner(chosen, route.login?.owner) : chosen
  const counted = other?.does === 'count' || other?.does === 'first' ? other.select : undefined
  const aliases = isList && other?.alias !== undefined ? { [other.filter ?? '']: other.alias } : {}
  const selected = {
    ...select,
    ...counted,
    ...(Object.keys(aliases).length > 0 && { aliases: { ...select.aliases, ...aliases } }),
  }
  // What answers is not what is stored.
  const isNotItem = other?.does === 'create' && !other.isShown
  const output = outputOf(route, around, isNotItem, whole !== undefined)
  const includes = isStored && method === 'GET' ? includedIn(route, around) : undefined
  const own = around.resource && itemOption(route, around.resource, around.stored)
  const embeds = isStored || other?.does === 'part' ? embedsIn(route, other?.does === 'part') : undefined
  const registered = isStored ? undefined : registerOption(route)
  const more = {
    ...registered,
    ...(includes !== undefined && { includes }),
    ...(embeds !== undefined && { embeds }),
  }
  const item = Object.keys(more).length === 0 ? own : { ...own, ...more }
  // A store answers deletions with 204 by default.
  const usual = method === 'DELETE' ? 204 : 200
  const [list] = isStored ? [] : (paging?.lists.values() ?? [])
  const listCount = route.listCount ?? list?.total ?? (isStored || !isAlwaysEmpty(route) ? undefined : 0)
  return {
    ...(route.when !== undefined && { when: whenData(route.when) }),
    ...(route.entity !== undefined && { entity: route.entity }),
    ...(input !== undefined && {
      input: withStored(input, method === 'GET' || whole !== undefined ? undefined : around.stored),
    }),
    ...(output !== undefined && { output }),
    ...(status !== usual && { status }),
    ...(isStored && !isList && !isNotItem && isAnsweredEmpty(route) && { empty_body: true }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(route.login !== undefined && { login: route.login }),
    ...(route.forbids.length > 0 && { forbids: route.forbids }),
    ...refusalData(route.refusals ?? {}, around.common, isStored),
    ...(listCount !== undefined && { list_count: listCount }),
    ...(isList && other?.filter !== undefined && { filter_by: other.filter }),
    ...(isOfOwner && { filter_by: route.login?.owner }),
    ...(Object.keys(selected).length > 0 && { select: selected }),
    ...(item !== undefined && { item }),
    ...(paging?.tokens && { page_tokens: paging.tokens }),
    ...(((keepsSent(other, around.stored) && method !== 'GET') || registered?.drops !== undefined) && {
      keeps_sent: true,
    }),
    ...(around.isTaken && !isStored && registered === undefined && { stateful: false }),
    ...(errors.length > 0 && {
      errors: errors.map(({ field, equals, exchanges: _exchanges, ...answer }) => ({
        when: { field, equals },
        ...answer,
      })),
    }),
    ...(errorCodes.length > 0 && { error_codes: errorCodes }),
  }
}

// Whose items are listed is said by who asks.
function withoutOwner(select: Selection, owner = ''): Selection {
  const { usual: { [owner]: _owner, ...usual } = {}, ...rest } = select
  return Object.keys(usual).length === 0 ? rest : { ...rest, usual }
}

function includedIn(route: InferredRoute, { resource, resources }: Surroundings): IncludedOption | undefined {
  const { form, list } = route.output ?? {}
  const single = resource && answerOf(route.samples, route.status, resource.place)
  const from = form === 'single' ? single : list === undefined ? undefined : [list]
  return from === undefined || from.length === 0 ? undefined : findIncluded(route, from, resources)
}

function keepsSent(other: Elsewhere | undefined, stored: StoredModel | undefined): boolean {
  return other?.does === 'change' ? other.keepsSent === true : stored?.sent !== undefined
}

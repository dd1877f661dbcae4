import { asTooDeep } from '../../engine/schema/too-deep.ts'
import { pathAbout } from '../../collections/address.ts'
import type { SimAPI } from '../../api.ts'
import type { Seed } from '../../engine/random.ts'
import { isStateful, type RouteDefinition } from '../../engine/route.ts'
import { collectionPath, namesOf, pathShape, splitItemPath } from '../../routing/path-template.ts'
import { createOperationDrafts } from './sample-operation.ts'
import { sampleParameters } from './sample-parameters.ts'
import { withConditions } from './sample-condition.ts'
import { createSampleInput, createSampleRequest, type Draft } from './sample-request.ts'
import { createSamplingGateway, type SamplingGateway } from './sampling-gateway.ts'

/** What came of sampling a route. */
export type Sample = AnsweredSample | UnansweredSample

/** A route that gave its ordinary answer. */
export interface AnsweredSample {
  readonly kind: 'answered'
  readonly route: RouteDefinition
  readonly status: number
  /** `undefined` for an empty answer. */
  readonly body: unknown
}

/** A route that `refused` every sampled request, or `failed` because its models or links do not work. */
export interface UnansweredSample {
  readonly kind: 'refused' | 'failed'
  readonly route: RouteDefinition
  readonly reason: string
}

const MAX_ATTEMPTS = 10
// Samples of an app without a seed of its own come out the same each time too.
const DEFAULT_SEED = 0

/**
 * One answer of each route, from a copy of the app: nothing the app stores or counts is touched.
 * @param routes the routes to sample, all unless given
 * @throws LinksInvalid when all routes are sampled and links cannot work
 */
export async function sampleRoutes(
  api: SimAPI,
  routes: readonly RouteDefinition[] = api.routes,
): Promise<Sample[]> {
  const seed = api.options.seed ?? DEFAULT_SEED
  const gateway = createSamplingGateway(api, routes, seed)
  const sampler: Sampler = {
    gateway,
    routes,
    seed,
    stateful: api.options.stateful === true,
    drafts: new Map(),
  }
  try {
    const samples: Sample[] = []
    for (const route of routes) samples.push(await sampleRoute(route, sampler))
    return samples
  } finally {
    await gateway.close()
  }
}

/** Makes requests to a route: another one for each attempt; `undefined` when no input was found. */
type Drafts = (attempt: number) => Draft | undefined

interface Sampler {
  readonly gateway: SamplingGateway
  readonly routes: readonly RouteDefinition[]
  readonly seed: Seed
  readonly stateful: boolean
  readonly drafts: Map<RouteDefinition, Drafts>
}

// A refusal may be due to the input that was drawn, such as one that a mapped error speaks of.
async function sampleRoute(route: RouteDefinition, sampler: Sampler): Promise<Sample> {
  let refusal: Sample | undefined
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const sample = await attemptRoute(route, sampler, attempt)
    if (sample.kind !== 'refused') return sample
    refusal ??= sample
  }
  return refusal as Sample
}

async function attemptRoute(route: RouteDefinition, sampler: Sampler, attempt: number): Promise<Sample> {
  const { gateway, stateful } = sampler
  await gateway.reset()
  try {
    const draft = draftOf(route, sampler, attempt)
    if (draft === undefined) return { kind: 'refused', route, reason: NO_INPUT }
    const { parameters, missing }: Prepared = isStateful(route, stateful)
      ? await createItem(route, draft.parameters, sampler, attempt)
      : draft
    const { status, body, reason, broke } = await gateway.send(
      withConditions(draft.request(parameters), route.when),
    )
    // Nobody is logged in here, and what refuses that may have any status.
    if (!broke && route.options.login !== undefined && route.options.login.does !== 'register')
      return { kind: 'answered', route, status, body: undefined }
    if (status < 400 || status === route.options.status) return { kind: 'answered', route, status, body }
    if (broke) return { kind: 'failed', route, reason }
    const because = status === 404 && isOfItem(route) && missing !== undefined ? ` (${missing})` : ''
    return { kind: 'refused', route, reason: `answered ${status}: ${reason}${because}` }
  } catch (error) {
    return { kind: 'failed', route, reason: asTooDeep(error as Error).message }
  }
}

const NO_INPUT = 'no input was found that fits its input model'

function draftOf(
  route: RouteDefinition,
  { drafts, routes, seed }: Sampler,
  attempt: number,
): Draft | undefined {
  const drafted = drafts.get(route) ?? createDrafts(route, routes, seed)
  drafts.set(route, drafted)
  return drafted(attempt)
}

function createDrafts(route: RouteDefinition, routes: readonly RouteDefinition[], seed: Seed): Drafts {
  if (route.operation !== undefined) return createOperationDrafts(route, route.operation, seed)
  const sample = createSampleInput(route, seed)
  return (attempt) => {
    const input = sample(attempt)
    return (
      input && {
        parameters: sampleParameters(route, routes, input, seed),
        request: (parameters) => createSampleRequest(route, input, parameters),
      }
    )
  }
}

interface Prepared {
  readonly parameters: Readonly<Record<string, string>>
  /** Why there is no item that the route could speak of. */
  readonly missing?: string
}

/** Stores an item that a stateful route can then speak of; gives the route's parameters with the item's id. */
async function createItem(
  route: RouteDefinition,
  parameters: Readonly<Record<string, string>>,
  sampler: Sampler,
  attempt: number,
): Promise<Prepared> {
  const creator = findCreator(route, sampler.routes)
  if (creator === undefined) {
    const missing = 'no POST or PUT route is declared that creates an item'
    return { parameters: await createParent(route, parameters, sampler, attempt), missing }
  }
  const draft = draftOf(creator, sampler, attempt)
  if (draft === undefined) return { parameters, missing: `${creator.key}, which creates items: ${NO_INPUT}` }

  const values = route.parameters.map((name) => parameters[name] ?? '')
  const wanted = Object.fromEntries(creator.parameters.map((name, index) => [name, values[index] ?? '']))
  const own = await createParent(creator, wanted, sampler, attempt)
  const { status, reason } = await sampler.gateway.send(withConditions(draft.request(own), creator.when))
  if (status >= 400)
    return { parameters, missing: `${creator.key}, which creates items, answered ${status}: ${reason}` }

  const [id, name] = [sampler.gateway.lastId(), route.parameters.at(-1)]
  const given = namesOf(pathAbout(creator)).length
  const hasNewId = id !== undefined && name !== undefined && given < route.parameters.length
  return { parameters: hasNewId ? { ...parameters, [name]: id } : parameters }
}

/** Stores the item that has to be there for a route; gives the route's parameters with its id. */
async function createParent(
  route: RouteDefinition,
  parameters: Readonly<Record<string, string>>,
  sampler: Sampler,
  attempt: number,
): Promise<Readonly<Record<string, string>>> {
  const { parent } = route.options.item ?? {}
  const above = sampler.routes.find(
    (each) => parent !== undefined && each.method !== 'POST' && isSamePath(pathAbout(each), parent),
  )
  const draft = above && draftOf(above, sampler, attempt)
  if (above === undefined || draft === undefined) return parameters
  const known = await createItem(above, draft.parameters, sampler, attempt)
  const values = above.parameters.map((name) => known.parameters[name])
  return Object.fromEntries(
    route.parameters.map((name, index) => [name, values[index] ?? parameters[name] ?? '']),
  )
}

/**
 * The route whose request makes a stateful app hold an item that another route speaks of: the POST of its collection,
 * or else the PUT of the same item. `undefined` where there is none, and for a route that creates items itself.
 */
export function findCreator(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
): RouteDefinition | undefined {
  const about = pathAbout(route)
  if (route.method === 'POST' && (about === route.path || !isOfItem(route))) return undefined
  const collection = collectionPath(about)
  const find = (method: string, path: string): RouteDefinition | undefined =>
    routes.find((each) => each.method === method && isSamePath(pathAbout(each), path))

  const post = find('POST', collection)
  if (post !== undefined || !isOfItem(route) || route.method === 'PUT') return post
  return find('PUT', route.path)
}

/** Whether a route speaks of one item of a collection, whose id ends its path. */
function isOfItem(route: RouteDefinition): boolean {
  return splitItemPath(pathAbout(route)) !== undefined
}

function isSamePath(one: string, other: string): boolean {
  return pathShape(one) === pathShape(other)
}

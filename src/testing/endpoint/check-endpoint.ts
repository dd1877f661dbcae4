import fc from 'fast-check'
import { isObject } from '../../engine/schema/schema.ts'
import { createRouter } from '../../routing/router.ts'
import { ModelNotGenerable } from '../../errors.ts'
import { drawnStrategy, inputOf, paramsOf, type Drawn } from './drawn.ts'
import { EndpointFailed, Mismatch } from './endpoint-failed.ts'
import { bearerOf, type Endpoint, type Sender } from './endpoint.ts'
import { createJudge, readBody, type Judge } from './judge.ts'
import { BASE_URL, buildRequest, type SentRequest, reasonOf, send } from './request.ts'

/**
 * Sends many valid requests to an endpoint.
 * @param open gives the sender of the next request; called before each
 * @throws EndpointFailed with the smallest request that is answered wrongly
 */
export async function checkEndpoint(endpoint: Endpoint, open: () => Sender | Promise<Sender>): Promise<void> {
  const { route, stored, numRuns = 100, seed, replayPath } = endpoint
  const tools: Tools = { judge: createJudge(endpoint), reaches: createReach(endpoint) }
  const drawn = fc.record({
    main: drawnStrategy(route),
    item: stored?.creation === undefined ? fc.constant(undefined) : drawnStrategy(stored.creation),
  })
  const property = fc.asyncProperty(drawn, async ({ main, item }) => {
    await sendOne(endpoint, main, item, await open(), tools)
  })
  const details = await fc.check(property, {
    numRuns,
    ...(seed !== undefined && { seed }),
    ...(replayPath !== undefined && { path: replayPath }),
  })
  if (!details.failed) return

  const { errorInstance, counterexamplePath } = details
  if (errorInstance instanceof Mismatch) {
    const replay = { seed: details.seed, path: counterexamplePath ?? '', appSeed: endpoint.appSeed }
    throw new EndpointFailed(route.key, errorInstance, replay)
  }
  if (errorInstance instanceof Error) throw errorInstance
  throw new ModelNotGenerable(`${route.key}: hardly any path that is drawn for it leads to it`)
}

interface Tools {
  readonly judge: Judge
  readonly reaches: Reach
}

async function sendOne(
  endpoint: Endpoint,
  drawn: Drawn,
  item: Drawn | undefined,
  sender: Sender,
  { judge, reaches }: Tools,
): Promise<void> {
  const { route, headers, baseUrl, pathParams } = endpoint
  const own = paramsOf(route, drawn, pathParams)
  const created = await createItem(endpoint, item, own, sender)
  const params = { ...own, ...created.params }
  const request = buildRequest(route, { input: drawn.input, params, headers, baseUrl })
  fc.pre(reaches(request, params))

  const at = { input: inputOf(route, drawn.input, params), requests: [...created.requests, request] }
  const { response, text } = await send(request, sender).catch((cause: unknown) => {
    throw new Mismatch(`no answer came: ${reasonOf(cause)}`, { ...at, answer: undefined }, cause)
  })
  if (created.mayBeAbsent && response.status === 404) return
  const verdict = await judge({ input: at.input, response, text })
  if (verdict === undefined) return
  const { status, statusText } = response
  throw new Mismatch(verdict.what, { ...at, answer: { status, statusText, text } }, verdict.cause)
}

type Reach = (request: SentRequest, params: Readonly<Record<string, string>>) => boolean

// A text such as `me` may lead to another route, and two dots to none.
function createReach({ route, routes, baseUrl = BASE_URL }: Endpoint): Reach {
  const all = routes.includes(route) ? routes : [route]
  const router = createRouter(all.filter(({ options }) => options.host === route.options.host))
  const prefix = new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, '')
  return ({ url }, params) => {
    const match = router.match({ method: route.method, path: new URL(url).pathname.slice(prefix.length) })
    return match?.route === route && route.parameters.every((name) => match.params[name] === params[name])
  }
}

/** What was done so that a stateful route has something to find. */
interface Creation {
  /** Path parameters that the created item gives. */
  readonly params: Readonly<Record<string, string>>
  readonly requests: readonly SentRequest[]
  /** Whether the item that the path names may not be there. */
  readonly mayBeAbsent: boolean
}

/** Creates an item for a stateful route, below the same path; nothing for other routes, or where it cannot be created. */
export async function createItem(
  { route, stored, headers, baseUrl }: Endpoint,
  drawn: Drawn | undefined,
  params: Readonly<Record<string, string>>,
  sender: Sender,
): Promise<Creation> {
  const none = { params: {}, requests: [], mayBeAbsent: stored?.byId === true }
  if (stored?.creation === undefined || drawn === undefined) return none
  const { creation, byId } = stored

  // The two paths may name the same parameter differently; its place is the same.
  const shared = creation.parameters.map((name, index) => [name, params[route.parameters[index] ?? ''] ?? ''])
  const request = buildRequest(creation, {
    input: drawn.input,
    params: paramsOf(creation, drawn, Object.fromEntries(shared) as Record<string, string>),
    headers: { ...headers, ...bearerOf(creation) },
    baseUrl,
  })
  const { response, text } = await send(request, sender).catch((cause: unknown) => {
    const at = { input: drawn.input, requests: [request], answer: undefined }
    throw new Mismatch(`no item could be created by ${creation.key}: ${reasonOf(cause)}`, at, cause)
  })
  const body = readBody(text)
  if (!response.ok) return none
  if (!byId) return { params: {}, requests: [request], mayBeAbsent: false }

  const idName = route.parameters.at(-1) ?? 'id'
  const id = isObject(body) ? (body[idName] ?? body['id']) : undefined
  const isUsable = (typeof id === 'string' || typeof id === 'number') && !['', '.', '..'].includes(String(id))
  return isUsable ? { params: { [idName]: String(id) }, requests: [request], mayBeAbsent: false } : none
}

import { isObject } from '../../engine/schema/schema.ts'
import { paramsOf, type Drawn } from './drawn.ts'
import { type Endpoint, type Sender, bearerOf } from './endpoint.ts'
import { readBody } from './judge.ts'
import { Mismatch } from './endpoint-failed.ts'
import { buildRequest, type SentRequest, reasonOf, send } from './request.ts'

/** What was done so that a stateful route has something to find. */
export interface Creation {
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

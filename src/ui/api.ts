/** What the control plane answers an error with. */
interface ErrorBody {
  readonly detail?: unknown
  readonly code?: string
}

/** An answer of the control plane that is an error. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, body: ErrorBody) {
    const { detail, code } = body
    const text = Array.isArray(detail)
      ? detail.map(
          (each: { loc?: unknown[]; msg?: string }) => `${(each.loc ?? []).join('.')}: ${each.msg ?? ''}`,
        )
      : [typeof detail === 'string' ? detail : `The gateway answered ${status}`]
    super(text.join('\n') + (code === undefined ? '' : ` (${code})`))
    this.status = status
  }
}

const TOKEN = 'sim-token'

/** What requests are about: the token of this tab, and the session that was chosen. */
export const access = {
  token: sessionStorage.getItem(TOKEN) ?? '',
  session: '',
  /** Called where the gateway does not take the token. */
  onRefused: (): void => undefined,
}

/** Keeps a token for this tab. */
export function keepToken(token: string): void {
  access.token = token
  sessionStorage.setItem(TOKEN, token)
}

/** Where the control plane is: the page is served by it. */
const BASE = new URL('./', location.href)

/** Where what the gateway itself answers begins. */
export const GATEWAY = new URL('../', BASE)

type Query = Readonly<Record<string, string | number | boolean | undefined>>

function request(method: string, path: string, query: Query, init: RequestInit): Promise<Response> {
  const url = new URL(path, BASE)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  const headers = new Headers(init.headers)
  // A header holds no other characters.
  if (/^[!-~]+$/.test(access.token)) headers.set('authorization', `Bearer ${access.token}`)
  if (access.session !== '') headers.set('x-sim-session', access.session)
  return fetch(url, { ...init, method, headers, cache: 'no-store' })
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  const body = (await response.json().catch(() => ({}))) as ErrorBody
  if (response.status === 401) access.onRefused()
  throw new ApiError(response.status, body)
}

/**
 * Asks the control plane.
 * @throws ApiError for an answer that is an error: 412 where an ETag is given that is not that of what is changed
 */
export async function ask<Answer>(
  method: string,
  path: string,
  {
    query = {},
    body,
    etag,
  }: { readonly query?: Query; readonly body?: unknown; readonly etag?: string | undefined } = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(etag !== undefined && { 'if-match': etag }) }
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers }
  const response = await checked(await request(method, path, query, init))
  return (await response.json()) as Answer
}

/** An answer, and of several gateways with a shared state the one that it is about, where it is about one. */
export interface Answered<Answer> {
  readonly data: Answer
  readonly gateway: string | undefined
  readonly etag?: string | undefined
}

/** Reads from the control plane: JSON, or else a text. @throws ApiError for an answer that is an error */
export async function read<Answer>(path: string, query: Query = {}): Promise<Answered<Answer>> {
  const response = await checked(await request('GET', path, query, {}))
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const data = (await (isJson ? response.json() : response.text())) as Answer
  const { headers } = response
  return {
    ...{ data, gateway: headers.get('x-sim-state-gateway') ?? undefined },
    etag: headers.get('etag') ?? undefined,
  }
}

/** One event of a stream. */
export interface StreamEvent {
  readonly event: string
  readonly data: string
}

/**
 * Reads server-sent events until the stream ends or the signal aborts; those that came together are given together.
 * @throws ApiError for an answer that is an error
 */
export async function readEvents(
  path: string,
  query: Query,
  signal: AbortSignal,
  onEvents: (events: readonly StreamEvent[]) => void,
  onOpen: () => void = () => undefined,
): Promise<void> {
  const response = await checked(await request('GET', path, query, { signal }))
  if (response.body === null) return
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const end = text.lastIndexOf('\n\n')
    if (end < 0) continue
    const events = text.slice(0, end).split('\n\n').flatMap(eventIn)
    text = text.slice(end + 2)
    if (events.length > 0) onEvents(events)
  }
}

function eventIn(block: string): StreamEvent[] {
  let event = 'message'
  let data: string | undefined
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7)
    else if (line.startsWith('data: ')) data = line.slice(6)
  }
  return data === undefined ? [] : [{ event, data }]
}

/** What went wrong, as a text for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

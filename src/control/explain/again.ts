import { RequestElsewhere, RequestNotRebuilt, SimError } from '../../errors.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import type { MemoryRequest, MemoryResponse } from '../../http/memory-transport.ts'
import type { Watch } from '../../pipeline/rerun.ts'
import { RecordedRequest } from '../../state/journal-record.ts'
import { createPastSession, pastOf, type Past } from '../../state/past.ts'
import type { Session } from '../../state/session.ts'
import type { Store } from '../../state/store.ts'
import type { ControlParts, ControlRequest } from '../operation.ts'
import { findRecord, notThere } from '../request-details.ts'

/**
 * A request of any session, and what is requested about it as one of its own session.
 * @throws RequestNotKept, RequestElsewhere
 */
export function requestAgain(
  id: number,
  request: ControlRequest,
): readonly [record: RecordedRequest, request: ControlRequest] {
  const { record, session } = findRecord(id, request) ?? {}
  if (session !== undefined && record instanceof RecordedRequest) return [record, { ...request, session }]
  if (record?.gateway !== undefined) throw new RequestElsewhere(id, record.gateway)
  throw notThere(id, request)
}

/** The declared route that answered a request; `undefined` where none did. */
export function routeOf(
  { route }: RecordedRequest,
  { engine }: Pick<ControlParts, 'engine'>,
): RouteDefinition | undefined {
  return route === undefined ? undefined : engine.routes.find(({ key }) => key === route)
}

/** Faults that break whatever is answered; those of streams leave other answers whole. */
const BREAKING: readonly string[] = ['reset', 'empty', 'truncate', 'garbage', 'hang']
const SIMULATING: readonly string[] = ['simulate', 'shadow']

/** Why the answer to a request cannot be made again; `undefined` where nothing is in the way. */
export function obstacleOf(record: RecordedRequest, parts: Pick<ControlParts, 'engine'>): string | undefined {
  const { mode, source, chaos, method, head, sent, isBodyRead, status } = record
  if (source === 'upstream') return 'an upstream answered it, which the gateway cannot'
  if (source === 'recording' || !SIMULATING.includes(mode))
    return `it was answered in mode ${mode}, from a recording or an upstream; replay the recording itself`
  if (source === 'adapter') return 'an adapter answered it, whose state is not kept'
  if (chaos?.override !== undefined)
    return `override ${chaos.override} answered it, and overrides are not kept`
  if (chaos?.fault !== undefined && BREAKING.includes(chaos.fault.kind))
    return `the fault ${chaos.fault.kind} broke its response`
  const route = routeOf(record, parts)
  if (route === undefined) return 'no declared route answered it'
  const { answers, calls } = route.options
  if (answers !== undefined || calls !== undefined)
    return 'its route answers as was recorded, after whatever requests came before, and those are not run again'
  if (status === undefined) return 'its connection ended without a response'
  if (record.responseLength === undefined) return 'its response was a stream'
  const length = head.headers['content-length'] ?? '0'
  const hasBody = head.headers['transfer-encoding'] !== undefined || length !== '0'
  if (hasBody && sent === undefined && isBodyRead)
    return method === 'GET'
      ? 'it was a GET with a body, which is not kept'
      : `its body was not kept: it was ${whyNotKept(head.headers)}`
  return undefined
}

function whyNotKept(headers: RecordedRequest['head']['headers']): string {
  const coding = headers['content-encoding']
  if (coding !== undefined && coding !== 'identity') return `in the content coding ${String(coding)}`
  if (/^multipart\//i.test(String(headers['content-type'] ?? ''))) return 'a multipart body'
  return 'more than 16 KiB, or came in pieces that were not read at once'
}

/** A request as it came. */
export function requestOf({
  method,
  head: { scheme, url, prefix, host, headers },
  sent,
  admitted,
}: RecordedRequest): MemoryRequest {
  // Whose limit is the client's is known by its address.
  const [, remoteAddress] =
    admitted?.map(({ key }) => key.split('\nclient\n')).find((parts) => parts.length > 1) ?? []
  return {
    ...{ method, scheme, url, prefix, host, headers },
    ...(sent !== undefined && { body: Buffer.from(sent, 'latin1') }),
    ...(remoteAddress !== undefined && { remoteAddress }),
  }
}

/** How an answer that was made again compares with the one that was sent. */
export interface Comparison {
  readonly same: boolean
  /** What of it is still known. */
  readonly compared: 'bytes' | 'length' | 'status'
  readonly detail: string
}

/** Compares status and body; what only a length was kept of, by that. */
export function compare(record: RecordedRequest, { status, body }: MemoryResponse): Comparison {
  if (status !== record.status)
    return {
      same: false,
      compared: 'status',
      detail: `it answers ${status} now, and answered ${record.status}`,
    }
  if (record.method === 'HEAD') return { same: true, compared: 'status', detail: 'a HEAD has no body' }
  const bytes = sentBytes(record)
  if (bytes === undefined) {
    const same = body.length === record.responseLength
    const detail = `of its body only the length was kept, ${record.responseLength} bytes`
    return { same, compared: 'length', detail: same ? detail : `${detail}; it has ${body.length} now` }
  }
  const same = bytes.equals(body)
  return { same, compared: 'bytes', detail: same ? 'its body has the same bytes' : differenceOf(bytes, body) }
}

function sentBytes(record: RecordedRequest): Buffer | undefined {
  const { responseBody, responseBytes, rewriteBody, responseLength, head } = record
  const known = rewriteBody === undefined ? (responseBody ?? responseBytes) : rewriteBody(head)
  if (known === undefined) return responseLength === 0 ? Buffer.alloc(0) : undefined
  return typeof known === 'string' ? Buffer.from(known, 'latin1') : Buffer.from(known)
}

function differenceOf(sent: Buffer, now: Buffer): string {
  const at = sent.findIndex((byte, index) => byte !== now[index])
  return `its body differs from byte ${at < 0 ? sent.length : at} on: ${sent.length} bytes were sent, and it has ${now.length} now`
}

/** A session as it was when a request came. @param watchStore has its store watched */
export function pastSession(
  past: Past,
  session: Session,
  watchStore = (store: Store): Store => store,
): Session {
  const store = past.store && watchStore(past.store)
  return createPastSession({ ...past, store }, session.redactor)
}

const MAX_MS = 10_000

/** Runs a request again as it came. @throws RequestNotRebuilt where it cannot be */
export async function runAgain(
  record: RecordedRequest,
  { session, rerun, engine }: Pick<ControlRequest, 'session' | 'rerun' | 'engine'>,
  watch?: Watch,
  watchStore?: (store: Store) => Store,
): Promise<{ readonly past: Past; readonly response: MemoryResponse }> {
  const obstacle = obstacleOf(record, { engine })
  if (obstacle !== undefined) throw new RequestNotRebuilt(record.id, obstacle)
  const past = pastOf(record, session)
  const answered = rerun(requestOf(record), pastSession(past, session, watchStore), watch)
  return { past, response: await withinTime(record.id, answered) }
}

/** @throws RequestNotRebuilt for what does not answer in time */
export async function withinTime(id: number, answered: Promise<MemoryResponse>): Promise<MemoryResponse> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new RequestNotRebuilt(id, 'it did not answer in time')), MAX_MS)
  })
  try {
    return await Promise.race([answered, late])
  } catch (error) {
    if (SimError.is(error)) throw error
    throw new RequestNotRebuilt(id, (error as Error).message)
  } finally {
    clearTimeout(timer)
  }
}

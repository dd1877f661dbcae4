import type { CallModel } from '../engine/call-model.ts'
import type { Input } from '../engine/input.ts'
import { parseQuery } from '../engine/query.ts'
import { entryOf } from '../grouping.ts'
import { answerCalls } from '../recording/calls/answer-calls.ts'
import { createObjects } from '../recording/calls/objects.ts'
import { lazy } from '../engine/lazy.ts'
import { canonicalText } from '../engine/random.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { Forbidden, SimError, Unauthorized } from '../errors.ts'
import { keepBytes, readBytes, streamOf } from '../http/read-body.ts'
import { mediaKindOf } from '../media-type.ts'
import type { Awaitable, HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Handler, Route } from '../pipeline/route.ts'
import {
  bodyValueOf,
  createKnownAnswers,
  keyOfUser,
  refusedKey,
  requestKey,
} from '../recording/match/known-answers.ts'
import { jsonBodyOf } from '../recording/match/body-value.ts'
import { keyOfLogin } from '../recording/match/login-key.ts'
import { createOwnNaming } from '../recording/match/own-urls.ts'
import { isFailure, type SubjectAnswer, subjectOf, type SubjectRequest } from '../recording/match/subject.ts'
import { compileWhen, meetsRequired } from '../routing/condition.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import type { AppEngine } from '../simulation/engine.ts'
import type { Item } from '../state/store.ts'
import { readFileBytes } from './file-route.ts'
import { createInput, giveUp, isJsonAsOther, readBody } from './request-body.ts'

/** What routes that know answers are compiled with. */
interface KnownParts {
  readonly engine: AppEngine
  /** Hides the secrets of requests that are compared. */
  readonly redactor: Redactor
  /** Whether answers that are known are not given to their own requests, to see what others would get. */
  readonly leavesOutKnown?: boolean | undefined
}

/**
 * A route that gives the answers it knows for single requests, and notes what requests change, on which such answers
 * depend. The route handles those requests too, for what it stores.
 */
export function withKnownAnswers(
  route: Route,
  definition: RouteDefinition,
  { engine, redactor, leavesOutKnown = false }: KnownParts,
): Route {
  const { options, method } = definition
  const { nearest, errorAnswers = {} } = options
  const subject = subjectOf(definition)
  const { root } = subject
  const required = compileWhen(options.requires ?? [])
  const { isForbidden } = route.policies
  const hasBody = method !== 'GET'
  const answers = lazy(() =>
    createKnownAnswers(options.answers ?? [], {
      method,
      redactor,
      by: options.nearestBy,
      forbids: options.forbids,
      login: options.login,
    }),
  )
  const read = createInput(() => engine.inputReader(definition))
  // Routes with the same model have the same objects.
  const modelKey = lazy(() => canonicalText(options.calls))
  const requests = new WeakMap<Exchange, ReadRequest>()
  const naming = createOwnNaming(options.serverUrls ?? [])

  const readOf = (exchange: Exchange): ReadRequest =>
    requests.get(exchange) ?? {
      ...{ key: '', named: '', url: exchange.url, body: undefined, text: undefined, leftOut: undefined },
    }

  const userFields = Object.keys(
    options.answers?.find(({ when }) => when.user !== undefined)?.when.user ?? {},
  )
  const userOf = (exchange: Exchange): Awaitable<Item | undefined> => {
    const { session, match } = exchange
    if (match === undefined) return undefined
    return session.transact((store) => engine.userOf(match, exchange, { store, seed: session.seed }))
  }
  const bytesOf = async (exchange: Exchange): Promise<Buffer> => {
    if (!hasBody) return NO_BYTES
    if (options.file !== undefined) return (exchange.bytes = await readFileBytes(exchange))
    return readBytes(exchange.bodyStream()).catch((error: unknown) => giveUp(exchange, error))
  }
  const readBytesOf = async (exchange: Exchange): Promise<Input> => {
    const { headers, session } = exchange
    const contentType = String(headers['content-type'] ?? '')
    const own = naming?.seenAt(exchange.seenAt())
    const url = own?.text(exchange.url) ?? exchange.url
    const sent = await bytesOf(exchange)
    const bytes = own?.bytes(sent) ?? sent
    const refusal = !meetsRequired(required, exchange)
      ? new Unauthorized()
      : isForbidden?.(exchange) === true
        ? new Forbidden()
        : undefined
    const said = { method: exchange.method, url, contentType }
    const named = await requestKey(said, bytes, redactor)
    const ownKey = keyOfLogin(named, options.login, said, bytes, redactor)
    const key = refusal === undefined ? ownKey : refusedKey(ownKey)
    const request: ReadRequest = {
      ...{ key, named, url },
      body: bodyValueOf(bytes, contentType),
      text: options.calls !== undefined && mediaKindOf(contentType) === 'xml' ? bytes.toString() : undefined,
      leftOut: undefined,
    }
    requests.set(exchange, request)
    exchange.body = options.login === undefined ? undefined : request.body
    const user = options.login === undefined ? undefined : await userOf(exchange)
    const userKey = user === undefined ? key : keyOfUser(key, user, userFields)
    const known = (await answers()).find(userKey, headers, session.changes.at(root), session.changes.turns)
    if (leavesOutKnown) request.leftOut = known
    else exchange.known = known
    if (refusal !== undefined && exchange.known === undefined) throw refusal
    if (options.file !== undefined) return {}
    try {
      const isJson = isJsonAsOther(bytes, request.body, contentType, options.input)
      if (hasBody)
        exchange.body = isJson ? request.body : await readBody(exchange, definition, streamOf(bytes))
      keepBytes(exchange, sent)
      return read(exchange)
    } catch (error) {
      const isAnswered = exchange.known !== undefined || nearest !== undefined
      // What a protocol says of calls does not depend on the model of their input.
      if (!SimError.is(error) || !(isAnswered || options.calls?.learned !== undefined)) throw error
      exchange.refusal = error
      return {}
    }
  }
  const near = async (exchange: Exchange, refused?: number): Promise<HttpResponse | undefined> => {
    const { session } = exchange
    const { changes, clock } = session
    const { key, url, body } = readOf(exchange)
    const request = requestIn(exchange, { url, body })
    const fresh =
      subject.does(request) !== 'read'
        ? { seed: `${session.seed} ${changes.at('')} ${key}`, now: clock.now() }
        : undefined
    return (await answers()).near({
      ...{
        url,
        body,
        refused,
        fresh,
        entity: changes.entities.at(subject.nameOf(request), exchange.headers),
      },
      except: leavesOutKnown ? { key, after: changes.at(root) } : undefined,
    })
  }
  // What its calls do to the objects of the session.
  const callIn = (exchange: Exchange, model: CallModel): HttpResponse | undefined => {
    const { session } = exchange
    const { key, url, body, text: xml } = readOf(exchange)
    const all = entryOf(session.changes.objects, modelKey(), () => createObjects(model)) as AllObjects
    const [path = '', search = ''] = url.split(/\?(.*)/s)
    const query = parseQuery(search)
    const fresh = { seed: `${session.seed} ${session.changes.at('')} ${key}`, now: session.clock.now() }
    const { method, headers: given } = exchange
    const request = { method, path, query, headers: given, body: xml ?? body }
    const answered = answerCalls(model, all, request, fresh)
    if (answered === undefined) return undefined
    const { body: value = '' } = answered
    const bytes = Buffer.from(
      typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value),
    )
    const usual = bytes.length === 0 ? {} : { 'content-type': model.contentType }
    return {
      status: answered.status,
      headers: Object.entries({ ...usual, ...model.headers, ...answered.headers }).flat(),
      body: bytes,
    }
  }
  // What the route makes, or the answer that is known to be the nearest where it makes none.
  const make = async (exchange: Exchange, handle: Handler): Promise<HttpResponse> => {
    const called = options.calls === undefined ? undefined : callIn(exchange, options.calls)
    if (called !== undefined) return called
    const nearby = nearest === 'all' ? await near(exchange) : undefined
    if (nearby !== undefined) return nearby
    try {
      return await handle(exchange)
    } catch (error) {
      if (!SimError.is(error) || Object.hasOwn(errorAnswers, error.code)) throw error
      const failed = nearest === undefined ? undefined : await near(exchange, error.statusCode)
      if (failed === undefined) throw error
      return failed
    }
  }
  return {
    ...route,
    policies: { ...route.policies, requires: undefined, isForbidden: undefined },
    readInput: readBytesOf,
    handlerFor(session) {
      const handle = route.handlerFor(session)
      return async (exchange) => {
        const { known } = exchange
        exchange.source = 'engine'
        // What was refused changed nothing.
        if (known !== undefined && options.calls !== undefined && !isFailure(answerIn(known)))
          callIn(exchange, options.calls)
        const response = known ?? (await make(exchange, handle))
        const { leftOut, ...read } = readOf(exchange)
        // What was left out decides what comes later, as it would have.
        const request = requestIn(exchange, read)
        if (subject.does(request) === 'read') return response
        const change = subject.changeOf(request, answerIn(leftOut ?? response))
        if (change === undefined) return response
        session.changes.note(root, read.named)
        session.changes.entities.note(change)
        if (known !== undefined && exchange.refusal === undefined)
          await unlessRefused(async () => handle(exchange))
        return response
      }
    },
  }
}

type AllObjects = ReturnType<typeof createObjects>

/** A request whose body was read. */
interface ReadRequest {
  readonly key: string
  /** The same without a password. */
  readonly named: string
  /** Path and query, which name the server by its own URL. */
  readonly url: string
  /** As a JSON value or a text, if it is one. */
  readonly body: unknown
  /** As a text, where calls are read from it. */
  readonly text: string | undefined
  /** The answer that is known for it and is not given. */
  leftOut: HttpResponse | undefined
}

function requestIn(
  { method, headers }: Exchange,
  { url, body }: Pick<ReadRequest, 'url' | 'body'>,
): SubjectRequest {
  return { method, url, headers, body }
}

function answerIn({ status, headers, body }: HttpResponse): SubjectAnswer {
  const valueOf = (name: string): string | undefined =>
    headers.includes(name) ? headers[headers.indexOf(name) + 1] : undefined
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body ?? [])
  const answered = jsonBodyOf(bytes, valueOf('content-type') ?? '')
  return { status, body: answered, location: valueOf('location'), etag: valueOf('etag') }
}

const NO_BYTES = Buffer.alloc(0)

// What the route refuses, it does not store.
async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!SimError.is(error)) throw error
  }
}

import { answersOf, type FileAnswers as Answers } from '../collections/files/file-answers.ts'
import { fileRequest, uploadIdIn, withPlaces } from '../collections/files/file-request.ts'
import { factsOfRequest, runFileAction } from '../collections/files/file-actions.ts'
import type { FileResult } from '../collections/files/keep-file.ts'
import { type Facts, fill, fillText, isKnown, joined, madeText } from '../collections/files/file-facts.ts'
import { owningItem, STORED } from '../collections/files/owning-item.ts'
import { filesIn, type StoredFile } from '../collections/files/stored-file.ts'
import { createIds } from '../collections/ids.ts'
import type { FileOptions, FileOutcome } from '../engine/file-option.ts'
import { lazy } from '../engine/lazy.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { BodyTooLarge, InputInvalid, ItemExists, ItemNotFound } from '../errors.ts'
import { evaluate, rangeOf } from '../http/conditions.ts'
import { readBytes } from '../http/read-body.ts'
import type { HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Handler, Route } from '../pipeline/route.ts'
import type { Session } from '../state/session.ts'
import { giveUp } from './request-body.ts'

/** The most bytes of one request to stored files. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024

/** Reads the bytes that are to be stored. @throws BodyTooLarge */
export async function readFileBytes(exchange: Exchange): Promise<Buffer> {
  return readBytes(exchange.bodyStream(), MAX_FILE_BYTES, exchange).catch((error: unknown) =>
    giveUp(exchange, error instanceof BodyTooLarge ? new BodyTooLarge(MAX_FILE_BYTES) : error),
  )
}

/** What reads and answers requests of a route that stores files, or answers from them. */
export function fileRoute(
  definition: RouteDefinition,
  given: FileOptions,
): Pick<Route, 'readInput' | 'handlerFor'> {
  const options = withPlaces(given, definition.path)
  const answers = answersOf(given, definition.options)
  return {
    async readInput(exchange) {
      exchange.bytes ??= await readFileBytes(exchange)
      return {}
    },
    handlerFor: (session) => handlerFor(options, answers, session),
  }
}

function handlerFor(options: FileOptions, answers: Answers, session: Session): Handler {
  const assignId = lazy(() => createIds(options.id ?? true, session.seed))
  return (exchange) => {
    const { store, clock } = session
    if (store === undefined) throw new ItemNotFound()
    exchange.source = 'engine'
    const { method, headers, search, bytes = Buffer.alloc(0) } = exchange
    const params = exchange.match?.params ?? {}
    const href = exchange.url.replace(/\?.*$/s, '')
    const newId = (path: string): string => {
      if (exchange.known !== undefined) return idIn(exchange.known)
      const uploads = store.collection(path)
      const { value, ordinal } = assignId()(path, uploads.assigned, (id) => uploads.get(id) !== undefined)
      uploads.assigned = ordinal + 1
      return String(value)
    }
    const made = (name: string): string => madeText(name, `${session.seed} ${exchange.id}`)
    const request = {
      ...fileRequest({ method, headers, search, bytes, params, path: href }, options),
      ...(exchange.known !== undefined && { etag: etagIn(exchange.known) }),
    }
    const whole = { ...request, now: clock.now(), newId, made }
    const requested = factsOfRequest(whole)
    const owner = options.item && owningItem(options.item, requested, store)
    const result: FileResult =
      options.item !== undefined && owner === undefined
        ? { outcome: 'orphan', facts: requested }
        : act(options, whole, filesIn(store))
    if (STORED.includes(result.outcome)) owner?.change(result.facts)
    const path = href.replace(/\/$/, '')
    const own: Facts = (name) => (name === 'path' ? path : name === 'host' ? exchange.host : undefined)
    const facts = joined(result.facts, own)
    if (options.action !== 'get' || result.file === undefined)
      return answerTo(result.outcome, facts, answers, params, result.text)
    const { overrides } = options
    const given = overrides === undefined ? [] : overriding(request.query, overrides)
    return giveFile(result.file, { answers, facts, request, params, given })
  }
}

function act(...given: Parameters<typeof runFileAction>): FileResult {
  try {
    return runFileAction(...given)
  } catch (error) {
    const msg = `The body is not the XML that is expected: ${(error as Error).message}`
    throw new InputInvalid([{ type: 'xml_invalid', loc: ['body'], msg, input: '' }])
  }
}

interface Giving {
  readonly answers: Answers
  readonly facts: Facts
  readonly request: ReturnType<typeof fileRequest>
  readonly params: Readonly<Record<string, string>>
  /** Headers that the request names. */
  readonly given: readonly (readonly [string, string])[]
}

function overriding(query: Readonly<Record<string, string>>, start: string): Giving['given'] {
  return Object.entries(query).flatMap(([name, value]): Giving['given'] =>
    name.startsWith(start) ? [[name.slice(start.length).toLowerCase(), value]] : [],
  )
}

/** A file, or what a request asks for of it (RFC 9110, sections 13.2 and 14.2). */
function giveFile(file: StoredFile, { answers, facts, request, params, given }: Giving): HttpResponse {
  const { bytes } = file
  const { done = {} } = answers
  const own = filled(done.headers ?? {}, facts)
  const type = done.type ?? file.type
  const typed = type === '' ? [] : [['content-type', type] as const]
  const headers = [...new Map([...own, ...Object.entries(file.headers), ...typed, ...given])]
  const valueOf = (name: string): string | undefined => headers.find(([other]) => other === name)?.[1]
  const { conditions, method } = request
  const status = done.status ?? 200
  const whole: HttpResponse = { status, headers: headers.flat(), body: bytes, isStored: true }
  if (conditions === undefined) return whole
  const validators = { etag: valueOf('etag'), lastModified: valueOf('last-modified') }
  const met = evaluate(method, conditions, validators)
  if (met === 'failed') return answerTo('precondition', facts, answers, params)
  if (met === 'not modified') {
    const left = headers.filter(([name]) => !/^(content-|accept-ranges$)/.test(name))
    return { status: 304, headers: left.flat() }
  }
  const range = method === 'GET' ? rangeOf(conditions, validators, bytes.length) : undefined
  if (range === undefined) return whole
  if (range === 'unsatisfiable') {
    const refused = answerTo('range', facts, answers, params)
    return { ...refused, headers: [...refused.headers, 'content-range', `bytes */${bytes.length}`] }
  }
  const { first, last } = range
  return {
    status: 206,
    headers: [...headers.flat(), 'content-range', `bytes ${first}-${last}/${bytes.length}`],
    body: bytes.subarray(first, last + 1),
  }
}

function answerTo(
  outcome: FileOutcome,
  facts: Facts,
  answers: Answers,
  params: Readonly<Record<string, string>>,
  text?: string,
): HttpResponse {
  const answer = answers[outcome]
  if (answer === undefined) {
    if (outcome === 'exists') throw new ItemExists('', Object.values(params).at(-1) ?? '')
    throw new ItemNotFound()
  }
  const { status = 200, headers = {}, type = '' } = answer
  return {
    status,
    headers: [...filled(headers, facts).flat(), ...(type === '' ? [] : ['content-type', type])],
    body: Buffer.from(text ?? fillText(answer, facts)),
  }
}

/** Headers with their facts; those that lack one are left out. */
function filled(headers: Readonly<Record<string, string>>, facts: Facts): (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([given, template]) => {
    const name = given.toLowerCase()
    const isAddress = /^(content-)?location$/.test(name)
    return isKnown(template, facts) ? [[name, fill(template, facts, isAddress ? encodeURI : undefined)]] : []
  })
}

// Where an answer is known beforehand, so is what it says of what is stored.
function etagIn({ headers }: HttpResponse): string | undefined {
  const at = headers.indexOf('etag')
  return at < 0 ? undefined : headers[at + 1]
}

// And the id in it.
function idIn({ headers, body }: HttpResponse): string {
  const at = headers.indexOf('location')
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString('latin1')
  return uploadIdIn(at < 0 ? undefined : headers[at + 1], text)
}

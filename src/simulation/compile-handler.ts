import { addressOf } from '../collections/address.ts'
import { createHeaderFiller } from '../collections/fill-headers.ts'
import { withLogin } from '../collections/logins/with-login.ts'
import type { Outcome } from '../collections/outcome.ts'
import { createPagedOutput } from '../collections/paging/paged-output.ts'
import { compileStoredRoute } from '../collections/stored-route.ts'
import { createValidator } from '../engine/answer-validator.ts'
import type { JsonWriter } from '../engine/engine.ts'
import { createOutput, cutHeaders, type Output } from '../engine/generate-output.ts'
import type { Input } from '../engine/input.ts'
import { isStateful, type Match, type RouteDefinition } from '../engine/route.ts'
import { textOf } from '../engine/schema/keywords.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { Answer, HttpRequest, WrittenContent } from '../message.ts'
import { createOperationHandler } from '../openapi/serve/answer-operation.ts'
import type { Store } from '../state/store.ts'
import type { HandlerOptions, RouteHandler } from './route-handler.ts'

/** Compiles what answers a route: its description, its page table, stored items or generation, whichever it has. */
export function compileHandler(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): RouteHandler {
  return route.operation === undefined
    ? compileDeclared(route, routes, options)
    : createOperationHandler({ ...route, operation: route.operation }, routes, options)
}

function compileDeclared(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): RouteHandler {
  const output = createOutput(route, options)
  const paged = createPagedOutput(route, options, () => addressOf(route, routes).idPath)
  const validate = options.validateResponses ? createValidator(route, route.options.output) : undefined
  const stored =
    options.hasStore && isStateful(route, options.stateful) && route.options.pageTable === undefined
      ? compileStoredRoute(route, routes, { output, paged, validate }, options)
      : undefined
  const { status, headers, emptyBody = false } = route.options
  const bodyStatus = status ?? 200
  const emptyStatus = status ?? (route.method === 'DELETE' ? 204 : 200)
  const fill = createHeaderFiller(headers)
  const mediaType = mediaTypeOf(route.options.output)
  const toAnswer = (outcome: Omit<Outcome, 'headers'>, input: Input): Answer => {
    const filled = fill(input, outcome)
    const own = outcome.status
    if (emptyBody || own === 204) return { status: own ?? emptyStatus, headers: filled }
    if (outcome.json !== undefined) return new WrittenAnswer(own ?? bodyStatus, filled, outcome.json, outcome)
    const { body } = outcome
    if (body === undefined) return { status: emptyStatus, headers: filled }
    const content = mediaType === undefined ? undefined : contentOf(mediaType, route.options.output, body)
    return { status: own ?? bodyStatus, headers: filled, body, ...(content !== undefined && { content }) }
  }

  const handle: RouteHandler = (request, match, input, store) => {
    if (stored !== undefined && store !== undefined)
      return toAnswer(stored(request, match, input, store), input)
    const made = paged?.generate(request, input) ?? { body: output.generate(request, input) }
    const cut = paged === undefined ? output.cut() : undefined
    validate?.(made.body, cut)
    const answer = toAnswer(made, input)
    return cut === undefined ? answer : { ...answer, headers: { ...answer.headers, ...cutHeaders(cut) } }
  }
  const { login } = route.options
  if (login !== undefined && options.hasStore) {
    const answer = withLogin(route, login, routes, handle, options.seed)
    const whole: RouteHandler = (request, match, input, kept) =>
      kept === undefined ? handle(request, match, input, kept) : answer(request, match, input, kept)
    return Object.assign(whole, {
      user: answer.user,
      find: (request: HttpRequest, match: Match, kept: Store) => {
        answer.find(request, match, kept)
        stored?.find?.(request, match, kept)
      },
    })
  }
  const isSpecial = stored !== undefined || paged !== undefined || validate !== undefined
  const isPlain = !isSpecial && !emptyBody && headers === undefined && mediaType === undefined
  if (isPlain) return Object.assign(handle, { jsonWriter: jsonWriterOf(output, status ?? 200) })
  return stored?.find === undefined ? handle : Object.assign(handle, { find: stored.find })
}

/** An answer whose body is made from its text for those alone who ask for it. */
class WrittenAnswer implements Answer {
  readonly status: number
  readonly headers: Answer['headers']
  readonly json: string
  readonly #outcome: Pick<Outcome, 'body'>

  constructor(status: number, headers: Answer['headers'], json: string, outcome: Pick<Outcome, 'body'>) {
    this.status = status
    this.headers = headers
    this.json = json
    this.#outcome = outcome
  }

  get body(): unknown {
    return this.#outcome.body
  }
}

function jsonWriterOf(output: Output, status: number): JsonWriter | undefined {
  return output.write && { status, isPure: output.isPure, write: output.write }
}

// A text whose model names its media type is sent as that.
function contentOf(type: string, output: Schema | undefined, body: unknown): WrittenContent | undefined {
  if (typeof body !== 'string') return undefined
  return { type, data: output?.['contentEncoding'] === 'base64' ? Buffer.from(body, 'base64') : body }
}

function mediaTypeOf(output: Schema | undefined): string | undefined {
  return output === undefined ? undefined : textOf(output, 'contentMediaType')
}

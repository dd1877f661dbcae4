import { LRUCache } from 'lru-cache'
import { createHeaderFiller } from '../../collections/fill-headers.ts'
import type { JsonWriter } from '../../engine/engine.ts'
import type { Input } from '../../engine/input.ts'
import { lazy } from '../../engine/lazy.ts'
import { contentStream } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { ExampleNotDeclared, ItemExists, ItemNotFound, type SimError } from '../../errors.ts'
import type { Answer, Headers, HttpRequest } from '../../message.ts'
import type { RouteHandler, HandlerOptions } from '../../simulation/route-handler.ts'
import { responseFor, ruleOf, successOf, type ChosenResponse, type OpenApiRoute } from './choose-response.ts'
import { mediaKindOf } from '../../media-type.ts'
import { negotiate, type Negotiated } from './choose-media-type.ts'
import { appliedText, NONE, readPreferences, type Preferences } from './prefer.ts'
import { compileResourceOperation } from './resource/resource-operation.ts'
import { createResponseForm, type ResponseForm } from './response-form.ts'
import { createHeaders } from './response-headers.ts'

/** A body, the headers that go with it, and the preferences that were followed. */
interface Made {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly applied: Preferences
  readonly cut?: string | undefined
}

/**
 * Answers the requests of an operation as its description says: the response and the form of its body are chosen by
 * the request, the body comes from the store, an example or generation, is validated, and only then stored.
 */
export function createOperationHandler(
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): RouteHandler {
  const { operation, key } = route
  const responseOf = createResponses(route, options)
  const success = responseOf(successOf(operation, route.options.status))
  const items = compileResourceOperation(route, routes, options)
  const dynamicItems = options.dynamic
    ? () => items
    : lazy(() => items && compileResourceOperation(route, routes, { ...options, dynamic: true }))
  const fill = createHeaderFiller(route.options.headers)

  const makeBody = (
    form: ResponseForm | undefined,
    wanted: Preferences,
    request: HttpRequest,
    input: Input,
  ): Made => {
    if (form === undefined && wanted.example !== undefined)
      throw new ExampleNotDeclared(key, wanted.example, [])
    if (form === undefined) return { body: undefined, applied: NONE }
    const named = wanted.example === undefined ? undefined : form.examples.named(wanted.example)
    const isGenerated = wanted.dynamic ?? options.dynamic
    const example = named ?? (isGenerated ? undefined : form.examples.usual)
    const made =
      example === undefined
        ? form.generate(request, input)
        : form.show(example.value, request, input, named !== undefined)
    form.validate?.(made.body, made.cut)
    return { ...made, applied: named === undefined ? wanted : { ...wanted, dynamic: undefined } }
  }

  // A described error takes the place of the engine's own, but not where it has to say more than its description has.
  const answerError = (error: unknown, request: HttpRequest, input: Input): Answer => {
    if (!isServiceError(error) || options.verboseErrors) throw error
    const rule = ruleOf(operation.responses, error.statusCode)
    const json = rule && [...rule.content].find(([type]) => mediaKindOf(type) === 'json')
    if (rule === undefined || rule === success.rule || json === undefined) throw error
    const [type, media] = json
    const response = responseOf({ status: error.statusCode, rule })
    const form = response.formOf({ type, media })
    const isGenerated = options.dynamic && media.model !== undefined
    const example = isGenerated ? undefined : form.examples.usual
    if (example === undefined && media.model === undefined) throw error
    const body = example?.value ?? withError(form.generate(request, input).body, error, form.model)
    form.validate?.(body)
    return answerOf(response.status, response.headers(request, input), form, body)
  }

  const handle: RouteHandler = (request, match, input, store) => {
    const wanted = readPreferences(request.headers)
    const { code } = wanted
    const response = code === undefined ? success : responseOf(responseFor(operation, code, key))
    const form = response.formFor(request.headers)
    const isOfItems = items !== undefined && code === undefined && wanted.example === undefined
    const answerItems = isOfItems && wanted.dynamic === true ? dynamicItems() : items
    let made: Made
    try {
      const outcome = isOfItems ? answerItems?.(form, request, match, input, store) : undefined
      made =
        outcome === undefined
          ? makeBody(form, wanted, request, input)
          : { body: outcome.body, headers: outcome.headers, applied: wanted }
    } catch (error) {
      return answerError(error, request, input)
    }
    const applied = wanted === NONE ? undefined : appliedText({ ...made.applied, code })
    const headers = {
      ...response.headers(request, input),
      ...fill(input, { body: made.body }),
      ...made.headers,
      ...(applied !== undefined && { 'preference-applied': applied }),
    }
    return answerOf(response.status, headers, form, made.body)
  }
  // What has no more to it than one generated body is written without being made.
  const type = negotiate(success.rule.content, undefined)?.type
  const hasHeaders = success.rule.headers.length > 0 || route.options.headers !== undefined
  if (type === undefined || items !== undefined || hasHeaders || options.validateResponses) return handle
  const write: JsonWriter['write'] = (request, input) => {
    if (request.headers['prefer'] !== undefined) return undefined
    const form = success.formFor(request.headers)
    try {
      return form?.type === type ? form.writeUsual?.(request, input) : undefined
    } catch (error) {
      // It may have a form of its own in the description.
      if (isServiceError(error)) return undefined
      throw error
    }
  }
  return Object.assign(handle, { jsonWriter: { status: success.status, type, isPure: () => false, write } })
}

function answerOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  form: ResponseForm | undefined,
  body: unknown,
): Answer {
  if (form === undefined || body === undefined) return { status, headers }
  return { status, headers, body, content: form.write(body) }
}

/** A declared response, whose parts are compiled when they are first needed. */
interface CompiledResponse extends ChosenResponse {
  /** The form of the body that a request takes; `undefined` where there is no content. @throws NotAcceptable */
  formFor(headers: Headers): ResponseForm | undefined
  formOf(negotiated: Negotiated): ResponseForm
  headers(request: HttpRequest, input: Input): Readonly<Record<string, string>>
}

/** The responses of an operation, each compiled once for its status. */
function createResponses(
  route: OpenApiRoute,
  options: HandlerOptions,
): (chosen: ChosenResponse) => CompiledResponse {
  const stream = contentStream(options.seed, `headers of ${route.key}`)
  const responses = new Map<number, CompiledResponse>()

  const compile = ({ status, rule }: ChosenResponse): CompiledResponse => {
    const { content } = rule
    const hasContent = status >= 200 && !BODILESS.has(status)
    const forms = new Map<string, ResponseForm>()
    // Clients send the same few `Accept` headers again and again.
    const byAccept = new LRUCache<string, ResponseForm>({ max: MAX_ACCEPTS })
    const makeHeaders = lazy(() => createHeaders(rule, status, route.key))
    const formOf = (negotiated: Negotiated): ResponseForm => {
      const form = forms.get(negotiated.type) ?? createResponseForm(route, rule, negotiated, options)
      // Types that only requests name, where the description has a range, are not to fill the memory.
      if (content.has(form.type)) forms.set(form.type, form)
      return form
    }
    const choose = (accept: Headers['accept']): ResponseForm | undefined => {
      const negotiated = negotiate(content, accept)
      return negotiated && formOf(negotiated)
    }
    const usual = lazy(() => choose(undefined))
    return {
      status,
      rule,
      formOf,
      formFor({ accept }) {
        if (!hasContent) return undefined
        if (accept === undefined) return usual()
        if (typeof accept !== 'string') return choose(accept)
        const form = byAccept.get(accept) ?? choose(accept)
        if (form !== undefined && content.has(form.type)) byAccept.set(accept, form)
        return form
      },
      headers: (request, input) => makeHeaders()(request, input, () => stream.childOfValue(input)),
    }
  }
  return (chosen) => {
    const response = responses.get(chosen.status) ?? compile(chosen)
    responses.set(chosen.status, response)
    return response
  }
}

const MAX_ACCEPTS = 20

// RFC 9110: these have no content whatever a description says.
const BODILESS = new Set([204, 205, 304])

/** Whether an error is an answer of the simulated service, which its description may give a form of its own. */
export function isServiceError(error: unknown): error is SimError {
  return error instanceof ItemNotFound || error instanceof ItemExists
}

const MESSAGES = ['message', 'detail', 'error', 'title', 'description', 'msg', 'reason']
const STATUSES = ['status', 'code', 'statusCode', 'status_code']

/** A generated body of an error that says what the error says, where its model can hold that. */
export function withError(body: unknown, { message, statusCode }: SimError, model: Schema): unknown {
  if (!isObject(body)) return body
  const checker = createChecker(model)
  const values = [...MESSAGES.map((name) => [name, message]), ...STATUSES.map((name) => [name, statusCode])]
  return values.reduce<Record<string, unknown>>((all, [name, value]) => {
    const next = { ...all, [String(name)]: value }
    return Object.hasOwn(all, String(name)) && checker.fits(next) ? next : all
  }, body)
}

import { LRUCache } from 'lru-cache'
import { createHeaderFiller } from '../../collections/fill-headers.ts'
import type { JsonWriter } from '../../engine/engine.ts'
import type { Input } from '../../engine/input.ts'
import { canonicalText, contentStream } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { ExampleNotDeclared, ItemExists, ItemNotFound, type SimError } from '../../errors.ts'
import type { Answer, HttpRequest } from '../../message.ts'
import type { RouteHandler, HandlerOptions } from '../../simulation/route-handler.ts'
import { responseFor, ruleOf, successOf, type ChosenResponse } from './choose-response.ts'
import { mediaKindOf } from '../../media-type.ts'
import { negotiate, type Negotiated } from './negotiate.ts'
import type { OpenApiRoute } from './openapi-route.ts'
import { appliedText, NONE, readPreferences, type Preferences } from './prefer.ts'
import { compileStoredOperation } from './resource/stored-operation.ts'
import { createResponseForm, type ResponseForm } from './response-form.ts'
import { createHeaders, type MakeHeaders } from './response-headers.ts'

/** What a request is answered with, before it is written. */
interface Made {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The preferences that were followed. */
  readonly applied: Preferences
}

/**
 * Answers the calls of an operation as its description says: the response and the form of its body are chosen by the
 * request, the body comes from the store, an example or generation, is validated, and only then stored.
 */
export function createOperationHandler(
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): RouteHandler {
  const { operation, key } = route
  const success = successOf(operation, route.options.status)
  const parts = createParts(route, options)
  const stored = compileStoredOperation(route, routes, options)

  const makeBody = (
    form: ResponseForm | undefined,
    wanted: Preferences,
    call: HttpRequest,
    input: Input,
  ): Made => {
    if (form === undefined && wanted.example !== undefined)
      throw new ExampleNotDeclared(key, wanted.example, [])
    if (form === undefined) return { body: undefined, applied: NONE }
    const dynamic = wanted.dynamic ?? options.dynamic
    const named = wanted.example === undefined ? undefined : form.examples.named(wanted.example)
    const example = named ?? (dynamic ? undefined : form.examples.usual)
    const applied = named === undefined ? wanted : { ...wanted, dynamic: undefined }
    const made =
      example === undefined
        ? form.generate(call, input)
        : form.show(example.value, call, input, named !== undefined)
    return { ...made, applied }
  }

  // A described error takes the place of the engine's own, but not where it has to say more than its description has.
  const answerError = (error: unknown, call: HttpRequest, input: Input): Answer => {
    if (!isServiceError(error) || options.verboseErrors) throw error
    const rule = ruleOf(operation.responses, error.statusCode)
    const json = rule && [...rule.content].find(([type]) => mediaKindOf(type) === 'json')
    if (rule === undefined || rule === success.rule || json === undefined) throw error
    const [type, media] = json
    const chosen = { status: error.statusCode, rule }
    const form = parts.formOf(chosen, { type, media })
    const isGenerated = options.dynamic && media.model !== undefined
    const example = isGenerated ? undefined : form.examples.usual
    if (example === undefined && media.model === undefined) throw error
    const body = example?.value ?? withError(form.generate(call, input).body, error, form.model)
    form.validate?.(body)
    return answerOf(chosen.status, parts.headers(chosen, call, input), form, body)
  }

  const fill = createHeaderFiller(route.options.headers)
  const handle: RouteHandler = (call, match, input, store) => {
    const wanted = readPreferences(call.headers)
    const { code } = wanted
    const chosen = code === undefined ? success : responseFor(operation, code, key)
    const form = parts.form(chosen, call)
    const isStored = code === undefined && wanted.example === undefined
    let made: Made
    try {
      if (isStored && stored !== undefined && store !== undefined)
        made = { ...stored(form, call, match, input, store), applied: NONE }
      else {
        made = makeBody(form, wanted, call, input)
        form?.validate?.(made.body)
      }
    } catch (error) {
      return answerError(error, call, input)
    }
    const applied = wanted === NONE ? undefined : appliedText({ ...made.applied, code })
    const headers = {
      ...parts.headers(chosen, call, input),
      ...fill({ input, body: made.body }),
      ...made.headers,
      ...(applied !== undefined && { 'preference-applied': applied }),
    }
    return answerOf(chosen.status, headers, form, made.body)
  }
  // What has no more to it than one generated body is written without being made.
  const type = negotiate(success.rule.content, {})?.type
  const hasHeaders = success.rule.headers.length > 0 || route.options.headers !== undefined
  if (type === undefined || stored !== undefined || hasHeaders || options.validateResponses) return handle
  const write: JsonWriter['write'] = (call, input) => {
    if (call.headers['prefer'] !== undefined) return undefined
    const form = parts.form(success, call)
    const isGenerated = form?.type === type && (options.dynamic || form.examples.usual === undefined)
    try {
      return isGenerated ? form.writeGenerated?.(call, input) : undefined
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

/** The parts of an operation's responses, each made when it is first needed. */
function createParts(
  route: OpenApiRoute,
  options: HandlerOptions,
): {
  /** The form of a response that a call takes; `undefined` for one without content. */
  form(chosen: ChosenResponse, call: HttpRequest): ResponseForm | undefined
  formOf(chosen: ChosenResponse, negotiated: Negotiated): ResponseForm
  headers(chosen: ChosenResponse, call: HttpRequest, input: Input): Record<string, string>
} {
  const forms = new Map<string, ResponseForm>()
  const headers = new Map<number, MakeHeaders>()
  const stream = contentStream(options.seed, `headers of ${route.key}`)

  const formOf = ({ status, rule }: ChosenResponse, negotiated: Negotiated): ResponseForm => {
    const name = `${status} ${negotiated.type}`
    const form = forms.get(name) ?? createResponseForm(route, rule, negotiated, options)
    // Types that only requests name, where the description has a range, are not to fill the memory.
    if (rule.content.has(negotiated.type)) forms.set(name, form)
    return form
  }
  // Clients send the same few `Accept` headers again and again.
  const negotiated = new LRUCache<string, ResponseForm>({ max: MAX_ACCEPTS })
  return {
    formOf,
    form(chosen, call) {
      if (chosen.status < 200 || BODILESS.has(chosen.status)) return undefined
      const { accept } = call.headers
      const name = `${chosen.status} ${typeof accept === 'string' ? accept : ''}`
      const known = Array.isArray(accept) ? undefined : negotiated.get(name)
      if (known !== undefined) return known
      const found = negotiate(chosen.rule.content, call.headers)
      const form = found && formOf(chosen, found)
      if (form !== undefined && chosen.rule.content.has(form.type)) negotiated.set(name, form)
      return form
    },
    headers(chosen, call, input) {
      let make = headers.get(chosen.status)
      if (make === undefined) {
        make = createHeaders(chosen.rule, chosen.status, route.key)
        headers.set(chosen.status, make)
      }
      return make(call, input, () => stream.childOf(canonicalText(input)))
    },
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

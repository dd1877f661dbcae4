import { createHeaderFiller } from '../../collections/fill-headers.ts'
import type { PageFacts } from '../../collections/paging/page-fields.ts'
import type { Input } from '../../engine/input.ts'
import { lazy } from '../../engine/lazy.ts'
import type { ResponseRule } from '../../engine/operation.ts'
import { isStateful, type RouteDefinition } from '../../engine/route.ts'
import { ExampleNotDeclared } from '../../errors.ts'
import type { Answer, HttpRequest, WrittenContent } from '../../message.ts'
import type { RouteHandler, HandlerOptions } from '../../simulation/route-handler.ts'
import { responseFor, storedOf, successOf, type OpenApiRoute } from './choose-response.ts'
import { answerOf, createResponses } from './compiled-response.ts'
import { createErrorAnswers } from './error-answers.ts'
import { createOwnUrls } from './own-urls.ts'
import { createPairedExamples } from './paired-examples.ts'
import { appliedText, NONE, readPreferences, type Preferences } from './prefer.ts'
import { compileResourceOperation } from './resource/resource-operation.ts'
import type { ResponseForm } from './response-form.ts'

/** A body, the headers that go with it, and the preferences that were followed. */
interface Made {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly applied: Preferences
  readonly cut?: string | undefined
  readonly facts?: PageFacts | undefined
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
  const urls = createOwnUrls(route, routes)
  const responseOf = createResponses(route, options, urls)
  const success = responseOf(successOf(operation, route.options.status))
  const items = compileResourceOperation(route, routes, options)
  const isWrite = route.method !== 'GET' && items !== undefined
  const usual = isWrite ? responseOf(storedOf(route)) : success
  const dynamicItems = options.dynamic
    ? () => items
    : lazy(() => items && compileResourceOperation(route, routes, { ...options, dynamic: true }))
  // What is stored says more of a request than an example does.
  const isStored = items !== undefined && options.hasStore && isStateful(route, options.stateful)
  const canShow = (rule: ResponseRule, name: string, { headers }: HttpRequest): boolean => {
    const response = rule === usual.rule ? usual : responseOf({ status: Number(rule.status), rule })
    return response.formFor(headers)?.examples.fitting.some((each) => each.name === name) === true
  }
  const pairedOf = isStored || options.dynamic ? undefined : createPairedExamples(route, usual.rule, canShow)
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
    if (example !== undefined)
      options.observer?.take(example.value, { origin: 'example', model: key, name: example.name })
    const made =
      example === undefined
        ? form.generate(request, input, isGenerated, true)
        : form.show(example.value, request, input, named !== undefined)
    form.validate?.(made.body, made.cut)
    return { ...made, applied: named === undefined ? wanted : { ...wanted, dynamic: undefined } }
  }

  const handle: RouteHandler = (request, match, input, store) => {
    const preferred = readPreferences(request.headers)
    const wanted = preferred === NONE ? (pairedOf?.(request, input) ?? NONE) : preferred
    const { code } = wanted
    const response = code === undefined ? usual : responseOf(responseFor(operation, code, key))
    const form = response.formFor(request.headers, input)
    const isOfItems = items !== undefined && code === undefined && wanted.example === undefined
    const answerItems = isOfItems && wanted.dynamic === true ? dynamicItems() : items
    const outcome = isOfItems ? answerItems?.(form, request, match, input, store) : undefined
    // What no header speaks of is written without being made.
    const hasHeaders = response.rule.headers.length > 0 || route.options.headers !== undefined
    const isUnmade = outcome === undefined && wanted === NONE && !hasHeaders
    const text = isUnmade ? form?.writeUsual?.(request, input) : undefined
    if (form !== undefined && text !== undefined) {
      const content = urls.leadBack({ type: form.type, data: text }, request, form.model)
      return new UnmadeAnswer(response.status, text, content)
    }
    const made: Made =
      outcome === undefined
        ? makeBody(form, wanted, request, input)
        : { body: outcome.body, headers: outcome.headers, facts: outcome.facts, applied: wanted }
    const applied = preferred === NONE ? undefined : appliedText({ ...made.applied, code })
    const headers = {
      ...(hasHeaders && response.headers(request, input, made)),
      ...(hasHeaders && fill(input, { body: made.body })),
      ...made.headers,
      ...(applied !== undefined && { 'preference-applied': applied }),
    }
    return answerOf(response.status, headers, form, made.body, response.makeEtag, request)
  }
  const answerError = createErrorAnswers(route, responseOf, usual.rule, options)
  return Object.assign(handle, { answerError })
}

/** An answer whose body is made from its text for those alone who ask for it. */
class UnmadeAnswer implements Answer {
  readonly status: number
  readonly headers: Answer['headers'] = {}
  readonly content: WrittenContent
  readonly #text: string

  constructor(status: number, text: string, content: WrittenContent) {
    this.status = status
    this.content = content
    this.#text = text
  }

  get body(): unknown {
    return JSON.parse(this.#text)
  }
}

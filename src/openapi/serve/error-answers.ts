import { isDeepStrictEqual } from 'node:util'
import type { Input } from '../../engine/input.ts'
import type { ResponseRule } from '../../engine/operation.ts'
import {
  BodyTooLarge,
  Forbidden,
  InputInvalid,
  ItemExists,
  ItemNotFound,
  MediaTypeUnsupported,
  MethodNotAllowed,
  NotAcceptable,
  PageTokenInvalid,
  PreconditionFailed,
  RateLimited,
  ScopeMissing,
  SimError,
  SimulatedFailure,
  Unauthorized,
} from '../../errors.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Answer, Headers, HttpRequest } from '../../message.ts'
import type { HandlerOptions } from '../../simulation/route-handler.ts'
import { acceptedForm, type Negotiated } from './choose-media-type.ts'
import { ruleOf, type ChosenResponse, type OpenApiRoute } from './choose-response.ts'
import { answerOf, type CompiledResponse } from './compiled-response.ts'
import { createErrorBody } from './error-body.ts'
import { readPreferences } from './prefer.ts'
import { componentOf } from './resource/item-shape.ts'

/**
 * What the simulated service itself would answer with an error. What is wrong with the simulation, or with what a client
 * asks of it, says more than a description has.
 */
const OF_SERVICE = [
  ...[Unauthorized, Forbidden, ScopeMissing, RateLimited, InputInvalid, MediaTypeUnsupported, NotAcceptable],
  ...[ItemNotFound, ItemExists, PreconditionFailed, PageTokenInvalid, BodyTooLarge, MethodNotAllowed],
  SimulatedFailure,
]

/** Whether an error is an answer of the simulated service, which its description may give a form of its own. */
export function isServiceError(error: unknown): error is SimError {
  return OF_SERVICE.some((each) => error instanceof each)
}

/** Answers an error as the description of its operation says; `undefined` where it says nothing of it. */
export type AnswerError = (error: Error, request: HttpRequest, input: Input) => Answer | undefined

/** Makes what answers the errors of one operation. @param success what is answered where nothing is wrong */
export function createErrorAnswers(
  { operation }: OpenApiRoute,
  responseOf: (chosen: ChosenResponse) => CompiledResponse,
  success: ResponseRule,
  { verboseErrors }: HandlerOptions,
): AnswerError {
  const { responses } = operation
  const chosenFor = (error: SimError): ChosenResponse | undefined => {
    for (const status of statusesOf(error, responses)) {
      const rule = ruleOf(responses, status)
      if (rule !== undefined && rule !== success) return { status, rule }
    }
    return undefined
  }
  return (error, request, input) => {
    if (!isServiceError(error) || verboseErrors) return undefined
    const chosen = chosenFor(error)
    if (chosen === undefined) return undefined
    const { status, rule } = chosen
    const response = responseOf(chosen)
    const headers = { ...response.headers(request, input), ...error.headers }
    const negotiated = formIn(rule, request.headers)
    // A description that names only the status leaves the words to the service.
    if (negotiated === undefined) return { status, headers, body: error.body }
    const form = response.formOf(negotiated)
    const { usual } = form.examples
    if (usual === undefined && negotiated.media.model === undefined)
      return { status, headers, body: error.body }
    const preferred = readPreferences(request.headers).example
    const named =
      preferred === undefined ? undefined : form.examples.fitting.find(({ name }) => name === preferred)
    if (named !== undefined) return answerOf(status, headers, form, named.value)
    const isShared = isOfSeveral(negotiated, rule, responses)
    const write = createErrorBody(form.model, isShared)
    const isExact = usual !== undefined && !isShared && !(error instanceof InputInvalid)
    const body = isExact
      ? usual.value
      : write(usual?.value ?? form.generate(request, input).body, error, status)
    form.validate?.(body)
    return answerOf(status, headers, form, body)
  }
}

// What is said of the errors of several statuses alike says of none of them what is wrong.
function isOfSeveral(
  { type, media }: Negotiated,
  own: ResponseRule,
  responses: readonly ResponseRule[],
): boolean {
  const component = media.model && componentOf(media.model)
  if (component === undefined) return false
  return responses.some((rule) => {
    const other = rule === own || isSuccess(rule) ? undefined : rule.content.get(type)
    return (
      other?.model !== undefined &&
      componentOf(other.model) === component &&
      isDeepStrictEqual(other.examples[0]?.value, media.examples[0]?.value)
    )
  })
}

function isSuccess({ status }: ResponseRule): boolean {
  return /^[123]/.test(String(status))
}

// What does not fit is 422 where that is declared, and else 400 where that is.
function statusesOf(error: SimError, responses: readonly ResponseRule[]): readonly number[] {
  const { statusCode } = error
  if (!(error instanceof InputInvalid)) return [statusCode]
  const declares = (status: number): boolean => responses.some((rule) => rule.status === status)
  return declares(400) && !declares(422) ? [400] : [statusCode]
}

// An error is said in some form, even to a client that accepts none of them.
function formIn({ content }: ResponseRule, { accept }: Headers): Negotiated | undefined {
  const accepted = acceptedForm(content, accept)
  if (accepted !== undefined) return accepted
  const types = [...content]
  const [type, media] = types.find(([each]) => mediaKindOf(each) === 'json') ?? types[0] ?? []
  return type === undefined || media === undefined ? undefined : { type, media }
}

import { isDeepStrictEqual } from 'node:util'
import type { Input } from '../../engine/input.ts'
import { lazy } from '../../engine/lazy.ts'
import type { Example, Operation, ResponseRule } from '../../engine/operation.ts'
import type { HttpRequest } from '../../message.ts'
import type { OpenApiRoute } from './choose-response.ts'
import { acceptedForm } from './choose-media-type.ts'
import type { Preferences } from './prefer.ts'

/** The example that a request gets which is itself one, by the name that both have; `undefined` for any other. */
export type FindPaired = (request: HttpRequest, input: Input) => Preferences | undefined

/** Requests that a description gives examples of, by their names. */
interface RequestExample {
  readonly name: string
  /** A test for each part of the request that has an example of this name. */
  readonly parts: readonly ((request: HttpRequest, input: Input) => boolean)[]
  /** What the query may have; a part of a list is not what the example shows. */
  readonly query: ReadonlySet<string>
}

/**
 * Pairs the examples of requests with those of responses that have the same names: parameters and a body that are the
 * example `gone` get the example `gone`. A failure is chosen only where other names lead to the success.
 * @param success what is answered to any other request
 * @param canShow whether the schema of a response fits its example of a name
 */
export function createPairedExamples(
  { operation, method }: OpenApiRoute,
  success: ResponseRule,
  canShow: (rule: ResponseRule, name: string, request: HttpRequest) => boolean,
): FindPaired | undefined {
  const requests = lazy(() => requestExamples(operation))
  const rules = [success, ...operation.responses.filter((rule) => rule !== success && isNumbered(rule))]
  const hasSuccess = lazy(() => requests().some(({ name }) => declaresExample(success, name)))
  if (!mayHavePairs(operation)) return undefined

  return (request, input) => {
    if (!hasSuccess()) return undefined
    for (const { name, parts, query } of requests()) {
      if (!parts.every((fits) => fits(request, input))) continue
      if (method === 'GET' && [...new URLSearchParams(request.search).keys()].some((key) => !query.has(key)))
        continue
      for (const rule of rules) {
        const examples = acceptedForm(rule.content, request.headers['accept'])?.media.examples
        if (examples?.some((each) => each.name === name) !== true || !canShow(rule, name, request)) continue
        return rule === success ? { example: name } : { example: name, code: String(rule.status) }
      }
    }
    return undefined
  }
}

// Without looking at the examples themselves, which nobody may ask for.
function mayHavePairs({ parameters, body, responses }: Operation): boolean {
  return (parameters.length > 0 || body !== undefined) && responses.some(({ content }) => content.size > 0)
}

function isNumbered({ status }: ResponseRule): boolean {
  return typeof status === 'number' && status >= 200
}

function declaresExample({ content }: ResponseRule, name: string): boolean {
  return [...content.values()].some(({ examples }) => examples.some((each) => each.name === name))
}

// Those that say most of a request come first.
function requestExamples({ parameters, body, responses }: Operation): readonly RequestExample[] {
  const ofBody = [...(body?.content.values() ?? [])].flatMap(({ examples }) => examples)
  const names = new Set(
    [...parameters.flatMap(({ examples = [] }) => examples), ...ofBody].map((each) => each.name),
  )
  return [...names]
    .filter((name) => !UNNAMED.test(name) && responses.some((rule) => declaresExample(rule, name)))
    .map((name) => {
      const called = (each: Example): boolean => each.name === name
      const given = parameters.flatMap((parameter) => {
        const example = parameter.examples?.find(called)
        return example === undefined ? [] : [{ parameter, example }]
      })
      const bodies = ofBody.filter(called).flatMap(({ value }) => [value, parsed(value)])
      const inQuery = parameters.filter(
        (each) => each.in === 'query' && (each.required || given.some(({ parameter }) => parameter === each)),
      )
      return {
        name,
        parts: [
          ...given.map(
            ({ parameter, example }) =>
              (_request: HttpRequest, input: Input) =>
                isSame(input[parameter.name], example.value),
          ),
          ...(bodies.length === 0
            ? []
            : [(request: HttpRequest) => bodies.some((each) => isDeepStrictEqual(each, request.body))]),
        ],
        query: new Set(inQuery.map((each) => each.name)),
      }
    })
    .toSorted((one, other) => other.parts.length - one.parts.length)
}

/** What an example without a name of its own is called. */
const UNNAMED = /^default\d*$/

function isSame(value: unknown, example: unknown): boolean {
  if (isDeepStrictEqual(value, example)) return true
  return isScalar(value) && isScalar(example) && String(value) === String(example)
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

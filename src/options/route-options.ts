import { PageTable } from '../engine/fixtures/page-table.ts'
import type { RouteOptions } from '../engine/route-options.ts'
import { isObject, typesOf } from '../engine/schema/schema.ts'
import type { ErrorCase } from '../engine/error-case.ts'
import { FLAG, listOf, number, TEXT, textThat, whole, type Form, type Option } from '../pipeline/option.ts'
import { UsageInvalid } from '../errors.ts'
import { HOST } from './app-options.ts'
import { findValueProblem } from './check.ts'

const CHAOS = 'Chaos'
const FIELD = textThat(() => true, 'the name of a field')
const MILLISECONDS = number(0, Infinity, 'a number of milliseconds, 0 or more')
const MODEL: Form = { check: (value) => (isObject(value) ? undefined : 'a JSON Schema object') }
const LIST_COUNT = whole()
const STATUS = { type: 'integer', minimum: 200, maximum: 599 }

function isStatus(value: unknown, minimum = 200): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= 599
}

function isObjectModel(value: unknown): boolean {
  const types = isObject(value) ? typesOf(value) : []
  return types.length === 0 || types.includes('object')
}

function isStep(value: unknown): boolean {
  return isObject(value) && isStatus(value['status'])
}

function isErrorCase(item: unknown): boolean {
  return isStep(item) && (item as ErrorCase).status !== 422 && typeof (item as ErrorCase).when === 'function'
}

/** The options of a route. */
export const ROUTE_OPTIONS: Readonly<Record<keyof RouteOptions, Option>> = {
  input: {
    check: (value) =>
      MODEL.check(value) ??
      (isObjectModel(value) ? undefined : 'a model of an object, whose fields are the input'),
    describe: "The model of the request's input: query for GET, JSON body otherwise, and path parameters.",
  },
  output: { ...MODEL, describe: 'The model of the answer, or the form of a list or page of it.' },
  status: {
    check: (value) => (isStatus(value) ? undefined : 'a status from 200 to 599'),
    schema: STATUS,
    describe:
      'Status of a successful answer. Default: 200; 204 for a DELETE without output or of a stored item.',
  },
  headers: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => typeof each === 'string')
        ? undefined
        : 'texts by name',
    schema: { type: 'object', additionalProperties: TEXT.schema },
    describe: 'Headers of a successful answer; {name} in one stands for a field of the answer or the input.',
  },
  listCount: {
    check: (value) =>
      typeof value === 'string' || LIST_COUNT.check(value) === undefined
        ? undefined
        : 'a number of items or the name of an input field',
    schema: { anyOf: [LIST_COUNT.schema, TEXT.schema] },
    describe: 'How many items a list answer has; or the name of the input field that says it.',
  },
  stateful: {
    ...FLAG,
    describe: 'Whether the route reads and changes stored items. Default: as the app says.',
  },
  filterBy: {
    ...FIELD,
    describe:
      'Name of an output field: only items whose field equals the input field of the same name are kept.',
  },
  seedFrom: {
    ...FIELD,
    describe: 'Name of the input field that adds to the seed, and is the seed where there is none.',
  },
  pageTable: {
    check: (value) => (value instanceof PageTable ? undefined : 'a PageTable'),
    describe: 'Pages declared beforehand; they answer instead of generation.',
  },
  errorRate: {
    ...number(0, 1, 'a number from 0 to 1'),
    describe: 'Share of requests that fail, 0 to 1.',
    group: CHAOS,
    flag: { name: 'error-rate' },
  },
  errorCodes: {
    ...listOf((item) => isStatus(item, 400), 'a list of statuses from 400 to 599', {
      type: 'integer',
      minimum: 400,
      maximum: 599,
    }),
    describe: 'Statuses of the failures that error_rate causes. Default: 404 and 500.',
    group: CHAOS,
    flag: {
      name: 'error-codes',
      as: 'string',
      describe: 'Statuses they fail with, such as 500,503',
      read: (codes: string) => codes.split(',').map(readStatus),
    },
  },
  errors: {
    ...listOf(isErrorCase, 'a list of ErrorCase({ when, status, detail, body }) with any status but 422', {}),
    schema: undefined,
    describe: 'Errors that answer instead of the model, the first that applies.',
  },
  scenario: {
    ...listOf(isStep, 'a list of ScenarioStep({ status, detail, body })', {}),
    schema: undefined,
    describe: 'A sequence of statuses: step n answers the n-th request, the last step all that follow.',
  },
  latencyMs: {
    ...MILLISECONDS,
    describe: 'Hold every request this long.',
    group: CHAOS,
    flag: { name: 'latency-ms' },
  },
  jitterMs: {
    ...MILLISECONDS,
    describe: 'The latency varies by up to this much, both ways.',
    group: CHAOS,
    flag: { name: 'jitter-ms', describe: 'Vary the latency by up to this much' },
  },
  rateLimit: {
    ...number(0, Infinity, 'a number of requests per second, 0 or more'),
    describe: 'The most requests admitted in any one second.',
    group: CHAOS,
    flag: {
      name: 'rate-limit',
      describe: 'Most requests admitted a second, for each route',
      accept: acceptWhole,
    },
  },
  bearerTokens: {
    ...listOf((item) => typeof item === 'string' && item !== '', 'a list of texts', {
      type: 'string',
      minLength: 1,
    }),
    describe: 'The bearer tokens that open the route; none means it is open.',
    group: CHAOS,
    flag: { name: 'bearer-token', describe: 'Require one of these tokens' },
  },
  summary: { ...TEXT, describe: 'A short line for the OpenAPI document.' },
  description: { ...TEXT, describe: 'A longer text for the OpenAPI document.' },
  tags: {
    ...listOf((item) => typeof item === 'string', 'a list of texts', TEXT.schema),
    describe: 'The groups it belongs to in the OpenAPI document.',
  },
  host: {
    ...HOST,
    describe:
      'The host that the route answers for, such as api.example.com or *.example.com. Default: every host.',
  },
}

/** What is wrong with the values of a route's options, naming the option; `undefined` when nothing is. */
export function findRouteOptionProblem(options: RouteOptions): string | undefined {
  return findValueProblem(options, ROUTE_OPTIONS)?.message
}

function acceptWhole(flag: string, value: number): void {
  const wanted = LIST_COUNT.check(value)
  if (wanted !== undefined) throw new UsageInvalid(`${flag} must be ${wanted}, not ${value}`)
}

function readStatus(text: string): number {
  if (isStatus(Number(text), 400)) return Number(text)
  throw new UsageInvalid(
    `--error-codes must be statuses from 400 to 599 such as 500,503; '${text}' is not one`,
  )
}

import { POLICY_OPTIONS } from '../../plugins/index.ts'
import { PageTable } from '../engine/fixtures/page-table.ts'
import type { RouteOptions } from '../engine/route-options.ts'
import { isObject, typesOf } from '../engine/schema/schema.ts'
import { FLAG, TEXT, TEXTS, textThat, whole, type Form, type Option } from '../pipeline/option.ts'
import { SELECT } from './select-options.ts'
import { ITEM, PAGE_TOKENS } from './stored-options.ts'
import { FILE_SCHEMA, findFileProblems } from './file-options.ts'
import { HOST } from './app-options.ts'
import { WHEN } from '../pipeline/when-option.ts'
import { KNOWN_ANSWER } from './known-answer-option.ts'
import { ENTITY } from './entity-option.ts'
import { LOGIN } from './login-option.ts'
import { findValueProblem } from './check.ts'

const FIELD = textThat(() => true, 'the name of a field')
const MODEL: Form = { check: (value) => (isObject(value) ? undefined : 'a JSON Schema object') }
const LIST_COUNT = whole()
const STATUS = whole(200, 599, 'a status')

function isObjectModel(value: unknown): boolean {
  const types = isObject(value) ? typesOf(value) : []
  return types.length === 0 || types.includes('object')
}

/** The options of a route. */
export const ROUTE_OPTIONS: Readonly<Record<keyof RouteOptions, Option>> = {
  input: {
    check: (value) =>
      MODEL.check(value) ??
      (isObjectModel(value) ? undefined : 'a model of an object, whose fields are the input'),
    see: 'models-and-links.md',
    describe: "The model of the request's input: query for GET, JSON body otherwise, and path parameters.",
  },
  output: { ...MODEL, describe: 'The model of the answer, or the form of a list or page of it.' },
  status: {
    ...STATUS,
    describe:
      'Status of a successful answer. Default: 200; 204 for a DELETE without output or of a stored item.',
  },
  headers: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => typeof each === 'string')
        ? undefined
        : 'texts by name',
    schema: { type: 'object', additionalProperties: TEXT.schema },
    see: 'options.md#status-and-headers',
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
    see: 'stateful.md',
    describe: 'Whether the route reads and changes stored items. Default: as the app says.',
  },
  filterBy: {
    ...FIELD,
    describe:
      'Name of an output field: only items whose field equals the input field of the same name are kept.',
  },
  select: {
    ...SELECT,
    see: 'stateful.md#lists',
    describe:
      'Which query parameters say which items of a stored list are answered, in which order, and which of their fields.',
  },
  item: {
    ...ITEM,
    see: 'stateful.md#items-in-envelopes',
    describe: 'Where the stored item is in bodies and answers, and what requests to its path do with it.',
  },
  login: {
    ...LOGIN,
    see: 'stateful.md#users-who-log-in',
    describe:
      'What its requests have to do with users and their tokens: make one, log in or out, or be of one who is logged in.',
  },
  keepsSent: {
    ...FLAG,
    see: 'stateful.md',
    describe: 'Whether a stored item is what its request sends, besides what the model requires.',
  },
  emptyBody: {
    ...FLAG,
    see: 'stateful.md',
    describe: 'Whether successful answers have no body, and the output says only what is stored.',
  },
  file: {
    judge: findFileProblems,
    schema: FILE_SCHEMA,
    see: 'files.md',
    describe:
      'What its requests do with stored files, bodies of any bytes: put, get, delete, list or upload in parts.',
  },
  seedFrom: {
    ...FIELD,
    see: 'determinism.md',
    describe: 'Name of the input field that adds to the seed, and is the seed where there is none.',
  },
  pageTable: {
    check: (value) => (value instanceof PageTable ? undefined : 'a PageTable'),
    see: 'fixtures.md',
    describe: 'Pages declared beforehand; they answer instead of generation.',
  },
  pageTokens: {
    ...PAGE_TOKENS,
    see: 'stateful.md#lists',
    describe: 'How the tokens are written by which requests ask for further pages.',
  },
  answers: {
    check: (value) =>
      Array.isArray(value) &&
      value.every(
        (each) => isObject(each) && isObject(each['when']) && STATUS.check(each['status']) === undefined,
      )
        ? undefined
        : 'a list of answers, each with when and a status',
    schema: {
      anyOf: [
        { type: 'array', items: KNOWN_ANSWER },
        {
          type: 'object',
          additionalProperties: false,
          required: ['path'],
          properties: {
            path: { type: 'string', description: 'A JSON file of them, from this file’s directory.' },
          },
        },
      ],
    },
    see: 'recording-to-fixtures.md#answers-as-they-were-recorded',
    describe: 'Answers to single requests, such as those that were recorded; the route answers all others.',
  },
  calls: {
    check: (value) =>
      isObject(value) && isObject(value['types']) && isObject(value['calls'])
        ? undefined
        : 'what calls do, with protocol, types and calls',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { type: 'string', description: 'A JSON file of it, from this file’s directory.' },
      },
    },
    see: 'recording-to-fixtures.md#calls',
    describe:
      'What calls of GraphQL, JSON-RPC and the like do to the objects behind them; those it does not say are answered by the route.',
  },
  nearest: {
    check: (value) => (value === 'all' || value === 'failures' ? undefined : "'all' or 'failures'"),
    schema: { enum: ['all', 'failures'] },
    see: 'recording-to-fixtures.md#answers-as-they-were-recorded',
    describe:
      'Which other requests get the nearest of these answers, with values of their own: all, or those that the route refuses.',
  },
  nearestBy: {
    ...TEXTS,
    see: 'recording-to-fixtures.md#answers-as-they-were-recorded',
    describe:
      'Where requests say which of these answers is the nearest, such as query/name, path/2 or body/user/id: those with the same values there come before all others.',
  },
  entity: {
    ...ENTITY,
    see: 'recording-to-fixtures.md#what-a-request-is-about',
    describe:
      'What its requests are about and do to that, for these answers, where their path does not say it.',
  },
  summary: { ...TEXT, describe: 'A short line for the OpenAPI document.' },
  description: { ...TEXT, describe: 'A longer text for the OpenAPI document.' },
  tags: { ...TEXTS, describe: 'The groups it belongs to in the OpenAPI document.' },
  host: {
    ...HOST,
    see: 'gateway.md#routes-by-host',
    describe:
      'The host that the route answers for, such as api.example.com or *.example.com. Default: every host.',
  },
  when: {
    ...WHEN,
    see: 'options.md#several-routes-with-one-path',
    describe:
      'What distinguishes its requests from those of other routes with this method and path. Default: it has the rest.',
  },
  ...POLICY_OPTIONS,
}

/** What is wrong with the values of a route's options, naming the option; `undefined` when nothing is. */
export function findRouteOptionProblem(options: RouteOptions): string | undefined {
  return findValueProblem(options, ROUTE_OPTIONS)?.message
}

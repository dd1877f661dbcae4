import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import type { Call } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { awsJson } from '../aws-json.ts'
import { type Protocol, textOf } from '../protocol.ts'
import { type Learned, learn } from './learn.ts'
import { OPERATIONS } from './operations.ts'
import { checkParameters } from './parameters.ts'
import { Refusal } from './refusal.ts'
import type { Args } from './tables.ts'

const form = awsJson.calls

/** Amazon DynamoDB, and what speaks its API: AWS JSON 1.0 with a query language of its own. */
export const dynamodb: Protocol = {
  ...awsJson,
  name: 'DynamoDB',
  speaks: ({ headers }) => textOf(headers['x-amz-target'])?.startsWith('DynamoDB_') === true,
  ...(form !== undefined && {
    calls: { ...form, semantics: { learn: (calls) => learn(calls, perform), perform } },
  }),
}

function perform(
  { learned = {} }: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  { name, args }: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const [tables, items] = [all.get('Table'), all.get('Item')]
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
  if (tables === undefined || items === undefined || operation === undefined) return undefined
  const { description, deleted, order = [] } = learned as Learned
  const ranks = new Map([...order.entries()].map(([at, id]) => [id, at]))
  try {
    checkParameters(name, args)
    const value = operation(args, { tables, items, description, deleted, ranks, fresh })
    return value === undefined ? undefined : { value }
  } catch (error) {
    if (error instanceof Refusal) return refused(error, learned)
    // What a request lacks that the operation needs, the service refuses in words of its own.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const VALIDATION = 'com.amazon.coral.validate#'
const SERVICE = 'com.amazonaws.dynamodb.v20120810#'

function refused(
  { code, template, values, more }: Refusal,
  { texts = {}, errors = {} }: Learned,
): CallOutcome {
  const text = (Object.hasOwn(texts, template) ? texts[template] : undefined) ?? template
  const message = text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  const type = `${code === 'ValidationException' ? VALIDATION : SERVICE}${code}`
  const { type: own = type, member = 'message' } = Object.hasOwn(errors, code) ? (errors[code] ?? {}) : {}
  const error: Args = { __type: own, [member]: message, ...more }
  return { error, status: 400, reason: { template, values } }
}

import { ItemExists, ItemNotFound, type SimError } from '../../errors.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'

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
  const told = [...MESSAGES.map((name) => [name, message]), ...STATUSES.map((name) => [name, statusCode])]
  return told.reduce<Record<string, unknown>>((all, [name, value]) => {
    const next = { ...all, [String(name)]: value }
    return Object.hasOwn(all, String(name)) && checker.fits(next) ? next : all
  }, body)
}

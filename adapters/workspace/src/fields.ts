import { invalid, workspaceError } from './errors.ts'

/** A JSON object as a client sent it; unknown fields are nobody's business. */
export type Body = Readonly<Record<string, unknown>>

/** The body of a request as an object; an absent one is an empty object. */
export function bodyOf(context: { body(): unknown }): Body {
  const body = context.body() ?? {}
  if (typeof body === 'object' && !Array.isArray(body)) return body as Body
  throw workspaceError('MALFORMED_REQUEST', 'Could not parse request object: expected a JSON object.')
}

function mismatch(name: string, expected: string): Error {
  return workspaceError(
    'MALFORMED_REQUEST',
    `Could not parse request object: expected ${expected} for field ${name}.`,
  )
}

/** A field's text; numbers and booleans are not texts. */
export function optionalText(body: Body, name: string): string | undefined {
  const value = body[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw mismatch(name, 'a string')
}

/** A field's text that must be there and not be empty. */
export function requiredText(body: Body, name: string): string {
  const value = optionalText(body, name)
  if (value === undefined || value === '') throw invalid(`Missing required field: ${name}`)
  return value
}

/** A field's whole number, also when it comes as text, as in queries. */
export function optionalInteger(body: Body, name: string): number | undefined {
  const value = body[name] ?? undefined
  if (value === undefined) return undefined
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  if (Number.isSafeInteger(number)) return number as number
  throw mismatch(name, 'an integer')
}

/** A field's whole number that must be there. */
export function requiredInteger(body: Body, name: string): number {
  const value = optionalInteger(body, name)
  if (value === undefined) throw invalid(`Missing required field: ${name}`)
  return value
}

/** A field's truth value. */
export function optionalBoolean(body: Body, name: string): boolean | undefined {
  const value = body[name] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  throw mismatch(name, 'a boolean')
}

/** A field's object. */
export function optionalObject(body: Body, name: string): Body | undefined {
  const value = body[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'object' && !Array.isArray(value)) return value as Body
  throw mismatch(name, 'an object')
}

/** A field's list. */
export function optionalList(body: Body, name: string): readonly unknown[] | undefined {
  const value = body[name] ?? undefined
  if (value === undefined || Array.isArray(value)) return value as readonly unknown[] | undefined
  throw mismatch(name, 'a list')
}

/** A field's list of objects. */
export function optionalObjects(body: Body, name: string): readonly Body[] | undefined {
  const list = optionalList(body, name)
  if (list?.some((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry)) === true)
    throw mismatch(name, 'a list of objects')
  return list as readonly Body[] | undefined
}

/** A query value's text that must be there. */
export function requiredQuery(query: URLSearchParams, name: string): string {
  const value = query.get(name)
  if (value === null || value === '') throw invalid(`Missing required field: ${name}`)
  return value
}

/** A query value's whole number. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null || value === '') return undefined
  if (/^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value)
  throw invalid(`${name} must be an integer, not '${value}'.`)
}

/** A query's truth value: `true`, and `True` as one client writes it. */
export function queryBoolean(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name)?.toLowerCase()
  if (value === undefined || value === '') return undefined
  if (value === 'true' || value === 'false') return value === 'true'
  throw invalid(`${name} must be true or false, not '${value}'.`)
}

/** A query's list: repeated keys, and none for one empty value. */
export function queryList(query: URLSearchParams, name: string): readonly string[] {
  return query.getAll(name).filter((value) => value !== '')
}

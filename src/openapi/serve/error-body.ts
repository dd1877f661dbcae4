import { partAt, partOf } from '../../engine/list-shape.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { itemsOf } from '../../engine/schema/keywords.ts'
import { plainName } from '../../engine/schema/position.ts'
import { saidOf } from '../../engine/schema/said.ts'
import { createResolver, isObject, type Schema } from '../../engine/schema/schema.ts'
import { InputInvalid, type InputIssue, type SimError } from '../../errors.ts'

/** A body of an error that says what the error says, where its model can hold that. */
export type FillError = (body: unknown, error: SimError, status: number) => unknown

/**
 * Makes what writes an error into bodies of a model: its text into the first field for one, the status, and for input
 * that does not fit, each issue into the items of lists of them. A value that the model cannot hold is left out.
 * @param isShared whether what the model says is of other errors as well
 */
export function createErrorBody(model: Schema, isShared = false): FillError {
  const checker = createChecker(model)
  return (body, error, status) => {
    if (!isObject(body)) return isTexts(body) ? kept(body, textsOf(error), checker.fits) : body
    const changes: Change[] = []
    // What is wrong with a request is new with each; what else happens may be said by the description.
    const isSaid = (path: readonly string[]): boolean =>
      !isShared && !(error instanceof InputInvalid) && says(model, path)
    const isShown = (path: readonly string[]): boolean => says(model, path)
    collect(body, [], { error, status, isSaid, isShown }, changes)
    return changes.reduce<unknown>((now, { path, value }) => {
      const next = withValue(now, path, value)
      return checker.fits(next) ? next : now
    }, body)
  }
}

interface Change {
  readonly path: readonly string[]
  readonly value: unknown
}

interface Context {
  readonly error: SimError
  readonly status: number
  readonly isSaid: (path: readonly string[]) => boolean
  /** Whether the model says what a value is. */
  readonly isShown: (path: readonly string[]) => boolean
}

function says(model: Schema, path: readonly string[]): boolean {
  const items = path.indexOf('*')
  const part = partAt(model, items < 0 ? path : path.slice(0, items))
  if (!isObject(part)) return false
  if (items < 0) return saidOf(part, createResolver(part)).length > 0
  const { rest } = itemsOf(part)
  return isObject(rest) && says(partOf(part, rest), path.slice(items + 1))
}

const MESSAGES = [
  'message',
  'detail',
  'error',
  'title',
  'description',
  'msg',
  'reason',
  'errormessage',
  'errordescription',
]
const STATUSES = ['status', 'code', 'statuscode', 'httpstatus']
const HOLDERS = ['error', 'fault', 'problem', 'errors', 'meta', 'status']
/** What lists of several errors are called. */
const LISTS = ['error', 'errors', 'details', 'errordetails']
const MAX_DEPTH = 3

function collect(
  body: Readonly<Record<string, unknown>>,
  path: readonly string[],
  context: Context,
  changes: Change[],
): void {
  const names = Object.keys(body)
  for (const name of names)
    if (
      MESSAGES.includes(plainName(name)) &&
      typeof body[name] === 'string' &&
      !context.isSaid([...path, name])
    )
      changes.push({ path: [...path, name], value: context.error.message })
  for (const name of names) {
    const value = body[name]
    const isOwn = plainName(name) === 'code' && context.isSaid([...path, name])
    const isText =
      plainName(name) !== 'code' && typeof value === 'string' && !context.isShown([...path, name])
    if (STATUSES.includes(plainName(name)) && (isStatus(value) || isText) && !isOwn) {
      const own = typeof value === 'number' ? context.status : String(context.status)
      changes.push({ path: [...path, name], value: own })
    }
    if (isObject(value) && HOLDERS.includes(plainName(name)) && path.length < MAX_DEPTH)
      collect(value, [...path, name], context, changes)
    if (Array.isArray(value) && context.error instanceof InputInvalid)
      changes.push({ path: [...path, name], value: issuesIn(value, context.error) })
    else if (Array.isArray(value) && LISTS.includes(plainName(name)) && !context.isSaid([...path, name]))
      changes.push({ path: [...path, name], value: onlyOf(value, [...path, name, '*'], context) })
  }
}

// One thing is wrong, and the first item shows what there is to say of it.
function onlyOf(items: readonly unknown[], path: readonly string[], context: Context): readonly unknown[] {
  const [first] = items
  if (!isObject(first)) return items
  const changes: Change[] = []
  collect(first, path, context, changes)
  return [
    changes.reduce<unknown>(
      (now, change) => withValue(now, change.path.slice(path.length), change.value),
      first,
    ),
  ]
}

// A code that is a text or no status of HTTP is one of the service's own, and so is a status that the model shows.
function isStatus(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false
  const number = Number(value)
  return typeof value === 'number' || (/^\d{3}$/.test(value) && number >= 400 && number < 600)
}

function textsOf(error: SimError): readonly string[] {
  return error instanceof InputInvalid ? error.issues.map(lineOf) : [error.message]
}

function lineOf({ loc, msg }: InputIssue): string {
  return `${loc.join('.')}: ${msg}`
}

function isTexts(body: unknown): body is readonly string[] {
  return Array.isArray(body) && body.length > 0 && body.every((each) => typeof each === 'string')
}

function kept(body: unknown, next: unknown, fits: (value: unknown) => boolean): unknown {
  return fits(next) ? next : body
}

// The first item shows what there is to say of each issue.
function issuesIn(items: readonly unknown[], error: InputInvalid): readonly unknown[] {
  const [first] = items
  if (typeof first === 'string') return error.issues.map(lineOf)
  if (!isObject(first)) return items
  return error.issues.map((issue) => itemOf(first, issue))
}

const ABOUT: readonly (readonly [names: readonly string[], value: (issue: InputIssue) => unknown])[] = [
  [MESSAGES, ({ msg }) => msg],
  [
    [
      'field',
      'path',
      'property',
      'parameter',
      'param',
      'name',
      'attribute',
      'source',
      'target',
      'key',
      'fieldname',
    ],
    ({ loc }) => loc.slice(1).join('.'),
  ],
  [
    ['pointer', 'instancepath', 'jsonpointer'],
    ({ loc }) =>
      loc
        .slice(1)
        .map((each) => `/${each}`)
        .join(''),
  ],
  [['in', 'place', 'location'], ({ loc }) => loc[0]],
  [['type', 'rule', 'keyword', 'constraint'], ({ type }) => type],
  [['input', 'value', 'rejectedvalue'], ({ input }) => input],
]

function itemOf(item: Readonly<Record<string, unknown>>, issue: InputIssue): Record<string, unknown> {
  const entries = Object.entries(item).map(([name, value]): [string, unknown] => {
    if (plainName(name) === 'loc' && Array.isArray(value)) return [name, issue.loc]
    const [, make] = ABOUT.find(([names]) => names.includes(plainName(name))) ?? []
    const next = make?.(issue)
    return [name, next !== undefined && typeof next === typeof value ? next : value]
  })
  return Object.fromEntries(entries)
}

function withValue(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const holder = body as Readonly<Record<string, unknown>>
  return { ...holder, [name]: withValue(holder[name], rest, value) }
}

import { remembered } from '../../engine/lazy.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { isNumeric } from '../../shape/formats.ts'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import { correlationFields } from './correlation.ts'
import { boundOf, type FieldIssue, lengthOf, unlikeAll } from './refused-values.ts'
import type { Sample } from './sample.ts'
import { isTaken } from './taken.ts'

/** What may be why a request was refused, by those to the same route that succeeded. */
export function fieldIssues(sample: Sample, samples: readonly Sample[]): readonly FieldIssue[] {
  const own = members(saidBy(sample))
  const answer = textOfAnswer(sample.response)
  const correlations = correlationFields(samples)
  const accepted = acceptedFields(samples)
  const more = [...own.keys()].filter(
    (path) => isTop(path, own) && !accepted.has(path) && speaksOf(answer, lastOf(path)),
  )
  const extra =
    accepted.size === 0
      ? []
      : more.map((path): FieldIssue => ({
          field: lastOf(path),
          type: 'extra_forbidden',
          value: own.get(path),
        }))
  const known = [...accepted].flatMap(([path, { isAlways, types, values }]): FieldIssue[] => {
    const field = lastOf(path)
    if (correlations.has(path.slice(1))) return []
    if (!own.has(path)) return isAlways ? [{ field, type: 'missing', value: undefined }] : []
    const value = own.get(path)
    if (!types.has(jsonTypeOf(value))) return [{ field, type: 'type_error', value }]
    const beyond = speaksOf(answer, field)
      ? (boundOf(value, values, answer) ??
        unlikeAll(value, values, answer) ??
        lengthOf(value, values, answer))
      : undefined
    if (beyond !== undefined) return [{ field, value, ...beyond }]
    if (isEmptyList(value) && ![...values].some(isEmptyList) && speaksOf(answer, field))
      return [{ field, type: 'too_short', value, bound: 1 }]
    const isOther = typeof value === 'string' && value !== '' && !values.has(value) && speaksOf(answer, field)
    return isOther ? [{ field, type: 'enum', value }] : []
  })
  const isNamed = known.some(({ field }) => speaksOf(answer, field))
  return known.length === 0 || (extra.length > 0 && !isNamed) ? extra : known
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** What of the issues an answer names, where it names any. */
export function namedIssues(issues: readonly FieldIssue[], response: unknown): readonly FieldIssue[] {
  const text = textOfAnswer(response)
  const named = issues.filter(({ field }) => speaksOf(text, field))
  return named.length > 0 ? named : issues
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

// A field of the body, or of all that the body has.
function isTop(path: string, own: ReadonlyMap<string, unknown>): boolean {
  const above = path.slice(0, path.lastIndexOf('/'))
  if (above === '') return true
  return (
    !above.slice(1).includes('/') &&
    [...own.keys()].filter((each) => each.lastIndexOf('/') === 0).length === 1
  )
}

/** Which fields answers say are needed, and which are not, though all requests had them that succeeded. */
export function neededFields(samples: readonly Sample[]): {
  readonly named: ReadonlySet<string>
  readonly spared: ReadonlySet<string>
} {
  const answers = samples.filter(isInvalid).map((sample) => {
    const all = fieldIssues(sample, samples)
    const missing = all.flatMap(({ type, field }) => (type === 'missing' ? [field] : []))
    const text = textOfAnswer(sample.response)
    const named = missing.filter((field) => speaksOf(text, field))
    const isOther = all.some(({ type, field }) => type !== 'missing' && speaksOf(text, field))
    const others = isOther ? lackedBy(sample, samples) : named.length === 0 ? [] : missing
    const isListed =
      named.length > 0 &&
      listsOf(sample.response).some((text) => named.some((field) => speaksOf(text, field)))
    return { named, isOther, isListed, others: others.filter((field) => !named.includes(field)) }
  })
  const named = new Set(answers.flatMap((each) => each.named))
  // Only a server that names several at once, or has a list for them, names all; but what is missing where it names what else is wrong is not needed.
  const isComplete = answers.some((each) => each.named.length > 1 || each.isListed)
  // So is what several lack that are refused for different fields.
  const lacked = groupBy(
    answers.flatMap(({ named, others }) => others.map((field) => ({ field, by: named.join(' ') }))),
    ({ field }) => field,
  )
  const isLackedBeside = (field: string): boolean =>
    new Set((lacked.get(field) ?? []).map(({ by }) => by).filter((by) => by !== '')).size > 1
  const others = answers.flatMap((each) =>
    isComplete || each.isOther ? each.others : each.others.filter(isLackedBeside),
  )
  // What is there already is refused for that, whatever else is not sent; and so is what failed otherwise.
  const isPast = (sample: Sample): boolean =>
    isTaken(sample) || (sample.status >= 404 && sample.status !== 415 && !isCalledInvalid(sample))
  const unsent = samples.filter(isPast).flatMap(({ body }) => absentIn(body, samples))
  return { named, spared: new Set([...others, ...unsent].filter((field) => !named.has(field))) }
}

function listsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length > 0 ? [JSON.stringify(value)] : []
  return isObject(value) ? Object.values(value).flatMap(listsOf) : []
}

function lackedBy(sample: Sample, samples: readonly Sample[]): readonly string[] {
  const own = members(saidBy(sample))
  return [...acceptedFields(samples)].flatMap(([path, { isAlways }]) =>
    isAlways && !own.has(path) ? [lastOf(path)] : [],
  )
}

function absentIn(body: unknown, samples: readonly Sample[]): readonly string[] {
  const sent = samples.flatMap((sample) => (isObject(sample.body) ? Object.keys(sample.body) : []))
  return isObject(body) ? [...new Set(sent)].filter((name) => !Object.hasOwn(body, name)) : []
}

/** Whether a request was refused for what it says. */
export function isInvalid(sample: Sample): boolean {
  return isCalledInvalid(sample) && !isTaken(sample)
}

/** Whether it was, or since what it would make is there. Some servers have another status for it, and say so. */
export function isCalledInvalid({ method, status, query, body, response }: Sample): boolean {
  if (status === 400 || status === 422) return true
  if (method === 'GET' && status === 403)
    return Object.keys(query).length > 0 && SAYS_NO_FIELD.test(JSON.stringify(response ?? ''))
  const mayBe = status > 402 && status <= 500 && status !== 404 && status !== 412
  const said = status === 500 ? SAYS_INVALID : SAYS_VALIDATED
  return mayBe && method !== 'GET' && isObject(body) && said.test(JSON.stringify(response ?? ''))
}

const SAYS_VALIDATED = /validat/i
/** What servers say of a field that no item has. */
const SAYS_NO_FIELD = /\b(not have|no such|unknown|unsupported)( \w+){0,2} (property|field|attribute)\b/i
/** What handlers of errors say that take all errors for the server's own. */
const SAYS_INVALID = /validat|\brequired\b|\b(should|must) (not )?(be|have|match|contain)\b/i

// What a query says is a text, that of a number as well.
function saidBy({ method, query, body }: Sample): unknown {
  if (method !== 'GET') return body
  const entries = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' && isNumeric(value) ? Number(value) : value,
  ])
  return Object.fromEntries(entries)
}

interface Accepted {
  /** Whether all have it. */
  readonly isAlways: boolean
  readonly types: ReadonlySet<string>
  readonly values: ReadonlySet<unknown>
}

const acceptedFields = remembered<readonly Sample[], ReadonlyMap<string, Accepted>>((samples) => {
  const bodies = samples.filter(({ status }) => status < 400).map((sample) => members(saidBy(sample)))
  const fields = groupBy(
    bodies.flatMap((own) => [...own]),
    ([path]) => path,
  )
  return new Map(
    [...fields].map(([path, all]) => [
      path,
      {
        isAlways: all.length === bodies.length,
        types: new Set(all.map(([, value]) => jsonTypeOf(value))),
        values: new Set(all.map(([, value]) => value)),
      },
    ]),
  )
}, new WeakMap())

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const MAX_DEPTH = 4

function members(value: unknown, at = '', depth = 0): ReadonlyMap<string, unknown> {
  if (!isObject(value) || depth >= MAX_DEPTH) return new Map()
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [
      [`${at}/${name}`, part] as const,
      ...members(part, `${at}/${name}`, depth + 1),
    ]),
  )
}

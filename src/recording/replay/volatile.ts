import type { BodyValue } from '../match/body-value.ts'
import { entryOf } from '../../grouping.ts'
import { shown } from '../../shape/finding.ts'
import { valueDifferences } from '../match/differences.ts'
import type { MatchOptions, RequestHead } from '../match/match.ts'

/** The options that say what need not be as recorded. */
export type IgnoreOptions = Pick<MatchOptions, 'ignoreHost' | 'ignoreQuery' | 'ignoreBody' | 'ignorePatterns'>

/** A value that was another one than recorded, and the option with which it does not count. */
export interface ChangedValue {
  /** Such as `query nonce`, `body /user/id`, `path` or `host`. */
  readonly where: string
  readonly recorded: string
  readonly requested: string
  readonly option: IgnoreOptions
}

/** What of a request is compared. */
interface Compared {
  readonly head: RequestHead
  readonly body: BodyValue
}

// What differs from run to run, by its form. A pattern fits nothing longer, nor a part of a word.
const FORMS = [
  '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}',
  '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?',
  '\\d{4}-\\d\\d-\\d\\d',
  '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT',
  '\\b1\\d{9}(?:\\d{3}|\\d{6}|\\d{9})?(?:\\.\\d{1,9})?\\b',
  '\\b(?=[a-fA-F]*\\d)[0-9a-fA-F]{12,}\\b',
  '\\b(?=\\w*\\d)(?=\\w*[A-Za-z])\\w{16,}\\b',
].map((source) => ({ source, whole: new RegExp(`^(?:${source})$`) }))
const NAMES =
  /(^|[._-])(nonce|cb|cachebuster|rand(om)?|salt|ts|time(stamp)?|date|now|request_?id|trace_?id|correlation_?id|idempotency_?key|uuid|guid|boundary|_)$|(Nonce|Timestamp|Time|Date|RequestId|TraceId|CorrelationId|Uuid|Guid)$|^(at|.*_at)$/

/**
 * What changed between a recorded request and one like it, where all of it looks as if it differed from run to run: by
 * its form, such as that of a moment or a random id, or by its name. `undefined` where anything else differs.
 * @param isFresh whether each recorded request of a path had another value of a parameter, and this may be one, too
 */
export function changedValues(
  requested: Compared,
  recorded: Compared,
  isFresh: IsFresh,
): readonly ChangedValue[] | undefined {
  const [is, was] = [requested.head, recorded.head]
  if (is.method !== was.method || textOf(is.headers) !== textOf(was.headers)) return undefined
  const parts = [
    is.host === undefined || is.host === was.host ? [] : [hostChange(is.host, was.host ?? '')],
    pathChanges(is.path, was.path),
    queryChanges(is.query, was.query, (name, value) => isFresh(was.path, name, value)),
    bodyChanges(requested.body, recorded.body),
  ]
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

/** Fewer values may differ by chance. */
const MIN_FRESH = 4
const DRAWN = /^[\w-]{6,}$/
/** Such parameters name what is requested. */
const NAMING = /(^|[._-])(id|key|code|sku|slug|name)s?$|(Id|Key|Code|Sku|Slug|Name)s?$/

/** Whether each request of a path had another drawn value of a parameter, and a value may be one, too. */
export type IsFresh = (path: string, parameter: string, value: string) => boolean

/** Finds the parameters of which each request of a path had another drawn value, such as one that keeps caches away. */
export function freshParameters(heads: readonly RequestHead[]): IsFresh {
  const values = new Map<string, string[]>()
  for (const { path, query } of heads)
    for (const [name, value] of query) entryOf(values, `${path}?${name}`, () => [] as string[]).push(value)
  return (path, parameter, given) => {
    const own = values.get(`${path}?${parameter}`) ?? []
    const mixed = own.filter((value) => /\d/.test(value) && /[A-Za-z]/.test(value))
    return (
      DRAWN.test(given) &&
      own.length >= MIN_FRESH &&
      !NAMING.test(parameter) &&
      new Set(own).size === own.length &&
      own.every((value) => DRAWN.test(value) && value.length === own[0]?.length) &&
      mixed.length * 2 >= own.length
    )
  }
}

/** The options of several changes as one. */
export function joinOptions(changes: Iterable<ChangedValue>): IgnoreOptions {
  const options = [...changes].map(({ option }) => option)
  const all = (name: 'ignoreQuery' | 'ignoreBody' | 'ignorePatterns'): string[] =>
    [...new Set(options.flatMap((each) => each[name] ?? []))].toSorted()
  return {
    ...(options.some(({ ignoreHost }) => ignoreHost === true) && { ignoreHost: true }),
    ...listed('ignoreQuery', all('ignoreQuery')),
    ...listed('ignoreBody', all('ignoreBody')),
    ...listed('ignorePatterns', all('ignorePatterns')),
  }
}

function listed(name: keyof IgnoreOptions, values: readonly string[]): IgnoreOptions {
  return values.length === 0 ? {} : { [name]: values }
}

function hostChange(requested: string, recorded: string): ChangedValue {
  return { where: 'host', recorded, requested, option: { ignoreHost: true } }
}

function pathChanges(requested: string, recorded: string): readonly ChangedValue[] | undefined {
  const [is, was] = [requested.split('/'), recorded.split('/')]
  if (is.length !== was.length) return undefined
  const changed = is.flatMap((name, at) =>
    name === was[at] ? [] : [patternChange('path', name, was[at] ?? '')],
  )
  return changed.every((each) => each !== undefined) ? changed : undefined
}

function queryChanges(
  requested: RequestHead['query'],
  recorded: RequestHead['query'],
  isFresh: (name: string, value: string) => boolean,
): readonly ChangedValue[] | undefined {
  const names = new Set([...requested, ...recorded].map(([name]) => name))
  const changes: ChangedValue[] = []
  for (const name of names) {
    const [is, was] = [requested, recorded].map((pairs) =>
      pairs.filter(([other]) => other === name).map(([, value]) => value),
    ) as [string[], string[]]
    if (is.join('\n') === was.join('\n')) continue
    const isOther = isVolatile(name, is.join(), was.join()) || isFresh(name, is.join())
    if (!isOther) return undefined
    const option = { ignoreQuery: [name] }
    changes.push({ where: `query ${name}`, recorded: shown(was.join()), requested: shown(is.join()), option })
  }
  return changes
}

function bodyChanges(requested: BodyValue, recorded: BodyValue): readonly ChangedValue[] | undefined {
  if ('value' in requested && 'value' in recorded && requested.kind === recorded.kind) {
    const changes: ChangedValue[] = []
    for (const { pointer, requested: is, recorded: was } of valueDifferences(
      requested.value,
      recorded.value,
    )) {
      const name = pointer.split('/').findLast((part) => !/^\d*$/.test(part)) ?? ''
      if (pointer === '' || !isVolatile(name, is, was)) return undefined
      const everywhere = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
      const option = { ignoreBody: [everywhere] }
      changes.push({ where: `body ${everywhere}`, recorded: shown(was), requested: shown(is), option })
    }
    return changes
  }
  if (requested.kind === 'text' && recorded.kind === 'text') return textChanges(requested.text, recorded.text)
  if ('sha256' in requested && 'sha256' in recorded) {
    if (requested.sha256 === recorded.sha256) return []
    const [is, was] = [requested, recorded].map(({ bytes }) => `${bytes} bytes`) as [string, string]
    return [{ where: 'body', recorded: was, requested: is, option: { ignoreBody: [''] } }]
  }
  return requested.kind === recorded.kind ? [] : undefined
}

// Word by word, in texts that are otherwise alike; or the order of the words.
function textChanges(requested: string, recorded: string): readonly ChangedValue[] | undefined {
  const [is, was] = [requested, recorded].map((text) => text.split(/([\s"'<>=,;&()]+)/)) as [
    string[],
    string[],
  ]
  if (is.length !== was.length) return undefined
  const changed = is.flatMap((word, at) =>
    word === was[at] ? [] : [patternChange('body', word, was[at] ?? '')],
  )
  if (changed.every((each) => each !== undefined)) return changed
  if (is.toSorted().join('\n') !== was.toSorted().join('\n')) return undefined
  const where = 'body, the order of its words'
  return [{ where, recorded: shown(recorded), requested: shown(requested), option: { ignoreBody: [''] } }]
}

function patternChange(where: string, requested: string, recorded: string): ChangedValue | undefined {
  const form = FORMS.find(({ whole }) => whole.test(requested) && whole.test(recorded))
  if (form === undefined) return undefined
  const option = { ignorePatterns: [form.source] }
  return { where, recorded: shown(recorded), requested: shown(requested), option }
}

function isVolatile(name: string, requested: unknown, recorded: unknown): boolean {
  if (NAMES.test(name)) return true
  const [is, was] = [String(requested), String(recorded)]
  return FORMS.some(({ whole }) => whole.test(is) && whole.test(was))
}

function textOf(pairs: RequestHead['headers']): string {
  return JSON.stringify(pairs)
}

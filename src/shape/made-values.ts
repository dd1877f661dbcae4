import { formatsOf } from './formats.ts'

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** An ETag in its quotes. */
const TAG = /^(?:W\/)?"(.*)"$/
const TOKEN = /^(W\/)?"?(\d{1,6}-)?([\w+/=-]{12,})"?$/

/**
 * The form of values that a server makes up, as keywords of JSON Schema; `undefined` where they are not of one kind.
 * @param values texts of one field
 */
export function formOfMade(values: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const texts = values.filter((value) => typeof value === 'string')
  const [first = ''] = texts
  const kind = madeKind(first)
  if (kind === undefined || texts.length < values.length || texts.some((text) => madeKind(text) !== kind))
    return undefined
  if (kind === 'uuid' || kind === 'date-time') return { type: 'string', format: kind }
  return kind.startsWith('id of') ? { type: 'string', pattern: `^${patternOf(texts)}$` } : undefined
}

const SIGNS = ['0-9', '0-9a-f', '0-9A-F', '0-9a-z', '0-9A-Z', '0-9A-Za-z']

// What is before the last sign that is neither letter nor digit names the kind where all have it, such as `ord_`.
function patternOf(texts: readonly string[]): string {
  const [first = ''] = texts
  const named = /^[\w.:-]*[_.:-](?=[0-9A-Za-z]{8,}$)/.exec(first)?.[0] ?? ''
  const prefix = texts.every((text) => text.startsWith(named)) ? named : ''
  const rest = texts.map((text) => text.slice(prefix.length))
  const signs = SIGNS.find((each) => rest.every((text) => new RegExp(`^[${each}]+$`).test(text)))
  return `${prefix.replaceAll('.', String.raw`\.`)}[${signs ?? String.raw`\w-`}]{${first.length - prefix.length}}`
}

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Which kind of value a server makes up a text may be: a time, or an id or hash of some form; `undefined` for others. */
export function madeKind(text: string): string | undefined {
  if (HTTP_DATE.test(text)) return 'http-date'
  const [, tagged] = TAG.exec(text) ?? []
  if (tagged !== undefined) return madeKind(tagged) === 'date-time' ? 'tag of a time' : tokenKind(text)
  if (/^\d{4}-\d\d-\d\dT/.test(text) && formatsOf(text).includes('date-time')) return 'date-time'
  if (UUID.test(text)) return 'uuid'
  if (/^\d{10,}$/.test(text)) return 'long number'
  return tokenKind(text)
}

function tokenKind(text: string): string | undefined {
  const own = TOKEN.exec(text)?.[3] ?? ''
  if (!/\d/.test(own) || !/[a-z]/i.test(own)) return undefined
  // What is that long has something in it, which may be of any length.
  return own.length > 64 ? 'token' : `id of ${text.length}`
}

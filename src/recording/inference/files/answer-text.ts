import type { Facts } from '../../../collections/files/file-facts.ts'

/** A text of an answer, and what was known when it was given. */
export interface Given {
  readonly text: string
  readonly facts: Facts
}

/** What texts are explained by. */
export interface Explaining {
  /** Names of facts, the ones that are preferred first. */
  readonly names: readonly string[]
  /** What the place of the texts is called, such as `Size`. */
  readonly place: string
}

/**
 * The template that gives each of these texts by its facts; what differs and follows from none is of the kind that a
 * server makes up. `undefined` where there is none.
 */
export function templateOf(given: readonly Given[], explaining: Explaining): string | undefined {
  const [first] = given
  if (first === undefined) return undefined
  const areSame = given.every(({ text }) => text === first.text)
  const forms = new Set(given.map(timeIn))
  const [form] = forms
  if (form !== undefined && forms.size === 1) return `{${form}}`
  if (given.some(({ text }) => text === '') && !areSame) {
    const whole = explaining.names.find((name) =>
      given.every(({ text, facts }) => (facts(name) ?? '') === text),
    )
    if (whole !== undefined) return `{${whole}}`
  }
  for (const name of explaining.names) {
    const values = given.map(({ facts }) => facts(name))
    if (!values.every((value): value is string => typeof value === 'string' && value !== '')) continue
    if (areSame && !meansFact(values, name, explaining.place)) continue
    const parts = given.map((each, index) => splitAt(each.text, values[index] ?? ''))
    if (!parts.every((part) => part !== undefined)) continue
    // As a field of a query it is written as such.
    if (name.endsWith('.url') && !parts.every(([before]) => before.endsWith('='))) continue
    const side = (at: 0 | 1): string | undefined =>
      templateOf(
        parts.map((part, index) => ({ text: part[at], facts: given[index]?.facts ?? NOTHING })),
        explaining,
      )
    const [before, after] = [side(0), side(1)]
    if (before !== undefined && after !== undefined) return `${before}{${name}}${after}`
  }
  if (areSame) return /\{[A-Za-z_][\w.:-]*\}/.test(first.text) ? undefined : first.text
  return madeTemplate(given, explaining)
}

const NOTHING: Facts = () => undefined

// Short values and numbers meet texts by chance: the place must be called like them, or they must differ.
function meansFact(values: readonly string[], name: string, place: string): boolean {
  const [first = ''] = values
  if (values.every((value) => value === '0')) return false
  if (first.length >= 3 && !/^\d+$|^(true|false)$/.test(first)) return true
  if (values.some((value) => value !== first)) return true
  const [base = ''] = name.split('.')
  const own = place.toLowerCase().replace(/[^a-z]/g, '')
  return (LIKE[base] ?? [base.replace(/[^a-z]/gi, '').toLowerCase()]).some((word) => own.includes(word))
}

const LIKE: Readonly<Record<string, readonly string[]>> = {
  size: ['size', 'length', 'bytes', 'offset'],
  offset: ['offset'],
  last: ['range'],
  count: ['count', 'total'],
  max: ['max', 'limit'],
  truncated: ['truncated'],
  delimiter: ['delimiter'],
  number: ['number'],
  key: ['key', 'name'],
  basename: ['name'],
  files: ['count', 'total'],
}

function splitAt(text: string, value: string): readonly [string, string] | undefined {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + value.length)]
    if (!/[A-Za-z0-9]$/.test(before) && !/^[A-Za-z0-9]/.test(after)) return [before, after]
  }
  return undefined
}

const WORD = /(\d{4}-\d\d-\d\dT[\d:.]+Z|[A-Za-z0-9+_-]{8,}(?:=|%3D)*)/

function madeTemplate(given: readonly Given[], explaining: Explaining): string | undefined {
  const split = given.map(({ text }) => text.split(WORD))
  const length = split[0]?.length ?? 0
  if (length < 2 || split.some((parts) => parts.length !== length)) return undefined
  const templates = (split[0] ?? []).map((_, index): string | undefined => {
    const texts = split.map((parts, each) => ({
      text: parts[index] ?? '',
      facts: given[each]?.facts ?? NOTHING,
    }))
    if (index % 2 === 0) return templateOf(texts, explaining)
    if (texts.every(({ text }) => text === texts[0]?.text)) return texts[0]?.text
    const times = new Set(texts.map(timeIn))
    if (times.size === 1 && !times.has(undefined)) return `{${[...times].join('')}}`
    const forms = texts.map(({ text }) => madeForm(text))
    const kinds = new Set(forms.map((form) => form?.replace(/(?<!\d)\d+$/, '')))
    // Of several lengths the longest.
    return kinds.size === 1 && forms[0] !== undefined ? `{${forms.toSorted(byLength).at(-1)}}` : undefined
  })
  return templates.includes(undefined) ? undefined : templates.join('')
}

/** A text of which the words that a server makes up are made anew; those that count, if there are none. */
export function madeParts(text: string): string {
  const parts = text.split(WORD).map((part, index) => {
    const form = index % 2 === 0 ? undefined : madeForm(part)
    return form === undefined ? part : `{${form}}`
  })
  const made = parts.join('')
  return made === text ? text.replace(/(?<!\d)\d+(?="?$)/, '{made.hex.16}') : made
}

function byLength(one: string | undefined, other: string | undefined): number {
  return Number(/(?<!\d)\d*$/.exec(one ?? '')?.[0]) - Number(/(?<!\d)\d*$/.exec(other ?? '')?.[0])
}

// A time near that of the file is that of the file.
function timeIn({ text, facts }: Given): string | undefined {
  const form = TIMES.find(([pattern]) => pattern.test(text))?.[1]
  // Where there is no file, it is that of the request.
  const of = ['modified', 'now'].find((each) => typeof facts(`${each}.iso`) === 'string')
  if (form === undefined || of === undefined) return undefined
  const isNear = Math.abs(Date.parse(text) - Date.parse(String(facts(`${of}.iso`)))) < DAY_MS
  return isNear ? `${of}.${form}` : undefined
}

const DAY_MS = 86_400_000
const TIMES: readonly (readonly [RegExp, string])[] = [
  [/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/, 'http'],
  [/^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/, 'iso'],
]

function madeForm(text: string): string | undefined {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return 'made.uuid'
  if (!/\d/.test(text)) return undefined
  if (/^[\da-f]+$/.test(text)) return `made.hex.${text.length}`
  return /^[\dA-F]+$/.test(text) ? `made.HEX.${text.length}` : `made.token.${text.length}`
}

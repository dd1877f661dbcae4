import { isObject } from '../../engine/schema/schema.ts'
import { entryOf, groupBy } from '../../grouping.ts'
import { sumOf } from '../../statistics.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Folded } from './fold-paths.ts'
import type { Sample } from './sample.ts'
import { isScalar, leavesOf, type Scalar, type Source, sourcesOf } from './values.ts'

/** A field of the answers that always repeats a value of the request. */
export interface Echo {
  /** Names from the answer's root; `[]` stands for every item of a list. */
  readonly field: string
  readonly source: Source
  /** In how many exchanges it was seen, and how many different values. */
  readonly exchanges: number
  readonly values: number
}

/** Seen this often, with this many different values, and never otherwise, an echo is not by chance. */
const MIN_EXCHANGES = 3
const MIN_VALUES = 2
/** Shorter texts, with their quotes, are met by chance. */
const MIN_TEXT = 5

/**
 * Finds what a route's answers take from its requests: fields that equal one value of the request in every exchange
 * that has both. A field that differs even once is none.
 * @param valuesOf the values of the path's parameters in a sample
 */
export function findEchoes(
  samples: readonly Sample[],
  valuesOf: (sample: Sample) => Readonly<Record<string, string>>,
): readonly Echo[] {
  const pairs = new Map<string, Pair>()
  for (const sample of samples) {
    const fields = leavesOf(sample.response)
    // Paths, queries, headers and forms hold texts; a number in the answer may come from there.
    const isTyped = mediaKindOf(sample.headers['content-type'] ?? '') !== 'form'
    for (const [source, wanted] of sourcesOf(sample, valuesOf(sample))) {
      const isText = source.in !== 'body' || !isTyped
      for (const [field, values] of fields) {
        const key = JSON.stringify([field, source.in, source.name])
        const pair = entryOf(pairs, key, () => ({
          ...{ field, source, exchanges: 0, values: new Set<string>(), isBroken: false },
        }))
        const isUsers = source.in === 'user'
        if (values.every((value) => value === wanted || (isText && isSameText(value, wanted, isUsers)))) {
          pair.exchanges++
          pair.values.add(JSON.stringify(wanted))
        } else pair.isBroken = true
      }
    }
  }
  const sound = [...pairs.values()].filter(
    (pair) =>
      !pair.isBroken &&
      ((pair.exchanges >= MIN_EXCHANGES && pair.values.size >= MIN_VALUES) ||
        isOfParent(pair) ||
        isCalledAlike(pair)),
  )
  // One source for each field: of the same name before others, then by place.
  const found = [...groupBy(sound, ({ field }) => field).values()].map((alike): Echo => {
    const [best] = alike.toSorted((one, other) => rank(one) - rank(other)) as [Pair]
    const { field, source, exchanges, values } = best
    return { field, source, exchanges, values: values.size }
  })
  const lists = listEchoes(samples)
  const isWithin = ({ field }: Echo): boolean => lists.some((list) => field.startsWith(`${list.field}[]`))
  return [...found.filter((each) => !isWithin(each)), ...lists]
}

// Lists of plain values that bodies have, and answers have whole under the same name.
function listEchoes(samples: readonly Sample[]): readonly Echo[] {
  const pairs = samples.flatMap(({ body, response }) => {
    if (!isObject(body) || !isObject(response)) return []
    return Object.entries(body).flatMap(([name, sent]) =>
      Array.isArray(sent) && sent.every(isScalar) && Object.hasOwn(response, name)
        ? [{ name, sent: JSON.stringify(sent), shown: JSON.stringify(response[name]) }]
        : [],
    )
  })
  return [...groupBy(pairs, ({ name }) => name)].flatMap(([name, own]): readonly Echo[] => {
    const values = new Set(own.map(({ sent }) => sent))
    const isWhole =
      own.every(({ sent, shown }) => sent === shown) && [...values].some((each) => each !== '[]')
    if (!isWhole) return []
    return [{ field: name, source: { in: 'body', name }, exchanges: own.length, values: values.size }]
  })
}

/**
 * Finds the fields by which the answers of all operations of one path repeat their request, such as the id of a call: one
 * operation may have been requested too seldom to show it.
 */
export function sharedEchoes(samples: readonly Sample[]): readonly Echo[] {
  const fine = samples.filter(({ response }) => isObject(response))
  return findEchoes(fine, () => ({})).filter(
    ({ field, source, exchanges }) =>
      source.in === 'body' && field === source.name && exchanges === fine.length,
  )
}

/** A path whose parameters are called as answers call the same, where they do under a name of their own. */
export function nameByEchoes(folded: Folded): Folded {
  const fine = folded.samples.filter(({ status }) => status < 300)
  const names = new Map<string, string>()
  // What is the id of an item may be that of another by chance.
  const echoes = findEchoes(fine, folded.values).toSorted(
    (a, b) => Number(b.field === 'id') - Number(a.field === 'id'),
  )
  for (const { field, source } of echoes) {
    const name = /(?:^|\.)(\w+)$/.exec(field)?.[1] ?? 'id'
    if (source.in !== 'path' || names.has(source.name)) continue
    const isFree = name !== 'id' && !folded.parameters.includes(name) && ![...names.values()].includes(name)
    if (isFree || field === 'id') names.set(source.name, isFree ? name : source.name)
  }
  return folded.rename((name) => names.get(name) ?? name)
}

interface Pair {
  readonly field: string
  readonly source: Source
  exchanges: number
  readonly values: Set<string>
  isBroken: boolean
}

// What an answer is below may have been the same in all of them, such as the one project whose items were requested.
function isOfParent({ source, field, values }: Pair): boolean {
  if (source.in !== 'path' || field.includes('[]')) return false
  if (/[a-z_]id$/i.test(source.name) && plain(field) === plain(source.name)) return true
  return [...values].every((value) => /[a-z]/i.test(value) && value.length >= MIN_TEXT)
}

// What is sent in a body and answered under the same name is the same: once if it is a text, and else twice. Answers
// may have it within what they make, such as `{ user: { … } }`; then it takes different texts.
function isCalledAlike({ source, field, values }: Pair): boolean {
  if (source.in !== 'body') return false
  const lengths = [...values].map((value) => (value.startsWith('"') ? value.length - 2 : 0))
  const isText = lengths.every((length) => length >= MIN_TEXT)
  const isVaried = values.size >= MIN_VALUES
  if (field === source.name) return isText || isVaried
  // Several short texts are met by chance no more than a long one.
  const isOfTexts = !lengths.includes(0) && sumOf(lengths) >= MIN_TEXT
  return field.endsWith(`.${source.name}`) && !field.includes('[]') && isOfTexts && isVaried
}

const PLACES: readonly Source['in'][] = ['body', 'path', 'query', 'user', 'header']

function rank({ field, source }: Pair): number {
  const last = field.slice(field.lastIndexOf('.') + 1)
  return (plain(last) === plain(source.name) ? 0 : 10) + PLACES.indexOf(source.in)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

// A token has the number of a user as text (RFC 7519, section 4.1.2).
function isSameText(value: unknown, wanted: Scalar, isUsers: boolean): boolean {
  const isText = typeof wanted === 'string' || (isUsers && typeof wanted === 'number')
  return isText && isScalar(value) && String(value) === String(wanted)
}

/** A field of the answers whose dates always lie between two values of the request. */
export interface DateRange {
  readonly field: string
  readonly start: string
  readonly end: string
  readonly exchanges: number
}
const START = /^(.*?)(start|from|since|after|begin|min)(.*)$/i
const ENDS: Readonly<Record<string, string>> = {
  start: 'end',
  from: 'to',
  since: 'until',
  after: 'before',
  begin: 'end',
  min: 'max',
}
const DATE = /^\d{4}-\d\d-\d\d(T.*)?$/

/** Finds fields that lie within a pair of input fields such as `start_date` and `end_date` in every exchange. */
export function findDateRanges(samples: readonly Sample[]): readonly DateRange[] {
  const inputs = samples.map((sample) => ({ ...(isObject(sample.body) ? sample.body : {}), ...sample.query }))
  const names = new Set(inputs.flatMap((input) => Object.keys(input)))
  return [...names].flatMap((start) => {
    const end = partnerOf(start, names)
    return end === undefined ? [] : fieldsWithin(samples, inputs, start, end)
  })
}

function partnerOf(start: string, names: ReadonlySet<string>): string | undefined {
  const [, before = '', word, after = ''] = START.exec(start) ?? []
  const end = word === undefined ? undefined : ENDS[word.toLowerCase()]
  if (end === undefined) return undefined
  const spelt = [end, end.charAt(0).toUpperCase() + end.slice(1), end.toUpperCase()]
  return spelt.map((each) => before + each + after).find((name) => name !== start && names.has(name))
}

function fieldsWithin(
  samples: readonly Sample[],
  inputs: readonly Readonly<Record<string, unknown>>[],
  start: string,
  end: string,
): DateRange[] {
  const found = new Map<string, { exchanges: number; isBroken: boolean }>()
  const ranges = new Set<string>()
  for (const [index, { response }] of samples.entries()) {
    const [low, high] = [moment(inputs[index]?.[start]), moment(inputs[index]?.[end], true)]
    if (low === undefined || high === undefined) continue
    ranges.add(`${low} ${high}`)
    for (const [field, values] of leavesOf(response)) {
      const dates = values.map((value) => moment(value)).filter((date) => date !== undefined)
      if (dates.length === 0) continue
      const known = entryOf(found, field, () => ({ exchanges: 0, isBroken: false }))
      known.exchanges++
      known.isBroken ||= !dates.every((date) => date >= low && date <= high)
    }
  }
  return [...found].flatMap(([field, { exchanges, isBroken }]) =>
    isBroken || exchanges < MIN_EXCHANGES || ranges.size < 2 ? [] : [{ field, start, end, exchanges }],
  )
}

// A day alone means its first moment, or its last where it ends a range.
function moment(value: unknown, isEnd = false): number | undefined {
  if (typeof value !== 'string' || !DATE.test(value)) return undefined
  const time = Date.parse(value)
  if (Number.isNaN(time)) return undefined
  return isEnd && value.length === 10 ? time + 86_399_999 : time
}

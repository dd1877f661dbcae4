import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { idOf } from '../../collections/paging/page-links.ts'
import type { PageStart } from '../../collections/paging/page-token.ts'
import type { PageFacts, PageField } from '../../collections/paging/page-fields.ts'
import type { PageParameters } from '../../collections/paging/page-parameters.ts'
import type { Sample } from './sample.ts'

/** What pages of one list, put side by side, show of it. */
export interface Walk {
  /** Items by where they stand. */
  readonly items: ReadonlyMap<number, unknown>
  /** How many places pages began at. */
  readonly positions: number
  /** How often a page had at a place what another page had there, or nothing had been seen; and how often not. */
  readonly agreed: number
  readonly broken: number
  readonly total: number | undefined
  /** Each page by the index of its exchange. */
  readonly pages: ReadonlyMap<number, SeenPage>
  /** The tokens that were given out, and where the pages begin that they name. */
  readonly given: readonly GivenToken[]
}

/** A page at the moment it was answered. */
export interface SeenPage {
  /** The place of its first item. */
  readonly offset: number
  readonly items: readonly unknown[]
  /** How many items the list had, where the page shows it. */
  readonly total: number | undefined
}

/** A token, and what is known of its page: where it begins, and what is before it. */
export interface GivenToken extends PageStart {
  readonly token: string
}

/** What an answer's own fields and headers say of its page. */
export type Facts = (sample: Sample, fact: keyof PageFacts) => unknown

/** What answers say of their pages. */
interface PageReader {
  /** The items of a page. */
  listOf(sample: Sample): readonly unknown[]
  factOf: Facts
  /** Whether a page is all of the list. */
  isAll(sample: Sample): boolean
  /** The names that lead to what names an item. */
  readonly idPath?: readonly string[] | undefined
}

/** Puts pages side by side in the order they were recorded. A token stands for the place after the page that gave it out. */
export function createWalk(
  pages: readonly Sample[],
  parameters: PageParameters,
  { listOf, factOf, isAll, idPath }: PageReader,
): Walk {
  const given: GivenToken[] = []
  const items = new Map<number, unknown>()
  const places = new Map<string, number>()
  const tokens = new Map<string, number>([['', 0]])
  const starts = new Set<number>()
  const seen = new Map<number, SeenPage>()
  let [agreed, broken, total] = [0, 0, undefined as number | undefined]
  for (const sample of pages) {
    const list = listOf(sample)
    const offset = offsetOf(sample, parameters, tokens)
    if (offset === undefined) continue
    starts.add(offset)
    for (const [index, item] of list.entries()) {
      const place = offset + index
      const id = idOf(item, idPath)
      const known = items.get(place)
      const isSame =
        known === undefined || isDeepStrictEqual(known, item) || (id !== '' && idOf(known, idPath) === id)
      // Items that are alike may come twice in a list; ids do not.
      const isElsewhere = id !== '' && (places.get(id) ?? place) !== place
      if (isSame && !isElsewhere) agreed++
      else broken++
      if (isElsewhere) continue
      places.set(id, place)
      if (known === undefined) items.set(place, item)
    }
    const end = offset + list.length
    const next = tokenIn(factOf(sample, 'next'), parameters) ?? tokenInLink(sample, parameters)
    if (next !== undefined) {
      tokens.set(next, end)
      const page = list.length === 0 ? 0 : Math.round(offset / list.length) + 2
      given.push({ token: next, offset: end, page, id: idOf(list.at(-1), idPath) })
    } else if (list.length > 0 && hasNoNext(sample, parameters, factOf)) total = end
    if (parameters.style === 'after')
      for (const [index, item] of list.entries()) tokens.set(idOf(item, idPath), offset + index + 1)
    const stated = factOf(sample, 'total')
    if (typeof stated === 'number') total = stated
    const isLast =
      isAll(sample) ||
      (list.length > 0 &&
        next === undefined &&
        (hasNoNext(sample, parameters, factOf) || isShort(sample, list, parameters)))
    const known = typeof stated === 'number' ? stated : isLast ? end : undefined
    seen.set(sample.index, { offset, items: list, total: known })
  }
  return { items, positions: starts.size, agreed, broken, total, pages: seen, given }
}

/** The value at the end of some names in an answer. */
export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((holder, name) => (isObject(holder) ? holder[name] : undefined), value)
}

function offsetOf(
  { query }: Sample,
  { style, at: name = '', size, usualSize, firstPage, firstOffset }: PageParameters,
  tokens: ReadonlyMap<string, number>,
): number | undefined {
  const text = query[name]
  const position = typeof text === 'string' ? text : ''
  if (style === 'cursor' || style === 'after') return tokens.get(position)
  const number = position === '' ? undefined : Number(position)
  if (number !== undefined && !Number.isInteger(number)) return undefined
  if (style === 'offset') return Math.max(0, (number ?? firstOffset) - firstOffset)
  const length = size === undefined || query[size] === undefined ? usualSize : Number(query[size])
  return ((number ?? firstPage) - firstPage) * length
}

// A last page says so by a neighbour that is empty, or was not given a link to one.
function hasNoNext(sample: Sample, { style }: PageParameters, factOf: Facts): boolean {
  const next = factOf(sample, 'next')
  return factOf(sample, 'hasNext') === false || (style !== 'limit' && (next === null || next === ''))
}

function isShort({ query }: Sample, list: readonly unknown[], { size, usualSize }: PageParameters): boolean {
  const length = size === undefined || query[size] === undefined ? usualSize : Number(query[size])
  return list.length < length
}

// The token of the next page, whether it is given as such or within a URL.
function tokenIn(next: unknown, { at: name = '' }: PageParameters): string | undefined {
  if (typeof next === 'number') return String(next)
  if (typeof next !== 'string' || next === '') return undefined
  if (!/[/?]/.test(next) || !URL.canParse(next, 'http://any')) return next
  return new URL(next, 'http://any').searchParams.get(name) ?? next
}

function tokenInLink({ responseHeaders }: Sample, parameters: PageParameters): string | undefined {
  const [, url] = /<([^<>]*)>\s*;[^,]*rel="?next"?/.exec(responseHeaders['link'] ?? '') ?? []
  return tokenIn(url, parameters)
}

/** The fields that every answer has, though the list ends there: its first or last page, or an empty text for a neighbour. */
export function endsNamed(fields: readonly PageField[], pages: readonly Sample[]): ReadonlySet<PageField> {
  const isAlways = ({ path }: PageField): boolean => pages.every(({ response }) => at(response, path) != null)
  const isEmpty = ({ path }: PageField): boolean => pages.some(({ response }) => at(response, path) === '')
  const isEnd = (each: PageField): boolean => each.fact === 'first' || each.fact === 'last' || isEmpty(each)
  return new Set(fields.filter((each) => isEnd(each) && isAlways(each)))
}

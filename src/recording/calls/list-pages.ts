import type { CallCursor, CallEdge, ListRule } from '../../engine/call-model.ts'
import { pointerBelow } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { valueAt } from './envelope.ts'
import type { argumentsOf, Call } from './call.ts'
import type { Item } from './objects.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { type CursorSeen, findCursorForm } from './page-cursors.ts'

/** A recorded list. */
export interface Listed {
  readonly call: Call
  readonly args: ReturnType<typeof argumentsOf>
  readonly shown: readonly Item[]
  /** The same, with all that is known of them. */
  readonly items: readonly Item[]
}

/** The argument with a token that an answer of the same call gave, and where answers have it. */
export function cursorOf(
  lists: readonly (Listed & { readonly value: unknown })[],
  names: readonly string[],
  id: string,
): ListRule['cursor'] {
  for (const argument of names)
    for (const [at, { args, shown }] of lists.entries()) {
      const token = args.get(argument)
      const before = lists.slice(0, at)
      const [place] =
        typeof token === 'number'
          ? placesOf(before.filter(endsAt(argument, token)), token).filter((each) => NEXT.test(each))
          : typeof token === 'string' && token !== ''
            ? placesOf(before, token)
            : []
      if (place === undefined) continue
      const ends = lists
        .map(({ value }) => valueAt(value, place))
        .filter((each) => each === '' || each === null)
      const around = place.slice(0, place.lastIndexOf('/'))
      const isLeftOut =
        around !== '' &&
        lists.some(({ value }) => value !== undefined && valueAt(value, around) === undefined)
      return {
        ...{ argument, at: place },
        ...(ends.length > 0 && { end: ends[0] }),
        ...(isLeftOut && { around }),
        ...(shown[0]?.[id] === token && { isNext: true }),
      }
    }
  return undefined
}

/** Members with the place that the next page is at. */
const NEXT = /(next|cursor|continu|offset)[^/]*$/i

// A number is the count of those before, which other numbers are by chance.
function endsAt(argument: string, token: number): (list: Listed) => boolean {
  return ({ args, shown }) => Number(args.get(argument) ?? 0) + shown.length === token
}

function placesOf(lists: readonly { readonly value: unknown }[], token: string | number): readonly string[] {
  const walk = (value: unknown, pointer: string): readonly string[] => {
    if (value === token) return [pointer]
    return isObject(value)
      ? Object.entries(value).flatMap(([name, part]) => walk(part, pointerBelow(pointer, name)))
      : []
  }
  return lists.flatMap(({ value }) => walk(value, ''))
}

/** Whether an argument is the id of the last object of the page before. */
export function isAfter(lists: readonly Listed[], name: string, id: string): boolean {
  const own = lists.filter(({ args }) => args.has(name))
  return (
    own.length > 0 &&
    own.every(({ args, shown }) => {
      const at = String(args.get(name))
      const isLast = lists.some((each) => String(each.shown.at(-1)?.[id]) === at)
      return isLast && !shown.some((item) => String(item[id]) === at)
    })
  )
}

/** A recorded list with the whole result around it. */
export type ListedResult = Listed & { readonly value: unknown }

/**
 * What is around the items of lists, and how their tokens are made, such as `{ edges: [{ cursor, node }], pageInfo }`.
 * @param pointer where in a result the items are, with `-` for each
 */
export function edgesOf(
  lists: readonly ListedResult[],
  pointer: string,
  id: string,
  names: readonly string[],
): Pick<ListRule, 'edge' | 'cursor' | 'previous'> {
  const [before = '', at = ''] = pointer.split(/\/-(?=\/|$)(.*)/s)
  const fine = lists.filter(({ shown }) => shown.length > 0)
  const around = (value: unknown): readonly unknown[] => [valueAt(value, before) ?? []].flat()
  const result = at === '' ? undefined : fine.map(({ value }) => around(value)[0]).reduce(joined, undefined)
  const argument = names.find((name) => AFTER.test(name)) ?? 'after'
  const isFirst = ({ args }: Listed): boolean =>
    [undefined, ''].includes(args.get(argument) as string | undefined)
  // Tokens of ordered lists may say what these are ordered by.
  const first = mostPlain(fine.filter(isFirst))
  const tokenIn = isObject(result) ? Object.keys(result).find((name) => TOKEN.test(name)) : undefined
  const cursor = tokenIn === undefined ? undefined : `/${tokenIn}`
  const ends = placesNamed(fine, END)
  const starts = placesNamed(fine, START)
  const seen = first.flatMap(({ shown, value }): CursorSeen[] => [
    ...shown.map((item, index) => ({
      token: cursor && valueAt(around(value)[index], cursor),
      index,
      id: item[id],
    })),
    ...ends.map((each) => ({ token: valueAt(value, each), index: shown.length - 1, id: shown.at(-1)?.[id] })),
  ])
  const form = findCursorForm(seen.filter(({ token }) => typeof token === 'string'))
  const [end] = ends
  const [start] = starts
  const [previous] = placesNamed(fine, PREVIOUS)
  const saying = fine.filter(({ value }) => previous !== undefined && valueAt(value, previous) !== undefined)
  const isSaid =
    saying.some((each) => !isFirst(each)) &&
    saying.every((each) => valueAt(each.value, previous ?? '') === !isFirst(each))
  const found: CallCursor = {
    argument,
    ...(end !== undefined && { at: end }),
    ...(start !== undefined && { start }),
    ...(form !== undefined && { form }),
  }
  const edge: CallEdge = { result, at, ...(cursor !== undefined && { cursor }) }
  return {
    ...(result !== undefined && { edge }),
    ...(form !== undefined && { cursor: found }),
    ...(isSaid && previous !== undefined && { previous }),
  }
}

function mostPlain(lists: readonly ListedResult[]): readonly ListedResult[] {
  const plain = lists.filter(({ call }) => !Object.keys(call.args).some((name) => ORDERING.test(name)))
  return plain.length > 0 ? plain : lists
}

const ORDERING = /order|sort/i
const AFTER = /(^|\.)_?after(_?cursor)?$/i
const TOKEN = /^_?cursor$/i
const END = /^end_?cursor$/i
const START = /^start_?cursor$/i
const PREVIOUS = /^has_?prev/i

function joined(one: unknown, other: unknown): unknown {
  return isObject(one) && isObject(other) ? { ...other, ...one } : (one ?? other)
}

/** Where results have a member that is called so, but not within lists. */
export function placesNamed(lists: readonly { readonly value: unknown }[], name: RegExp): readonly string[] {
  const walk = (value: unknown, pointer: string): readonly string[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([member, part]) => [
          ...(name.test(member) ? [pointerBelow(pointer, member)] : []),
          ...walk(part, pointerBelow(pointer, member)),
        ])
      : []
  return [...new Set(lists.flatMap(({ value }) => walk(value, '')))]
}

/** Lists of the same objects at several places in results, as if all were at one. */
export interface JoinedLists {
  /** The place, of those with something around the objects where there are some. */
  readonly main: string
  /** The places of the other lists, as JSON pointers. */
  readonly plain: readonly string[]
  readonly samples: readonly CallSample[]
}

/** Joins lists of one type, such as the `nodes` and the `edges` of a connection. */
export function joinedLists(
  fine: readonly CallSample[],
  { pointer, place }: ObjectSeen,
  types: ReadonlyMap<string, string>,
): JoinedLists {
  const isOne = (seen: ObjectSeen): boolean =>
    seen.parent === undefined && seen.pointer.includes('/-') && types.get(seen.place) === types.get(place)
  const all = fine.flatMap(({ call, objects }) => (call.selects === undefined ? [] : objects.filter(isOne)))
  const pointers = [...new Set([pointer, ...all.map((seen) => seen.pointer)])]
  const main = pointers.find((each) => !each.endsWith('/-')) ?? pointer
  const others = pointers.filter((each) => each !== main && each.endsWith('/-'))
  const samples = fine.map((sample) => {
    if (sample.objects.some((seen) => seen.pointer === main)) return sample
    const objects = sample.objects.map((seen) =>
      others.includes(seen.pointer) ? { ...seen, pointer: main } : seen,
    )
    return { ...sample, objects }
  })
  return { main, plain: others.map((each) => each.replace(/\/-$/, '')), samples }
}

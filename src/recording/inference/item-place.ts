import { isDeepStrictEqual } from 'node:util'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { isPatchDocument } from '../../collections/patch-document.ts'
import { compareTexts, countEach } from '../../grouping.ts'
import { answerIn } from './answer-place.ts'
import { bodyPlace } from './body-place.ts'
import type { Sample } from './sample.ts'
import { madeId } from './segment-evidence.ts'

/** A stored item, as answers show it. */
export type Item = Readonly<Record<string, unknown>>

/** Where the items of a collection are, as names that lead there: in answers, in bodies, and their ids within them. */
export interface ItemPlace {
  readonly answer: readonly string[]
  readonly body: readonly string[]
  readonly id: readonly string[]
  /** A field that paths name some items by in place of their ids. */
  readonly also?: string | undefined
}

/** Members beside an item that say something of the answer rather than of the item, whatever they say. */
const ASIDE =
  /^[_@$]?(links?|meta|metadata|included|jsonapi|status|state|message|msg|success|ok|code|errors?|time|timestamp|request_?id|trace_?id|took|warnings?|version|context)$/i

/**
 * Finds where items are: the id that ends a path is in every answer about it, in the answer itself or in what the answer
 * encloses, at its top or one object deeper; in the lists of the collection where nothing answers about one item.
 * @param items of the path with the id
 * @param own of the collection's path
 */
export function findItemPlace(
  items: readonly Sample[],
  own: readonly Sample[],
  parameter: string,
): ItemPlace | undefined {
  // What answers a deletion need not be the item.
  const read = items.filter(
    ({ method, status, response }) => method !== 'DELETE' && status < 300 && isObject(response),
  )
  // What a query chooses of an item need not have its id.
  const plain = read.filter(({ query }) => Object.keys(query).length === 0)
  const some = plain.length > 0 && plain.length < read.length ? [plain] : []
  for (const about of [read, ...some]) {
    const found = placeInAnswers(about, items, own, parameter)
    if (found !== undefined) return found
  }
  // What answers a change may have it elsewhere than what reads it.
  const shown = read.filter(({ method }) => method === 'GET')
  const found = shown.length < read.length ? placeInAnswers(shown, items, own, parameter) : undefined
  const holds = ({ response, segments, ...sample }: Sample, place: ItemPlace): boolean =>
    idIn(memberAt(response, answerIn({ ...sample, response, segments }, place)), place) === segments.at(-1)
  if (found !== undefined && read.every((sample) => holds(sample, found))) return found
  return read.length === 0
    ? (placeInLists(items, own, parameter) ?? placeOfMade(items, own, parameter))
    : undefined
}

function placeInAnswers(
  read: readonly Sample[],
  items: readonly Sample[],
  own: readonly Sample[],
  parameter: string,
): ItemPlace | undefined {
  const answers = read.map(({ response, segments }) => ({
    body: response as Item,
    id: segments.at(-1) ?? '',
  }))
  const places = read.length === 0 ? [] : answerPlaces(answers.map(({ body }) => body))
  const best = bestPlace(answers, places, parameter, repeatedIn(own))
  if (best !== undefined) return { ...best, body: bodyPlace([...items, ...own], best.answer) }
  const named = places.map((answer) => {
    const all = answers.map(({ body, id }) => ({ item: memberAt(body, answer) as Item, id }))
    return { answer, fields: twoNames(all, own) }
  })
  const two = named.find(({ fields }) => fields !== undefined)
  if (two?.fields === undefined) return undefined
  const [id, also] = two.fields
  return { answer: two.answer, id: [id], also, body: bodyPlace([...items, ...own], two.answer) }
}

// An id at the top of what is enclosed proves more than one that is deep in the answer.
function bestPlace(
  answers: readonly { readonly body: Item; readonly id: string }[],
  places: readonly (readonly string[])[],
  parameter: string,
  repeated: ReadonlySet<string> = new Set(),
): Pick<ItemPlace, 'answer' | 'id'> | undefined {
  const found = places.flatMap((answer) => {
    const named = answers.map(({ body, id }) => ({ item: memberAt(body, answer) as Item, id }))
    const id = idPathIn(named, parameter, answer.length > 0, repeated)
    return id === undefined ? [] : [{ answer, id }]
  })
  return found.toSorted((one, other) => one.id.length - other.id.length)[0]
}

// Fields that several items of one list have alike, such as what they are below, are none that name them.
function repeatedIn(own: readonly Sample[]): ReadonlySet<string> {
  const lists = own.filter(({ method, status }) => method === 'GET' && status < 300)
  const names = lists.flatMap(({ response }) => {
    const { items = [] } = listIn(response) ?? {}
    return [...new Set(items.flatMap(Object.keys))].filter((name) => {
      const texts = items.flatMap((item) => textOf(item[name]) ?? [])
      return new Set(texts).size < texts.length
    })
  })
  return new Set(names)
}

/** Where items are whose making was answered by where they are, by their ids. */
export function placeOfMade(
  items: readonly Sample[],
  own: readonly Sample[],
  parameter: string,
): ItemPlace | undefined {
  const made = own.flatMap((sample) => {
    const id = madeId(sample)
    return id === undefined || !isObject(sample.response) ? [] : [{ body: sample.response, id }]
  })
  if (made.length === 0) return undefined
  const places = answerPlaces(made.map(({ body }) => body))
  const best = bestPlace(made, places, parameter)
  return best && { ...best, body: bodyPlace([...items, ...own], best.answer) }
}

// The answer itself first, then what it encloses, which has nothing but what speaks of the answer beside it.
export function answerPlaces(
  bodies: readonly Item[],
  above: readonly string[] = [],
): readonly (readonly string[])[] {
  const [first = {}] = bodies
  const isAside = (name: string): boolean => {
    const values = bodies.map((body) => body[name])
    const isPlain = values.every((value) => !isObject(value) && isDeepStrictEqual(value, values[0]))
    return ASIDE.test(name) || isPlain
  }
  const inner = Object.keys(first).filter(
    (name) =>
      bodies.every((body) => isObject(body[name])) &&
      bodies.every((body) => Object.keys(body).every((other) => other === name || isAside(other))),
  )
  const below = inner
    .filter((name) => !ASIDE.test(name) || inner.length === 1)
    .flatMap((name) =>
      above.length > 0
        ? [[...above, name]]
        : answerPlaces(
            bodies.map((body) => body[name] as Item),
            [name],
          ),
    )
  return above.length > 0 ? [above, ...below] : [[], ...below]
}

// The parameter's name and `id` before others, and what is at the top before what is deeper, where one is called so.
function idPathIn(
  named: readonly { readonly item: Item; readonly id: string }[],
  parameter: string,
  isEnclosed: boolean,
  repeated: ReadonlySet<string> = new Set(),
): readonly string[] | undefined {
  const found = named.flatMap(({ item, id }) => pathsOf(item, id))
  const counts = countEach(found)
  const always = [...counts.keys()].filter((path) => counts.get(path) === named.length).map(readPath)
  const rank = (path: readonly string[]): number =>
    (path.length + Number(path.length === 1 && repeated.has(path[0] ?? ''))) * 10 -
    (path.at(-1) === parameter ? 2 : Number(path.at(-1) === 'id'))
  const [best] = always.toSorted((a, b) => rank(a) - rank(b))
  // One answer with a deep value may be like its path by chance, such as a number.
  const isCertain =
    best !== undefined &&
    (best.length === 1 || isEnclosed || /^_?(id|uid|uuid|guid|name|key|slug)$/i.test(best.at(-1) ?? ''))
  return isCertain ? best : undefined
}

// Paths may name items by their ids or by another field, such as a name: what has both was named by each.
function twoNames(
  named: readonly { readonly item: Item; readonly id: string }[],
  own: readonly Sample[],
): readonly [id: string, also: string] | undefined {
  const fieldsOf = (item: Item, id: string): readonly string[] =>
    Object.keys(item).filter((name) => textOf(item[name]) === id && id !== '')
  const all = named.map(({ item, id }) => fieldsOf(item, id))
  const names = [...countEach(all.flat())]
    .toSorted(([one, a], [other, b]) => b - a || compareTexts(one, other))
    .map(([name]) => name)
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const))
  const pair = pairs.find(([one, other]) => {
    const isNamed = all.every((fields) => fields.includes(one) || fields.includes(other))
    const byEach = [one, other].map((name) => named.filter((_, at) => all[at]?.includes(name) === true))
    const [ids, others] = byEach.map((each) => new Set(each.map(({ item }) => textOf(item[one]))))
    return isNamed && ids !== undefined && [...ids].some((id) => others?.has(id) === true)
  })
  // What answers name who was made is the id.
  const isMade = (name: string): boolean => {
    const values = new Set(named.map(({ item }) => textOf(item[name]) ?? ''))
    return own.some(({ method, response, responseHeaders: { location = '' } }) => {
      const said = isObject(response) ? Object.values(response).map(textOf) : []
      const last = location.split('/').at(-1) ?? ''
      return method === 'POST' && [...said, last].some((each) => each !== undefined && values.has(each))
    })
  }
  if (pair === undefined) return undefined
  const [one, other] = pair
  return isMade(other) && !isMade(one) ? [other, one] : [one, other]
}

function pathsOf(item: Item, id: string, above: readonly string[] = []): readonly string[] {
  return Object.entries(item).flatMap(([name, value]) => {
    const path = [...above, name]
    if (textOf(value) === id) return [JSON.stringify(path)]
    return isObject(value) && above.length === 0 ? pathsOf(value, id, path) : []
  })
}

function readPath(text: string): readonly string[] {
  return JSON.parse(text) as string[]
}

// Where no answer is about one item, the paths that were requested name items of a list.
function placeInLists(
  items: readonly Sample[],
  own: readonly Sample[],
  parameter: string,
): ItemPlace | undefined {
  const ids = new Set(items.filter(({ status }) => status < 300).map(({ segments }) => segments.at(-1) ?? ''))
  const lists = own.filter(({ method, status }) => method === 'GET' && status < 300)
  const listed = lists.flatMap(({ response }) => listIn(response)?.items ?? [])
  const named = [...ids].flatMap((id) => {
    const item = listed.find((each) => pathsOf(each, id).length > 0)
    return item === undefined ? [] : [{ item, id }]
  })
  if (named.length === 0 || named.length * 2 < ids.size) return undefined
  const id = idPathIn(named, parameter, false)
  if (id === undefined) return undefined
  // What is made may be answered in an envelope, though lists have none.
  const made = own.flatMap(({ method, status, response }) =>
    method === 'POST' && status < 300 && isObject(response) ? [response] : [],
  )
  const holdsId = (body: Item, answer: readonly string[]): boolean =>
    textOf(memberAt(body, [...answer, ...id])) !== undefined
  const places = made.length === 0 ? [] : answerPlaces(made)
  const answer = places.find((place) => made.every((body) => holdsId(body, place))) ?? []
  return { answer, body: bodyPlace([...items, ...own], answer), id }
}

/** The list of objects that an answer is or holds, at its top or one object deeper, and the names that lead to it. */
export function listIn(
  response: unknown,
): { readonly path: readonly string[]; readonly items: readonly Item[] } | undefined {
  const lists = (
    value: unknown,
    path: readonly string[],
  ): { path: readonly string[]; items: readonly Item[] }[] => {
    if (Array.isArray(value)) return [{ path, items: value.filter((item): item is Item => isObject(item)) }]
    if (!isObject(value) || path.length > 1) return []
    return Object.entries(value).flatMap(([name, part]) => lists(part, [...path, name]))
  }
  const found = lists(response, [])
  return found.toSorted((a, b) => b.items.length - a.items.length || a.path.length - b.path.length)[0]
}

/** An exchange as if the item were all that is sent and answered. */
export function itemView(sample: Sample, place: ItemPlace): Sample {
  const { body } = place
  const answer = answerIn(sample, place)
  const whole = body.length === 0 ? sample.body : memberAt(sample.body, body)
  const sent = isPatchDocument(whole) ? undefined : whole
  const shown = memberAt(sample.response, answer)
  const isShown = answer.length > 0 && sample.status < 300 && isObject(shown)
  return { ...sample, body: sent, ...(isShown && { response: shown }) }
}

/** The id of an item, as a path has it. */
export function idIn(item: unknown, { id }: Pick<ItemPlace, 'id'>): string | undefined {
  return textOf(memberAt(item, id))
}

/** An id as a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

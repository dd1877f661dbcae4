import { readExpression } from '../../collections/filter-expression.ts'
import { withJsonParts } from '../../collections/json-filter.ts'
import { createListQuery, passes } from '../../collections/list-query.ts'
import { factNamed } from '../../collections/paging/page-fields.ts'
import type { Selection } from '../../engine/route-options.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { pathOf, type Sample } from './sample.ts'
import { otherPath, type Sightings } from './sightings.ts'

/** What the last segment of such a path is called. */
const NAMES = /^_?(count|total|size|number)$/i

/** An answer that may be a number of items, and those that there were. */
interface Count {
  readonly query: Sample['query']
  readonly value: number
  readonly items: readonly Item[]
}

/** Where answers have the number of items of the collection at a path, and what chooses those that count. */
interface CountedItems {
  readonly at: string
  readonly counts: readonly string[]
  readonly select: Selection | undefined
  readonly samples: readonly Sample[]
}

/** How a path such as `/todos/count` says how many items of a collection there are, where all its answers do. */
export function countedAt(
  folded: Folded,
  collection: string,
  sightings: ReadonlyMap<string, Sightings>,
): CountedItems | undefined {
  const { path, samples } = folded
  const fine = samples.filter(({ method, status }) => method === 'GET' && status < 300)
  const other =
    fine.length > 0 && NAMES.test(path.split('/').at(-1) ?? '') ? otherPath(collection, folded) : undefined
  const [first] = fine
  const at = first && placeOfCount(first.response)
  if (other === undefined || at === undefined) return undefined
  const counts = fine.flatMap((sample): readonly Count[] => {
    const value = at.reduce<unknown>(
      (part, name) => (isObject(part) ? part[name] : undefined),
      sample.response,
    )
    const seen = sightings.get(pathOf({ ...sample, segments: other.segments(sample) }))
    return typeof value === 'number' && seen !== undefined
      ? [{ query: sample.query, value, items: itemsAt(seen, sample.index) }]
      : []
  })
  if (counts.length < fine.length || !counts.some(({ value }) => value > 0)) return undefined
  const names = [...new Set(counts.flatMap(({ query }) => Object.keys(query)))]
  const where = names.find((name) => counts.some(({ query }) => isExpression(query[name])))
  const able: readonly (Selection | undefined)[] =
    names.length === 0 ? [undefined] : [{ filter: 'any' }, ...(where === undefined ? [] : [{ where }])]
  const [select] = able.filter((each) =>
    counts.every((count) => count.value === chosenBy(each, count).length),
  )
  const isRight = select !== undefined || counts.every((count) => count.value === count.items.length)
  return isRight ? { at: other.at, counts: at, select, samples: fine } : undefined
}

/**
 * How a path such as `/todos/findOne` answers the first of the items of a collection that its query chooses, where all
 * its answers do, and no item passes what it failed for.
 */
export function firstAt(
  folded: Folded,
  collection: string,
  place: ItemPlace,
  sightings: ReadonlyMap<string, Sightings>,
): Omit<CountedItems, 'counts'> | undefined {
  const gets = folded.samples.filter(({ method }) => method === 'GET')
  const other = gets.some(({ status }) => status < 300) ? otherPath(collection, folded) : undefined
  if (other === undefined || folded.path.endsWith('}')) return undefined
  const answers = gets.map((sample) => {
    const { query, status, index, response } = sample
    const seen = sightings.get(pathOf({ ...sample, segments: other.segments(sample) }))
    const id = status < 300 ? idIn(response, place) : undefined
    return { query: withJsonParts(query), status, id, items: seen === undefined ? [] : itemsAt(seen, index) }
  })
  const isChosen = (select: Selection): boolean =>
    answers.every(({ query, status, id, items }) => {
      const [first] = chosenBy(select, { query, items })
      return first === undefined ? status === 404 : id !== undefined && idIn(first, place) === id
    })
  // What is always the same says nothing of what chooses it.
  const isSaid = new Set(answers.map(({ id }) => id)).size > 1
  const names = [...new Set(answers.flatMap(({ query }) => Object.keys(query)))]
  const able: readonly Selection[] = [...names.map((where) => ({ where })), { filter: 'any' }]
  const select = isSaid ? able.find(isChosen) : undefined
  return select && { at: other.at, select, samples: gets }
}

// The answer itself, or its only number, which is called a total where there is more.
function placeOfCount(response: unknown): readonly string[] | undefined {
  if (typeof response === 'number') return []
  if (!isObject(response)) return undefined
  const numbers = Object.keys(response).filter((name) => Number.isInteger(response[name]))
  const [only, ...others] = numbers
  if (only !== undefined && others.length === 0) return [only]
  const named = numbers.find((name) => factNamed(name) === 'total')
  return named === undefined ? undefined : [named]
}

// Lists may show less of an item than what made it.
function itemsAt(seen: Sightings, index: number): readonly Item[] {
  return seen.thereAt(index).map((id) => {
    let item: Item = {}
    let sighting = seen.before(id, index)
    while (sighting?.item !== undefined) {
      item = { ...sighting.item, ...item }
      sighting = sighting.isRead ? seen.before(id, sighting.index) : undefined
    }
    return item
  })
}

function isExpression(value: Sample['query'][string] | undefined): boolean {
  return typeof value === 'string' && readExpression(value) !== undefined
}

function chosenBy(
  select: Selection | undefined,
  { query, items }: Pick<Count, 'query' | 'items'>,
): readonly Item[] {
  const isField = (name: string): boolean => items.some((item) => Object.hasOwn(item, name))
  const { terms, where } = createListQuery(select ?? {})(query, isField)
  return items.filter((item) => terms.every((term) => passes(item, term)) && where?.(item) !== false)
}

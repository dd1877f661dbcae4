import { holdsText } from '../../../collections/list-query.ts'
import type { Item } from '../../calls/objects.ts'
import { orderValues } from '../../../collections/order-values.ts'
import { type Entities, linked, readerOf } from './entities.ts'
import type { Expanded, QueryOptions } from './query-options.ts'
import { isHidden, keyOf, OWNER, predicateOf, type Service } from './service.ts'

/** The entities that options choose, in order, and how many there are before a part of them is taken. */
export function choose(
  entities: Entities,
  set: string,
  items: readonly Item[],
  { filter, order, search, skip, top }: QueryOptions,
): { readonly items: readonly Item[]; readonly total: number; readonly chosen: readonly Item[] } {
  const kept = items.filter(
    (item) =>
      filter?.(readerOf(entities, set, item)) !== false &&
      (search === undefined || isFound(visible(item), search)),
  )
  const sorted =
    order.length === 0
      ? kept
      : kept
          .map((item) => ({ item, by: order.map(({ of }) => of(readerOf(entities, set, item))) }))
          .toSorted((a, b) => {
            const signs = order.map(({ isTurned }, at) => {
              const sign = orderValues(a.by[at], b.by[at], 'first')
              return isTurned ? -sign : sign
            })
            return signs.find((sign) => sign !== 0) ?? 0
          })
          .map(({ item }) => item)
  const end = top === undefined ? undefined : skip + top
  return { items: sorted.slice(skip, end), total: kept.length, chosen: sorted }
}

function visible(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('@')))
}

// Words that all have to be there; in quotes they are one.
function isFound(item: Item, search: string): boolean {
  const words = search.match(/"[^"]*"|[^\s]+/g) ?? []
  return words
    .filter((word) => word !== 'AND')
    .every((word) => holdsText(item, word.replaceAll('"', '').toLowerCase()))
}

/** An entity as answers have it. */
export function show(
  entities: Entities,
  set: string,
  item: Item,
  { select, expand }: QueryOptions,
  isBare = false,
  isWithin = false,
): Item {
  const { keys, annotations = {}, kept = [] } = entities.setOf(set)
  const { style } = entities.service
  const names = select === undefined || select.includes('*') ? undefined : select.map(firstName)
  const isShown = (name: string): boolean => {
    if (isHidden(name)) return false
    if (name.startsWith('@')) return !isBare && (!isWithin || style.keepsEtags)
    if (names?.includes(name) !== false || (style.keepsKeys && keys.includes(name))) return true
    return !isWithin && kept.includes(name)
  }
  const own = Object.entries(item).filter(([name]) => isShown(name))
  const key = predicateOf(entities.setOf(set), item)
  const around = isBare
    ? []
    : Object.entries(annotations).map(([name, text]) => [name, text.replaceAll('{key}', key)] as const)
  const parts = expand.flatMap((each) => expanded(entities, set, item, each, isBare))
  return Object.fromEntries([...around, ...own, ...parts])
}

function firstName(path: string): string {
  return path.split('/')[0] ?? ''
}

function expanded(
  entities: Entities,
  set: string,
  item: Item,
  { name, options }: Expanded,
  isBare: boolean,
): readonly (readonly [string, unknown])[] {
  const { links } = entities.setOf(set)
  if (name === '*')
    return Object.keys(links).flatMap((each) =>
      expanded(entities, set, item, { name: each, options, text: '' }, isBare),
    )
  const [plain = '', ref] = name.split('/')
  const link = links[plain]
  if (link === undefined) return []
  const others = linked(entities, set, item, plain)
  const { prefix } = entities.service.style
  const shown = (other: Item): Item =>
    ref === '$ref'
      ? { [`${prefix}id`]: `${link.to}${predicateOf(entities.setOf(link.to), other)}` }
      : show(entities, link.to, other, options, isBare, true)
  if (!link.isMany) return [[plain, others[0] === undefined ? null : shown(others[0])]]
  const { items, total } = choose(entities, link.to, others, options)
  const count = [`${plain}${prefix}count`, total] as const
  if (ref === '$count') return [count]
  return [...(options.hasCount ? [count] : []), [plain, items.map(shown)]]
}

/** What is answered about, as its context says. */
export interface Shown {
  readonly set: string
  /** Below the root, without what is after the entity or list. */
  readonly path: readonly string[]
  readonly options: QueryOptions
  readonly isEntity: boolean
  /** The property that alone is answered, of an entity with a key in brackets. */
  readonly property?: { readonly of: string; readonly names: readonly string[] } | undefined
}

/** What says of an answer where it is described. */
export function contextOf({ sets, style }: Pick<Service, 'sets' | 'style'>, shown: Shown): string {
  const { base, context } = style
  const { set, path, options, isEntity, property } = shown
  const said = isEntity || property !== undefined ? undefined : sets[set]?.listContext
  if (said !== undefined) return said
  const start = base ?? '../'.repeat(Math.max(0, path.length - 1))
  if (property !== undefined) return `${start}$metadata#${set}${property.of}/${property.names.join('/')}`
  const isWithin = set.includes('/') || (context.paths && path.length > 1)
  const isByKey = isEntity && path.at(-1)?.endsWith(')') === true
  const last = isByKey ? (path.at(-1) ?? '').replace(/\(.*$/s, '') : path.at(-1)
  const name = isWithin ? [...path.slice(0, -1), last].join('/') : set
  const isSingle = isEntity && sets[set]?.isSingleton !== true
  return `${start}$metadata#${name}${selected(options, context)}${isSingle ? '/$entity' : ''}`
}

function selected({ select = [], expand }: QueryOptions, context: Service['style']['context']): string {
  const names = context.selects ? select : []
  const parts = context.expands
    ? expand.map(({ name, options }) => `${name}${selected(options, context) || '()'}`)
    : []
  return names.length + parts.length === 0 ? '' : `(${[...names, ...parts].join(',')})`
}

/** What names an entity in paths. */
export function resourceOf(entities: Entities, set: string, item: Item): string {
  const own = entities.setOf(set)
  const owner = entities.service.namer === undefined ? undefined : item[OWNER]
  return `${typeof owner === 'string' ? owner : set}${keyOf(own, item) === undefined ? '' : predicateOf(own, item)}`
}

import { LRUCache } from 'lru-cache'
import type { AssignId } from '../../../collections/ids.ts'
import { idText } from '../../../collections/item-operations.ts'
import { lazy, remembered } from '../../../engine/lazy.ts'
import { createFold } from '../../../engine/schema/merge.ts'
import { createResolver, type SchemaOrBoolean } from '../../../engine/schema/schema.ts'
import { StoredItem, type Beginning, type Item } from '../../../state/store.ts'
import type { ExampleItems } from './example-items.ts'
import type { Resource } from './resource.ts'

/** An item that is made when it is first needed. */
export class VirtualItem extends StoredItem {
  readonly #value: () => Item
  readonly #text: () => string
  /** What the description has of it as examples of its list, and of its own path. */
  readonly listed: Item | undefined
  readonly shown: unknown
  /** Whose path shows its value as it is, since it is the example of that path. */
  readonly shownBy: Resource | undefined

  constructor(
    make: () => Item,
    examples: {
      readonly listed?: Item | undefined
      readonly shown?: unknown
      readonly shownBy?: Resource | undefined
    } = {},
  ) {
    super(undefined)
    this.#value = lazy(make)
    this.#text = lazy(() => JSON.stringify(this.#value()))
    this.listed = examples.listed
    this.shown = examples.shown
    this.shownBy = examples.shownBy
  }

  override get value(): Item {
    return this.#value()
  }

  override get text(): string {
    return this.#text()
  }
}

/** What the items of a collection are before anything is stored. */
export interface VirtualCollection extends Beginning {
  readonly ids: readonly unknown[]
  /** The item of whatever id could be one. */
  any(id: string): StoredItem | undefined
}

/** What a collection is made by. */
export interface CollectionMaker {
  readonly assignId: AssignId
  readonly readId: (text: string) => unknown
  readonly examples: ExampleItems
  /** How many items a collection begins with where nothing says it: fewer of large ones. */
  readonly usualCount: () => number
}

/** Items that are in no list, of which those that were requested last are kept. */
export function createOthers(): LRUCache<string, VirtualItem> {
  return new LRUCache({ max: MAX_OTHERS })
}

const MAX_OTHERS = 500

interface ItemMakers {
  make(this: void, id: unknown): Item
  makeAny(this: void, id: unknown): Item
  readonly others: ReturnType<typeof createOthers>
}

/** The collection at a path, whose items are made by their ids: those of its list, and any other. */
export function createCollection(
  resource: Resource,
  { assignId, readId, examples, usualCount }: CollectionMaker,
  path: string,
  { make, makeAny, others }: ItemMakers,
): VirtualCollection {
  const items = new Map<string, StoredItem>()
  const ids: unknown[] = []
  const shownBy = examples.usual === undefined || resource.idPath === undefined ? undefined : resource
  const add = (
    id: unknown,
    makeOne: ItemMakers['make'],
    shown: ConstructorParameters<typeof VirtualItem>[1],
  ): void => {
    ids.push(id)
    items.set(idText(id), new VirtualItem(() => makeOne(id), shown))
  }
  const wanted = countOf(resource)
  if (wanted !== 0)
    for (const { id, listed, shown } of examples.items)
      if (!items.has(idText(id))) add(id, make, { listed, shown })
  // What no path lists looks like the example as well.
  const mayBeListed = resource.parents.length === 0 && !isEnumerated(resource.evidence.model)
  const isSingle = shownBy !== undefined && !resource.isListed && !mayBeListed
  let assigned = 0
  const isWhole = examples.isWhole && wanted !== 0
  const count = isWhole ? items.size : Math.max(items.size, wanted ?? usualCount())
  const isTaken = (id: string): boolean => items.has(id)
  for (let attempt = 0; items.size < count && attempt < count; attempt++) {
    const { value, ordinal } = assignId(path, assigned, isTaken)
    if (isTaken(idText(value)) || readId(idText(value)) === undefined) break
    assigned = ordinal + 1
    if (isSingle) add(value, makeAny, { shownBy })
    else add(value, make, {})
  }
  const entries = lazy(() => [...items])
  return {
    ids,
    size: items.size,
    assigned,
    get: (id) => items.get(id),
    page: (offset, limit) =>
      entries()
        .slice(offset, offset + limit)
        .map(([, item]) => item),
    entries,
    any: (text) => {
      const known = items.get(text)
      if (known !== undefined) return known
      const id = readId(text)
      if (id === undefined) return undefined
      const key = `${path} ${text}`
      const other = others.get(key) ?? new VirtualItem(() => makeAny(id), { shownBy })
      others.set(key, other)
      return other
    },
  }
}

function isEnumerated(model: SchemaOrBoolean): boolean {
  const folded = typeof model === 'boolean' ? model : createFold(createResolver(model))(model)
  return typeof folded === 'object' && ('enum' in folded || 'const' in folded)
}

/** How many items the collections of a resource begin with, where its routes say it. */
export function countOf({ list, read }: Resource): number | undefined {
  const { listCount } = (list ?? read)?.route.options ?? {}
  return typeof listCount === 'number' ? listCount : undefined
}

/** The path of a resource's collection, after its host if it has one. */
export function pathOf(resource: Located, values: readonly string[]): string {
  if (resource.parents.length === 0) return resource.host + resource.template
  return createPath(resource)(values)
}

type Located = Pick<Resource, 'template' | 'parents' | 'host'>

const createPath = remembered(({ template, parents, host }: Located) => {
  const [first = '', ...rest] = template.split(/\{([^{}]+)\}/)
  const literals = rest.filter((_, index) => index % 2 === 1)
  const places = rest.filter((_, index) => index % 2 === 0).map((name) => parents.indexOf(name))
  return (values: readonly string[]): string => {
    let path = host + first
    for (let index = 0; index < places.length; index++)
      path += encodeURIComponent(values[places[index] as number] ?? '') + (literals[index] as string)
    return path
  }
}, new WeakMap<Located, (values: readonly string[]) => string>())

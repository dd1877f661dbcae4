import { LRUCache } from 'lru-cache'
import { createIds } from '../../../collections/ids.ts'
import { idText } from '../../../collections/item-operations.ts'
import { lazy, remembered } from '../../../engine/lazy.ts'
import { contentStream, type Stream } from '../../../engine/random.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { copyValue } from '../../../engine/schema/copy-value.ts'
import type { Scope } from '../../../engine/schema/generate.ts'
import { memberAt, withMember } from '../../../engine/schema/member.ts'
import { isObject, type Entries } from '../../../engine/schema/schema.ts'
import { pathShape } from '../../../routing/path-template.ts'
import type { Item } from '../../../state/store.ts'
import { setAt } from './change-at.ts'
import { writeCounts } from './count-fields.ts'
import { createMaker, scopeOf, type Maker, type VirtualOptions } from './compiled-resource.ts'
import { asHeld, createItemModel, heldId, shownIn } from './item-model.ts'
import { type Reference, withoutItem } from './references.ts'
import { resourceMapOf, type ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'
import { createCollection, createOthers, pathOf, type VirtualCollection } from './virtual-collection.ts'

/** The most items whose values are kept. */
const MAX_KEPT = 50_000
/** How deep items lie within each other. */
const MAX_EMBEDDED = 2

/**
 * The items that a description's resources have before anything is stored: a pure function of the seed. An item is made
 * of its collection's path and its id, whichever route shows it; what it refers to is there.
 */
export class VirtualItems {
  readonly #map: () => ResourceMap
  readonly #options: VirtualOptions
  readonly #collections = new LRUCache<string, VirtualCollection>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ size }) => size + 1,
  })
  readonly #others = createOthers()
  readonly makerOf: (resource: Resource) => Maker

  constructor(map: () => ResourceMap, options: VirtualOptions) {
    this.#map = map
    this.#options = options
    this.makerOf = remembered((resource: Resource): Maker => {
      return createMaker(resource, this.map, options, this.#streamOf(resource.template, 'size'))
    })
  }

  /** The resources of the description, which are looked for when one is first needed. */
  get map(): ResourceMap {
    return this.#map()
  }

  /** The collection of a resource. @param values those of the parameters in its path */
  collection(resource: Resource, values: readonly string[]): VirtualCollection {
    const path = pathOf(resource, values)
    const known = this.#collections.get(path)
    if (known !== undefined) return known
    const maker = this.makerOf(resource)
    const created = createCollection(resource, maker, path, {
      make: (id) => this.#make(resource, values, id, 0),
      makeAny: (id) => this.#makeAny(resource, values, id, 0),
      others: this.#others,
    })
    this.#collections.set(path, created)
    return created
  }

  /** The values of the parameters in a resource's path, as they follow from an item of another, or are drawn. */
  valuesFor(
    target: Resource,
    owner: Resource,
    ownValues: readonly string[],
    stream: Stream,
  ): readonly string[] {
    const values: string[] = []
    for (const [index, name] of target.parents.entries()) {
      const above = target.template.slice(0, target.template.indexOf(`{${name}}`) + name.length + 2)
      const ownPath = `${owner.template}/{${owner.parameter}}`
      const isShared = pathShape(`${ownPath}/`).startsWith(`${pathShape(above)}/`)
      const shared = isShared ? ownValues[index] : undefined
      values.push(shared ?? this.#parentValue(above, name, values, stream))
    }
    return values
  }

  #parentValue(above: string, name: string, values: readonly string[], stream: Stream): string {
    const parent = this.map.ofItemPath(above)
    if (parent !== undefined) {
      const home = this.map.homeOf(parent)
      const { ids } = this.collection(home, values.slice(0, home.parents.length))
      return idText(stream.childOf(name).pick(ids) ?? name)
    }
    const { value } = createIds({ type: 'string' }, this.#options.seed)(above, 0, () => false)
    return idText(value)
  }

  /** The place of an item's draws. */
  #streamOf(path: string, id: unknown): Stream {
    return contentStream(this.#options.seed, `items of ${path}`).childOf(idText(id))
  }

  /** The draws for what the server adds to what is sent of an item. */
  drawsOf = (resource: Resource, values: readonly string[], id: unknown): Stream =>
    this.#streamOf(pathOf(resource, values), id).childOf('added')

  // As many of its references as are shown: of an item within another, few are.
  #make(
    resource: Resource,
    values: readonly string[],
    id: unknown,
    depth: number,
    shows: (name: string) => boolean = () => true,
  ): Entries {
    const { model, examples, nameUrls, requestedFields, said, counts, otherIds } = this.makerOf(resource)
    const { idPath } = resource
    // One whose id only its path knows is as the example of that path has it.
    const example = idPath === undefined ? examples.usual : examples.of(id)
    const stream = this.#streamOf(pathOf(resource, values), id)
    const known: Entries = { ...said, ...requestedFields(stream), ...example }
    // What the description says of such a field is said of the first item.
    if (otherIds !== undefined && this.collection(resource, values).ids[0] !== id)
      Object.assign(known, { ...otherIds(id, known), ...known })
    if (idPath?.length === 1) known[idPath[0] as string] = id
    const isWhole = idPath === undefined && example !== undefined && model.fits(example)
    const made = isWhole ? example : model.complete(known, stream, scopeOf(resource))
    const item = idPath === undefined ? { ...made } : withMember(made, idPath, id)
    // What an example says of itself stays.
    nameUrls(item, values, id, idPath === undefined ? undefined : example)
    const isLeft: IsLeft = (path) => memberAt(example, path) !== undefined || !shows(path[0] ?? '')
    const named = this.#nameParents(item, resource, values, depth, isLeft)
    this.#refer(item, resource, values, id, { depth, named, known: example, shows })
    writeCounts(item, counts, example, (below) => this.collection(below, [...values, idText(id)]).size)
    return item
  }

  // An item that is in no list looks like the example, where there is one.
  #makeAny(resource: Resource, values: readonly string[], id: unknown, depth: number): Entries {
    const { nameUrls, examples } = this.makerOf(resource)
    const usual = examples.of(id) ?? examples.usual
    if (usual === undefined || resource.idPath === undefined) return this.#make(resource, values, id, depth)
    // What it says nothing of at its own path is left out; within another item an id names it.
    const hasId = depth > 0 || memberAt(usual, resource.idPath) !== undefined
    const item = hasId ? withMember(copyValue(usual), resource.idPath, id) : copyValue(usual)
    nameUrls(item, values, id, undefined)
    // What it says of the very items above stays.
    const isLeft: IsLeft = (path, value, reference) => {
      const said = memberAt(usual, path)
      return said === undefined || (reference !== undefined && isOf(said, value, reference))
    }
    this.#nameParents(item, resource, values, depth, isLeft)
    return item
  }

  /** An item that a request makes. What was not sent of it is made as for any other. */
  create(
    resource: Resource,
    values: readonly string[],
    { id, known, scope }: { readonly id: unknown; readonly known: Entries; readonly scope: Scope },
  ): Entries {
    const { model, references, nameUrls, counts, otherIds } = this.makerOf(resource)
    const whole = { ...otherIds?.(id, known), ...known }
    const made = model.complete(whole, this.#streamOf(pathOf(resource, values), id), scope)
    const item = references.length === 0 ? made : copyValue(made)
    nameUrls(item, values, id, known)
    this.#refer(item, resource, values, id, {
      ...{ depth: 0, named: new Set(), known },
      // What nobody sees is as it was sent, or not there.
      shows: (name) => references.every(({ path, unshown }) => unshown === undefined || path[0] !== name),
    })
    writeCounts(item, counts, known, () => 0)
    return item
  }

  /** Gives an item what says below which others it lies, unless it says so itself. */
  place(item: Entries, resource: Resource, values: readonly string[]): void {
    this.#nameParents(item, resource, values, 0, () => false)
  }

  /** The value of a reference to an item that is named by its id. */
  refer(reference: Reference, above: readonly string[], id: unknown, now?: unknown): unknown {
    return this.#reference(reference, above, id, now, 0)
  }

  #nameParents(
    item: Entries,
    resource: Resource,
    values: readonly string[],
    depth: number,
    isLeft: IsLeft,
  ): ReadonlySet<string> {
    const named = new Set<string>()
    for (const { path, index, read, reference } of this.makerOf(resource).parents) {
      const value = read(values[index] ?? '')
      if (value === undefined || isLeft(path, value, reference)) continue
      named.add(path.join('.'))
      if (reference === undefined) setAt(item, path, () => value)
      else {
        const above = values.slice(0, reference.target.parents.length)
        const isEmbedded = reference.shape !== undefined
        setAt(item, path, (now) =>
          isEmbedded && now === undefined ? now : this.#reference(reference, above, value, now, depth),
        )
      }
    }
    return named
  }

  // Gives the references of an item, but for those that are known, ids of items that are there.
  #refer(
    item: Entries,
    resource: Resource,
    values: readonly string[],
    id: unknown,
    { depth, named, known, shows }: Referring,
  ): void {
    const stream = this.#streamOf(pathOf(resource, values), id)
    for (const reference of this.makerOf(resource).references) {
      const [first = ''] = reference.path
      if (!shows(first) || named.has(reference.path.join('.')) || memberAt(known, [first]) !== undefined)
        continue
      // A collection is looked at only where an item has something in that place.
      const among = lazy(() => {
        const own = stream.childOf(reference.path.join('.'))
        const above = this.valuesFor(reference.target, resource, [...values, idText(id)], own)
        const { ids } = this.collection(reference.target, above)
        // The first ones are named most often, so that they have something below them.
        return { above, ids, first: Math.floor(ids.length * own.next() ** 2) }
      })
      let count = 0
      setAt(item, reference.path, (now) => {
        if (reference.unshown === undefined && (now === undefined || now === null)) return now
        if (reference.shape !== undefined && depth >= MAX_EMBEDDED) return withoutItem(reference, now)
        const { above, ids, first } = among()
        if (ids.length === 0) return now
        return this.#reference(reference, above, ids[(first + count++) % ids.length], now, depth)
      })
    }
  }

  #reference(
    reference: Reference,
    above: readonly string[],
    id: unknown,
    now: unknown,
    depth: number,
  ): unknown {
    const { asId, shape, target } = reference
    if (shape === undefined) return asId(id) ?? now
    if (depth >= MAX_EMBEDDED) return withoutItem(reference, now)
    const stream = this.#streamOf(pathOf(target, above), id)
    const model = modelOf(shape)
    const isListed = this.collection(target, above).get(idText(id)) !== undefined
    const shows = isObject(now) ? model.holds(now, target.idField) : undefined
    const item = isListed
      ? this.#make(target, above, id, depth + 1, shows)
      : this.#makeAny(target, above, id, depth + 1)
    const own = { ...heldId(shape, target.evidence, asId(id)), ...asHeld(shape, model.own(item), now) }
    const shown = isObject(now) ? shownIn(now, own, shows) : own
    const fitting = [shown, { ...(isObject(now) && now), ...shown }].find((each) => model.fits(each))
    if (fitting !== undefined) return fitting
    const whole = model.complete(shown, stream, scopeOf(target))
    const least = shownIn(whole, whole, shows)
    return model.fits(least) ? least : whole
  }
}

/** Which references of an item are given ids, and how deep in others the item lies. */
interface Referring {
  readonly depth: number
  /** Those that have theirs. */
  readonly named: ReadonlySet<string>
  readonly known: Item | undefined
  /** Whether a field is shown at all. */
  readonly shows: (name: string) => boolean
}

/** Whether a field that names an item above is left as it is, by its path, the id of that item, and how it refers to it. */
type IsLeft = (path: readonly string[], id: unknown, reference: Reference | undefined) => boolean

// Whether what holds an item holds the one with this id.
function isOf(said: unknown, id: unknown, { target: { idPath } }: Reference): boolean {
  const own = isObject(said) && idPath !== undefined ? memberAt(said, idPath) : undefined
  return own !== undefined && idText(own) === idText(id)
}

const modelOf = remembered(createItemModel, new WeakMap())

const bySeed = remembered(
  (_routes: readonly RouteDefinition[]) => new Map<string, VirtualItems>(),
  new WeakMap(),
)

/** The virtual items of a description's routes under a seed. */
export function virtualItemsOf(routes: readonly RouteDefinition[], options: VirtualOptions): VirtualItems {
  const known = bySeed(routes)
  const key = `${options.dynamic} ${typeof options.seed} ${options.seed}`
  const virtual = known.get(key) ?? new VirtualItems(() => resourceMapOf(routes), options)
  if (known.size >= MAX_SEEDS) known.clear()
  known.set(key, virtual)
  return virtual
}

const MAX_SEEDS = 32

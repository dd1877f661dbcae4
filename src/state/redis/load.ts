import { load } from './item-scripts.ts'
import { factsOf, type Loaded, type LoadedCollection, type Missing } from './loaded.ts'
import { MAX_GATHERED_PAGE, type PageWanted, type Reads } from './reads.ts'
import type { LoadContext } from './session-context.ts'

/** The same, with what reads single items and takes ordinals. */
export interface ItemsContext extends LoadContext {
  readonly reads: Reads
}

const PAGE = 1000
/** How many pages are on their way at a time. */
const PAGES = 8

type CollectionReply = readonly [
  known: number,
  size: number,
  assigned: string,
  seq: string,
  found: readonly (string | null | readonly [ids: string[], texts: string[]])[],
]

/**
 * Loads what is missing, in one round trip where it is not all of a large collection.
 * @returns whether it belongs to what was loaded before; what does not must be loaded again, from the beginning
 */
export function loadMissing(
  context: ItemsContext,
  loaded: Loaded,
  missing: readonly Missing[],
): Promise<boolean> {
  loaded.rounds++
  const [one] = missing
  if (missing.length === 1 && one?.kind === 'item') return loadItem(context, loaded, one)
  if (missing.length === 1 && one?.kind === 'ordinal') return reserveOrdinal(context, loaded, one.path)
  if (missing.length === 1 && one?.kind === 'page' && one.limit <= MAX_GATHERED_PAGE)
    return loadPage(context, loaded, one)
  return loadSeveral(context, loaded, missing)
}

function loadPage({ reads }: ItemsContext, loaded: Loaded, wanted: PageWanted): Promise<boolean> {
  const { path, offset, limit } = wanted
  return reads.page(wanted).then(({ epoch, facts, ids, held }) => {
    const collection = loaded.collection(path)
    for (const [index, id] of ids.entries()) collection.items.set(id, held[index])
    collection.pages ??= new Map()
    collection.pages.set(`${offset}:${limit}`, ids)
    return collection.know(facts) && joins(loaded, epoch)
  })
}

async function loadSeveral(
  context: ItemsContext,
  loaded: Loaded,
  missing: readonly Missing[],
): Promise<boolean> {
  const items = missing.filter((each) => each.kind === 'item')
  if (items.length === missing.length) {
    await Promise.all(items.map((item) => loadItem(context, loaded, item)))
    return true
  }
  const whole = missing.filter((each) => each.kind === 'all')
  const ordinals = missing.filter((each) => each.kind === 'ordinal')
  const rest = missing.filter(({ kind }) => kind !== 'ordinal')
  const done = await Promise.all([
    ...ordinals.map(({ path }) => reserveOrdinal(context, loaded, path)),
    ...(rest.length === 0 ? [] : [loadParts(context, loaded, rest)]),
  ])
  if (done.includes(false)) return false
  for (const { path } of whole) if (!(await loadRest(context, loaded, path))) return false
  return true
}

function loadItem(
  context: ItemsContext,
  loaded: Loaded,
  { path, id }: { readonly path: string; readonly id: string },
): Promise<true> {
  const { reads, stored } = context
  const collection = loaded.collection(path)
  const { known, first, beginning } = collection
  // A collection without a beginning holds what is stored in it, and nothing else.
  const isPlain = known === 'yes' || (known === undefined && first === undefined && beginning === undefined)
  if (!isPlain && !stored.has(path)) return lookForItem(context, collection, id)
  return reads.item({ path, id, isPlain: true }).then(({ held }) => {
    if (!isPlain && held === undefined) {
      stored.delete(path)
      return lookForItem(context, collection, id)
    }
    collection.items.set(id, held)
    return true
  })
}

// It may be one that the collection begins with.
async function lookForItem(
  { reads, stored }: ItemsContext,
  collection: LoadedCollection,
  id: string,
): Promise<true> {
  const { path } = collection
  const { known: knownAt, held } = await reads.item({ path, id, isPlain: false })
  collection.knownAt = held === undefined ? knownAt : 'yes'
  collection.items.set(id, held)
  if (collection.known === 'yes') stored.add(path)
  return true
}

async function reserveOrdinal({ reads }: ItemsContext, loaded: Loaded, path: string): Promise<boolean> {
  const collection = loaded.collection(path)
  const { first, beginning } = collection
  const { ordinal, epoch, known, size } = await reads.ordinal({
    path,
    start: (first ?? beginning)?.assigned ?? 0,
    clearedStart: beginning?.assigned ?? 0,
  })
  const reserved = (loaded.reserved ??= new Map())
  const before = reserved.get(path)
  const passed = before?.epoch === epoch ? before.passed : []
  reserved.set(path, { epoch, ordinal, passed })
  collection.facts ??= { known, size, assigned: '', seq: undefined }
  return joins(loaded, epoch)
}

async function loadParts(
  { ask, keys, gateway, seen }: LoadContext,
  loaded: Loaded,
  missing: readonly Missing[],
): Promise<boolean> {
  const paths = new Set(missing.flatMap((each) => (each.kind === 'paths' ? [] : [each.path])))
  const wantsPaths = missing.some(({ kind }) => kind === 'paths')
  const scriptKeys = [keys.session, keys.known, keys.cleared]
  const args: (string | number)[] = [gateway, wantsPaths ? 1 : 0]
  const parts: Missing[][] = []
  for (const path of paths) {
    const own = missing.filter((each) => each.kind !== 'paths' && each.kind !== 'facts' && each.path === path)
    parts.push(own)
    scriptKeys.push(keys.items(path), keys.order(path), keys.meta(path))
    args.push(path, own.length)
    for (const each of own) {
      if (each.kind === 'item') args.push('i', each.id)
      else if (each.kind === 'page') args.push('p', each.offset, each.limit)
      else args.push('p', 0, PAGE)
    }
  }
  const reply = (await ask.run(load, scriptKeys, args)) as readonly unknown[]
  const [epoch, w, known, cleared] = reply as readonly [string, string, string[], string[]]
  seen(Number(w), 0)
  if (wantsPaths) loaded.paths = { known: new Set(known), cleared: new Set(cleared) }
  const isOne = [...paths].map((path, index) =>
    hold(loaded.collection(path), reply[4 + index] as CollectionReply, parts[index] ?? []),
  )
  return joins(loaded, epoch) && !isOne.includes(false)
}

// @returns whether it was not changed since something else of it was loaded
function hold(collection: LoadedCollection, reply: CollectionReply, parts: readonly Missing[]): boolean {
  const [, , , , found] = reply
  const isOne = collection.know(factsOf(reply))
  for (const [index, part] of parts.entries()) {
    const value = found[index] ?? null
    if (part.kind === 'item') collection.hold(part.id, value as string | null)
    else {
      const [ids, texts] = value as readonly [string[], string[]]
      for (const [place, id] of ids.entries()) collection.hold(id, texts[place] ?? null)
      if (part.kind === 'page') (collection.pages ??= new Map()).set(`${part.offset}:${part.limit}`, ids)
      else collection.order = ids
    }
  }
  return isOne
}

// All of a collection, of which the first page is there.
async function loadRest(context: LoadContext, loaded: Loaded, path: string): Promise<boolean> {
  const collection = loaded.collection(path)
  const { size = 0, known } = collection.facts ?? {}
  if (known !== 'yes') return true
  const order = [...(collection.order ?? [])]
  // It is not there as a whole before the last page is.
  collection.order = undefined
  while (order.length < size) {
    const offsets = Array.from({ length: PAGES }, (_, index) => order.length + index * PAGE)
    const wanted = offsets.filter((offset) => offset < size)
    const pages = await Promise.all(
      wanted.map((offset) => loadParts(context, loaded, [{ kind: 'page', path, offset, limit: PAGE }])),
    )
    if (pages.includes(false)) return false
    for (const offset of wanted) {
      const key = `${offset}:${PAGE}`
      for (const id of collection.pages?.get(key) ?? []) order.push(id)
      collection.pages?.delete(key)
    }
  }
  collection.order = order
  // What was read before and has gone since.
  if (collection.items.size > order.length) {
    const ids = new Set(order)
    for (const id of collection.items.keys()) if (!ids.has(id)) collection.items.set(id, undefined)
  }
  return true
}

function joins(loaded: Loaded, epoch: string): boolean {
  loaded.epoch ??= epoch
  return loaded.epoch === epoch
}

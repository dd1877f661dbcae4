import { groupBy } from '../../grouping.ts'
import { gather } from './gather.ts'
import { load, loadItems, reserve } from './item-scripts.ts'
import type { LoadContext } from './session-context.ts'
import { factsOf, heldOf, KNOWN, type Facts, type HeldItem } from './loaded.ts'

/** One item that is needed. */
interface ItemWanted {
  readonly path: string
  readonly id: string
  /** Whether it can be nowhere but among what is stored, so that nothing else is looked for. */
  readonly isPlain: boolean
}

/** An item as it was found, which those who wanted it together share. */
interface ItemFound {
  readonly held: HeldItem | undefined
  /** Whether something is stored in its collection. */
  readonly known: Facts['known']
}

interface OrdinalWanted {
  readonly path: string
  /** How many ids were assigned where none was counted yet, and where the first items were taken away. */
  readonly start: number
  readonly clearedStart: number
}

interface OrdinalTaken extends Pick<Facts, 'known' | 'size'> {
  readonly ordinal: number
  readonly epoch: string
}

/** A page of a collection's items. */
export interface PageWanted {
  readonly path: string
  readonly offset: number
  readonly limit: number
}

/** A page as it was found, which those who wanted it together share. */
interface PageFound {
  readonly epoch: string
  readonly facts: Facts
  readonly ids: readonly string[]
  readonly held: readonly (HeldItem | undefined)[]
}

/** How many items the pages may have that go in one call. */
export const MAX_GATHERED_PAGE = 100
const MAX_PAGES = 16

/** Reads items and pages, and takes ordinals; those of one turn of the event loop by one call, or one for each collection. */
export interface Reads {
  readonly item: (wanted: ItemWanted) => Promise<ItemFound>
  readonly page: (wanted: PageWanted) => Promise<PageFound>
  readonly ordinal: (wanted: OrdinalWanted) => Promise<OrdinalTaken>
}

/** Has reads of a session gathered. */
export function createReads(context: LoadContext): Reads {
  return {
    item: gather((wanted: readonly ItemWanted[]) =>
      byGroup(
        wanted,
        ({ path, isPlain }) => `${isPlain ? 'p' : ''}:${path}`,
        (group) => readItems(context, group),
      ),
    ),
    page: gather((wanted: readonly PageWanted[]) => readPages(context, wanted), MAX_PAGES),
    ordinal: gather((wanted: readonly OrdinalWanted[]) =>
      byGroup(
        wanted,
        ({ path, start, clearedStart }) => `${start}:${clearedStart}:${path}`,
        (group) => takeOrdinals(context, group),
      ),
    ),
  }
}

// Most of what comes together is of one collection.
async function byGroup<Wanted, Reply>(
  wanted: readonly Wanted[],
  nameOf: (each: Wanted) => string,
  ask: (group: readonly [Wanted, ...Wanted[]]) => Promise<readonly Reply[]>,
): Promise<readonly Reply[]> {
  const groups = new Map<string, [Wanted, ...Wanted[]]>()
  for (const each of wanted) {
    const name = nameOf(each)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [each])
    else group.push(each)
  }
  const answered = await Promise.all(
    [...groups.values()].map(async (group) => [group, await ask(group)] as const),
  )
  if (answered.length === 1) return answered[0]?.[1] ?? []
  const replies = new Map<Wanted, Reply>()
  for (const [group, found] of answered)
    for (const [index, each] of group.entries()) replies.set(each, found[index] as Reply)
  return wanted.map((each) => replies.get(each) as Reply)
}

async function readItems(
  { ask, keys, gateway, seen }: LoadContext,
  wanted: readonly [ItemWanted, ...ItemWanted[]],
): Promise<readonly ItemFound[]> {
  const [{ path, isPlain }] = wanted
  const ids = [...new Set(wanted.map(({ id }) => id))]
  const items = new Map<string, HeldItem | undefined>()
  let known: Facts['known'] = 'yes'
  let texts: readonly (string | null)[]
  if (isPlain) {
    texts = (await ask.command(['HMGET', keys.items(path), ...ids], true)) as (string | null)[]
  } else {
    const scriptKeys = [keys.session, keys.known, keys.cleared, keys.items(path)]
    const reply = await ask.run(loadItems, scriptKeys, [gateway, path, ...ids])
    const [w, number, found] = reply as readonly [string, number, (string | null)[]]
    seen(Number(w), 0)
    known = KNOWN[number] ?? 'no'
    texts = found
  }
  for (const [index, id] of ids.entries()) {
    const held = heldOf(texts[index])
    const rev = Number(held?.rev)
    if (rev > 0) seen(rev, 0)
    items.set(id, held)
  }
  return wanted.map(({ id }) => ({ held: items.get(id), known }))
}

async function readPages(
  { ask, keys, gateway, seen }: LoadContext,
  wanted: readonly PageWanted[],
): Promise<readonly PageFound[]> {
  const names = wanted.map(({ path, offset, limit }) => `${offset}:${limit}:${path}`)
  const byName = new Map(wanted.map((each, index) => [names[index] ?? '', each]))
  const byPath = groupBy(byName, ([, { path }]) => path)
  const scriptKeys = [keys.session, keys.known, keys.cleared]
  const args: (string | number)[] = [gateway, 0]
  for (const [path, pages] of byPath) {
    scriptKeys.push(keys.items(path), keys.order(path), keys.meta(path))
    args.push(path, pages.length)
    for (const [, { offset, limit }] of pages) args.push('p', offset, limit)
  }
  const [epoch, w, , , ...collections] = (await ask.run(load, scriptKeys, args)) as PagesReply
  seen(Number(w), 0)
  const found = new Map<string, PageFound>()
  for (const [index, pages] of [...byPath.values()].entries()) {
    const reply = collections[index] as PagesReply[4]
    const [facts, parts] = [factsOf(reply), reply[4]]
    for (const [place, [name]] of pages.entries()) {
      const [ids, texts] = parts[place] as PagesReply[4][4][0]
      found.set(name, { epoch, facts, ids, held: texts.map(heldOf) })
    }
  }
  return names.map((name) => found.get(name) as PageFound)
}

type PagesReply = readonly [
  ...[epoch: string, w: string, paths: unknown, gone: unknown],
  ...(readonly [
    ...[known: number, size: number, assigned: string, seq: string],
    pages: readonly (readonly [ids: string[], texts: (string | null)[]])[],
  ])[],
]

async function takeOrdinals(
  { ask, keys, gateway, seen }: LoadContext,
  wanted: readonly [OrdinalWanted, ...OrdinalWanted[]],
): Promise<readonly OrdinalTaken[]> {
  const [{ path, start, clearedStart }] = wanted
  const scriptKeys = [
    ...[keys.session, keys.known, keys.cleared, keys.order(path), keys.meta(path), keys.given(path)],
    keys.touched,
  ]
  const reply = await ask.run(reserve, scriptKeys, [gateway, path, start, clearedStart, wanted.length])
  const [epoch, number, size, w, own, ...ordinals] = reply as readonly [
    ...[epoch: string, known: number, size: number, w: number, own: number],
    ...number[],
  ]
  seen(w, own)
  const known = KNOWN[number] ?? 'no'
  return ordinals.map((ordinal, index) => ({ ordinal, epoch, known, size: size + index }))
}

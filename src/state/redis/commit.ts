import { randomUUID } from 'node:crypto'
import type { Beginning, StoreSnapshot } from '../store.ts'
import type { CollectionView } from './collection-view.ts'
import { check, commit, commitRemoval, fillAside, takePlace } from './item-scripts.ts'
import type { LoadContext } from './load.ts'
import type { Loaded } from './loaded.ts'
import type { StoreView } from './store-view.ts'

/** What became of changes that were to be stored. */
export type Committed =
  | { readonly kind: 'ok' | 'changed' }
  /** The session began again since something was loaded. */
  | { readonly kind: 'began' }
  /** The collection may hold a beginning, which was not looked at. */
  | { readonly kind: 'unfilled'; readonly path: string }
  | { readonly kind: 'exists'; readonly path: string; readonly id: string }
  | { readonly kind: 'full'; readonly path: string; readonly most: number }

const CHUNK = 500

/**
 * Stores what a piece of work has changed, if all that it saw is still so; without changes it only finds that out.
 * @param onSent called when that is on its way: what is sent from then on comes after it
 */
export async function commitView(
  context: LoadContext,
  loaded: Loaded,
  view: StoreView,
  onSent: () => void,
): Promise<Committed> {
  const { replacement } = view
  if (replacement !== undefined) return replaceAll(context, loaded, replacement.snapshot())
  const { ask, keys, gateway, seen } = context
  const views = [...view.collections.values()].filter(
    ({ isChanged, loaded: { known, items } }) => isChanged || known !== undefined || items.size > 0,
  )
  const scriptKeys = [keys.session, keys.known, keys.cleared]
  const args: (string | number)[] = [gateway, epochFor(loaded, views)]
  for (const each of views) {
    const { path } = each.loaded
    const aside = await putAside(context, each)
    scriptKeys.push(keys.items(path), keys.order(path), keys.meta(path), keys.given(path))
    scriptKeys.push(...(aside ?? [keys.items(path), keys.order(path)]))
    pushConditions(args, each, aside !== undefined)
    args.push(each.changes.length)
    for (const { kind, id, item, most } of each.changes)
      args.push(kind, id, item?.text ?? '', most === undefined || most === Infinity ? '' : most)
  }
  const reply = ask.run(scriptFor(views), scriptKeys, args)
  onSent()
  return read((await reply) as readonly unknown[], seen)
}

function scriptFor(views: readonly CollectionView[]): typeof commit {
  if (views.every(({ isChanged }) => !isChanged)) return check
  const frees = views.every(
    ({ changes, setAssigned }) => setAssigned === undefined && changes.every(({ kind }) => kind === 'remove'),
  )
  return frees ? commitRemoval : commit
}

// An ordinal is of no use in a session that began again, and of what was read there only the numbers of changes are.
function epochFor(loaded: Loaded, views: readonly CollectionView[]): string {
  for (const { loaded: each } of views) {
    const reserved = loaded.reserved.get(each.path)
    if (reserved !== undefined) return reserved.epoch
  }
  return loaded.epoch ?? ''
}

function pushConditions(args: (string | number)[], view: CollectionView, isAside: boolean): void {
  const { loaded, readsWhole, setAssigned, isCleared, isChanged } = view
  const { path, facts, known, first, beginning } = loaded
  const start = loaded.start
  const mayBegin = first !== undefined || beginning !== undefined
  const isKnown = known === 'yes'
  const checked = isKnown || known === undefined ? [...loaded.items] : []
  args.push(
    path,
    known === undefined || (isKnown && !readsWhole) ? '' : { no: 0, yes: 1, cleared: 2 }[known],
    isAside ? 'aside' : mayBegin && isChanged ? 'maybe' : 'none',
    start?.size ?? 0,
    isKnown || start === undefined || isCleared ? '' : start.assigned,
    readsWhole && isKnown && facts?.seq !== undefined ? facts.seq : '-',
    setAssigned !== undefined && facts !== undefined && facts.seq !== undefined ? facts.assigned : '-',
    setAssigned ?? '',
    isCleared ? 1 : 0,
    checked.length,
  )
  for (const [id, held] of checked) args.push(id, held?.rev ?? '')
}

// The beginning of a collection that nothing is stored in yet is put in place with the first change.
async function putAside(
  context: LoadContext,
  { loaded, isChanged, isCleared }: CollectionView,
): Promise<readonly [items: string, order: string] | undefined> {
  const { known, start } = loaded
  if (!isChanged || isCleared || known === undefined || known === 'yes') return undefined
  if (start === undefined || start.size === 0) return undefined
  return fill(context, textsOf(start), -start.size)
}

function* textsOf(beginning: Beginning): Iterable<readonly [string, string]> {
  for (const [id, item] of beginning.entries()) yield [id, item.text]
}

async function fill(
  { ask, keys }: LoadContext,
  items: Iterable<readonly [id: string, text: string]>,
  place: number,
): Promise<readonly [items: string, order: string]> {
  const name = `${keys.prefix}a:${randomUUID()}:`
  const aside = [`${name}i`, `${name}o`] as const
  let from = place
  let chunk: string[] = []
  const send = async (): Promise<void> => {
    const args = [from, ...chunk]
    from += chunk.length / 2
    chunk = []
    await ask.run(fillAside, aside, args)
  }
  for (const item of items) if (chunk.push(...item) >= CHUNK * 2) await send()
  if (chunk.length > 0) await send()
  return aside
}

// All or nothing: what is there is taken away when all else is at hand.
async function replaceAll(
  context: LoadContext,
  loaded: Loaded,
  { collections }: StoreSnapshot,
): Promise<Committed> {
  const { ask, keys, gateway, seen } = context
  const scriptKeys = [keys.session, keys.known, keys.cleared, keys.touched]
  const args: (string | number)[] = [gateway, loaded.epoch ?? '', keys.prefix]
  for (const [path, { assigned, items }] of Object.entries(collections)) {
    const texts = (function* (): Iterable<readonly [string, string]> {
      for (const [id, item] of items) yield [id, JSON.stringify(item)]
    })()
    const aside = await fill(context, texts, -items.length)
    scriptKeys.push(keys.items(path), keys.order(path), keys.meta(path), ...aside)
    args.push(path, items.length, assigned)
  }
  return read((await ask.run(takePlace, scriptKeys, [...args, '*'])) as readonly unknown[], seen)
}

function read(reply: readonly unknown[], seen: LoadContext['seen']): Committed {
  const [kind, one, other] = reply
  switch (kind) {
    case 'ok':
      seen(Number(one), Number(other))
      return { kind }
    case 'exists':
      return { kind, path: String(one), id: String(other) }
    case 'full':
      return { kind, path: String(one), most: Number(other) }
    case 'unfilled':
      return { kind, path: String(one) }
    case 'began':
      return { kind }
    default:
      return { kind: 'changed' }
  }
}

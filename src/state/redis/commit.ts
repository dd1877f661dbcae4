import { randomUUID } from 'node:crypto'
import type { StoreSnapshot } from '../store.ts'
import type { CollectionView } from './collection-view.ts'
import { gather } from './gather.ts'
import { check, commit, commitRemoval } from './commit-scripts.ts'
import { fillAside, heldAside, takePlace } from './item-scripts.ts'
import type { LoadContext } from './session-context.ts'
import type { Loaded } from './loaded.ts'
import type { Script } from './scripts.ts'
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

/** What a piece of work has changed, and what that was decided by. */
interface Unit {
  readonly epoch: string
  readonly parts: readonly Part[]
  /** Called when it is on its way. */
  readonly onSent: () => void
}

/** The same of one collection. */
interface Part {
  readonly path: string
  readonly aside: Aside | undefined
  readonly args: readonly (string | number)[]
}

type Aside = readonly [items: string, order: string]

/** Stores what pieces of work have changed; those of one turn of the event loop by one call. */
export interface Commits {
  readonly commit: (unit: Unit) => Promise<Committed>
  /** The same for what only takes away, and for what changes nothing. */
  readonly commitRemoval: (unit: Unit) => Promise<Committed>
  readonly check: (unit: Unit) => Promise<Committed>
}

/** Has commits of a session gathered. */
export function createCommits(context: LoadContext): Commits {
  const by = (script: Script): ((unit: Unit) => Promise<Committed>) =>
    gather((units: readonly Unit[]) => commitUnits(context, script, units))
  return { commit: by(commit), commitRemoval: by(commitRemoval), check: by(check) }
}

async function commitUnits(
  { ask, keys, gateway, seen }: LoadContext,
  script: Script,
  units: readonly Unit[],
): Promise<readonly Committed[]> {
  const numbers = new Map<string, number>()
  const scriptKeys = [keys.session, keys.known, keys.cleared]
  const paths: string[] = []
  const args: (string | number)[] = []
  for (const { epoch, parts } of units) {
    const at = args.push(0) - 1
    args.push(epoch, parts.length)
    for (const { path, aside, args: partArgs } of parts) {
      const name = aside?.[0] ?? path
      let number = numbers.get(name)
      if (number === undefined) {
        numbers.set(name, (number = paths.push(path)))
        const collection = [keys.items(path), keys.order(path)] as const
        scriptKeys.push(...collection, keys.meta(path), keys.given(path), ...(aside ?? collection))
      }
      args.push(number)
      for (const arg of partArgs) args.push(arg)
    }
    args[at] = args.length - at - 1
  }
  const sent = ask.run(script, scriptKeys, [gateway, ...paths, ...args])
  for (const { onSent } of units) onSent()
  const [w, own, ...results] = (await sent) as readonly [number, number, ...unknown[]]
  seen(w, own)
  return results.map(read)
}

/**
 * Stores what a piece of work has changed, if all that it saw is still so; without changes it only finds that out.
 * @param onSent called when that is on its way: what is sent from then on comes after it
 */
export async function commitView(
  context: LoadContext,
  commits: Commits,
  loaded: Loaded,
  view: StoreView,
  onSent: () => void,
): Promise<Committed> {
  const { replacement } = view
  if (replacement !== undefined) return replaceAll(context, loaded, replacement.snapshot())
  const views = [...view.collections.values()].filter(
    ({ isChanged, loaded: { known, items } }) => isChanged || known !== undefined || items.size > 0,
  )
  const parts: Part[] = []
  for (const each of views) {
    const aside = needsAside(each)
      ? await fill(context, textsOf(each), -(each.loaded.start?.size ?? 0))
      : undefined
    parts.push({ path: each.loaded.path, aside, args: argsOf(each, aside !== undefined) })
  }
  return commits[kindOf(views)]({ epoch: epochFor(loaded, views), parts, onSent })
}

function kindOf(views: readonly CollectionView[]): keyof Commits {
  if (views.every(({ isChanged }) => !isChanged)) return 'check'
  const frees = views.every(
    ({ changes, setAssigned }) => setAssigned === undefined && changes.every(({ kind }) => kind === 'remove'),
  )
  return frees ? 'commitRemoval' : 'commit'
}

// An ordinal is of no use in a session that began again, and of what was read there only the numbers of changes are.
function epochFor(loaded: Loaded, views: readonly CollectionView[]): string {
  for (const { loaded: each } of views) {
    const reserved = loaded.reserved?.get(each.path)
    if (reserved !== undefined) return reserved.epoch
  }
  return loaded.epoch ?? ''
}

function argsOf(view: CollectionView, isAside: boolean): readonly (string | number)[] {
  const { loaded, readsWhole, setAssigned, isCleared, isChanged, changes } = view
  const { facts, known, first, beginning, start } = loaded
  const mayBegin = first !== undefined || beginning !== undefined
  const isKnown = known === 'yes'
  // Most changes are of single items in a collection that needs no more than to be there.
  const isPlain =
    !mayBegin && !isCleared && !readsWhole && setAssigned === undefined && (isKnown || known === undefined)
  const args: (string | number)[] = isPlain
    ? ['plain']
    : [
        known === undefined || (isKnown && !readsWhole) ? '' : { no: 0, yes: 1, cleared: 2 }[known],
        isAside ? 'aside' : mayBegin && isChanged ? 'maybe' : 'none',
        start?.size ?? 0,
        isKnown || start === undefined || isCleared ? '' : start.assigned,
        readsWhole && isKnown && facts?.seq !== undefined ? facts.seq : '-',
        setAssigned !== undefined && facts !== undefined && facts.seq !== undefined ? facts.assigned : '-',
        setAssigned ?? '',
        isCleared ? 1 : 0,
      ]
  const { items } = loaded
  // Where nothing of the whole collection has changed, no item has.
  if (readsWhole && isKnown && facts?.seq !== undefined) args.push(0)
  else if (isKnown || known === undefined) {
    args.push(items.size)
    for (const [id, held] of items) args.push(id, held?.rev ?? '')
  } else args.push(0)
  args.push(changes.length)
  for (const { kind, id, item, most } of changes)
    args.push(kind, id, item?.text ?? '', most === undefined || most === Infinity ? '' : most)
  return args
}

/** Whether a change puts the beginning of a collection in place, that nothing is stored in yet. */
export function needsAside({ loaded, isChanged, isCleared }: CollectionView): boolean {
  const { known, start } = loaded
  return isChanged && !isCleared && known !== undefined && known !== 'yes' && (start?.size ?? 0) > 0
}

function* textsOf({ loaded: { start } }: CollectionView): Iterable<readonly [string, string]> {
  for (const [id, item] of start?.entries() ?? []) yield [id, item.text]
}

async function fill(
  { ask, keys }: LoadContext,
  items: Iterable<readonly [id: string, text: string]>,
  place: number,
): Promise<Aside> {
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
  for (const [id, text] of items) if (chunk.push(id, heldAside(text)) >= CHUNK * 2) await send()
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
  const reply = (await ask.run(takePlace, scriptKeys, [...args, '*'])) as readonly unknown[]
  if (reply[0] !== 'ok') return read(reply)
  seen(Number(reply[1]), Number(reply[2]))
  return { kind: 'ok' }
}

function read(result: unknown): Committed {
  if (!Array.isArray(result)) return { kind: 'ok' }
  const [kind, one, other] = result as readonly unknown[]
  switch (kind) {
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

import { isObject } from '../../../engine/schema/schema.ts'
import type { Item } from '../../calls/objects.ts'
import { Refusal } from './refusal.ts'

/** A key and its value, as answers show them: bytes in base64, and numbers as texts. */
export interface Pair {
  readonly key: string
  readonly create_revision: string
  readonly mod_revision: string
  readonly version: string
  readonly value?: string
  readonly lease?: string
}

/** What there is, and how the server makes ids. */
export interface Store {
  readonly pairs: Map<string, Item>
  readonly leases: Map<string, Item>
  /** One item, with the revision. */
  readonly state: Map<string, Item>
  made(example: string): string
}

/** The arguments of a call. */
export type Args = Readonly<Record<string, unknown>>

const ONLY = 'state'

/** The number of the last change. */
export function revisionOf({ state }: Store): number {
  return Number(state.get(ONLY)?.['revision'] ?? 1)
}

export function setRevision({ state }: Store, revision: number): void {
  state.set(ONLY, { id: ONLY, revision })
}

/** The pairs of a key, or of a range of keys, in the order of their bytes. @throws Refusal for no key */
export function pairsIn({ pairs }: Pick<Store, 'pairs'>, { key, range_end: end }: Args): readonly Pair[] {
  if (!isText(key)) throw new Refusal('noKey')
  const only = pairs.get(key) as unknown as Pair | undefined
  if (!isText(end)) return only === undefined ? [] : [only]
  return ([...pairs.values()] as unknown as Pair[])
    .filter((pair) => isInRange(pair.key, { key, range_end: end }))
    .map((pair) => ({ pair, bytes: bytesOf(pair.key) }))
    .toSorted((a, b) => a.bytes.compare(b.bytes))
    .map(({ pair }) => pair)
}

/** Whether a key is the one of a call, or in its range. */
export function isInRange(name: string, { key, range_end: end }: Args): boolean {
  if (!isText(end)) return name === key
  const [bytes, first, last] = [name, String(key), end].map(bytesOf) as [Buffer, Buffer, Buffer]
  const isOpen = last.length === 1 && last[0] === 0
  return bytes.compare(first) >= 0 && (isOpen || bytes.compare(last) < 0)
}

/** Pairs in another order and only some of them, as a call wants them. */
export function selected(all: readonly Pair[], args: Args): readonly Pair[] {
  const least = (name: string, of: (pair: Pair) => string, isMost = false): ((pair: Pair) => boolean) => {
    const bound = Number(args[name] ?? 0)
    return (pair) => bound === 0 || (isMost ? Number(of(pair)) <= bound : Number(of(pair)) >= bound)
  }
  const modified = (pair: Pair): string => pair.mod_revision
  const made = (pair: Pair): string => pair.create_revision
  const tests = [
    least('min_mod_revision', modified),
    least('max_mod_revision', modified, true),
    least('min_create_revision', made),
    least('max_create_revision', made, true),
  ]
  const kept = all.filter((pair) => tests.every((test) => test(pair)))
  const order = nameIn(['NONE', 'ASCEND', 'DESCEND'], args['sort_order'])
  const target = nameIn(['KEY', 'VERSION', 'CREATE', 'MOD', 'VALUE'], args['sort_target'])
  if (order === 'NONE' && target === 'KEY') return kept
  const sorted = kept.toSorted((a, b) => compareBy(target, a, b))
  return order === 'DESCEND' ? sorted.toReversed() : sorted
}

function compareBy(target: string | undefined, a: Pair, b: Pair): number {
  switch (target) {
    case 'VERSION':
      return Number(a.version) - Number(b.version)
    case 'CREATE':
      return Number(a.create_revision) - Number(b.create_revision)
    case 'MOD':
      return Number(a.mod_revision) - Number(b.mod_revision)
    case 'VALUE':
      return bytesOf(a.value ?? '').compare(bytesOf(b.value ?? ''))
    default:
      return bytesOf(a.key).compare(bytesOf(b.key))
  }
}

/** Stores a pair at a revision, and returns what was there. @throws Refusal for no key, or for a lease that is not there */
export function put(store: Store, args: Args, revision: number): Pair | undefined {
  const { key, value, lease, ignore_value: keepsValue, ignore_lease: keepsLease } = args
  if (!isText(key)) throw new Refusal('noKey')
  const before = store.pairs.get(key) as unknown as Pair | undefined
  if ((keepsValue === true || keepsLease === true) && before === undefined) throw new Refusal('noSuchKey')
  if (keepsValue === true && isText(value)) throw new Refusal('valueGiven')
  const own = keepsLease === true ? before?.lease : idOf(lease)
  if (own !== undefined && !store.leases.has(own)) throw new Refusal('noLease')
  const content = keepsValue === true ? before?.value : value
  const pair: Pair = {
    key,
    create_revision: before?.create_revision ?? String(revision),
    mod_revision: String(revision),
    version: String(Number(before?.version ?? 0) + 1),
    ...(isText(content) && { value: content }),
    ...(own !== undefined && { lease: own }),
  }
  store.pairs.set(key, { ...pair })
  return before
}

/** The id of a lease as a text; `undefined` for none. */
export function idOf(id: unknown): string | undefined {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  return text === '' || text === '0' ? undefined : text
}

/** The name of an enumeration's value, which may be sent as its number. */
export function nameIn(names: readonly string[], value: unknown): string | undefined {
  return typeof value === 'string' ? value : names[Number(value ?? 0)]
}

export function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64')
}

export function objectsIn(list: unknown): readonly Args[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

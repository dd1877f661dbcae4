import type { CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { STREAMED } from '../grpc-gateway.ts'
import type { Learned } from './known.ts'
import {
  type Args,
  bytesOf,
  idOf,
  isText,
  nameIn,
  objectsIn,
  type Pair,
  pairsIn,
  put,
  revisionOf,
  selected,
  setRevision,
  type Store,
} from './pairs.ts'
import { Refusal } from './refusal.ts'
import { checkWrites } from './written-keys.ts'

type Operation = (args: Args, store: Store, known: Learned) => CallOutcome | undefined

const asOne: (run: (args: Args, store: Store) => Args | undefined) => Operation =
  (run) => (args, store, known) => {
    const value = run(args, store)
    return value === undefined ? undefined : { value: withHeader(value, store, known) }
  }

// What the methods of the services `KV` and `Lease` do, by what their paths end in.
const OPERATIONS: Readonly<Record<string, Operation>> = {
  range: asOne((args, store) => (isPast(args, store) ? undefined : range(args, store))),
  put: asOne((args, store) => {
    const { isChange: _isChange, ...result } = putPair(args, store, revisionOf(store) + 1)
    setRevision(store, revisionOf(store) + 1)
    return result
  }),
  deleterange: asOne((args, store) => {
    const { isChange, ...result } = removePairs(args, store)
    if (isChange) setRevision(store, revisionOf(store) + 1)
    return result
  }),
  txn: asOne(transact),
  compaction: asOne(() => ({})),
  grant: asOne(grantLease),
  revoke: asOne((args, store) => {
    const id = idOf(args['ID'])
    if (id === undefined || !store.leases.delete(id)) throw new Refusal('noLease')
    const own = pairsOfLease(store, id)
    for (const { key } of own) store.pairs.delete(key)
    if (own.length > 0) setRevision(store, revisionOf(store) + 1)
    return {}
  }),
  timetolive: asOne((args, store) => {
    const id = idOf(args['ID']) ?? '0'
    const lease = store.leases.get(id)
    if (lease === undefined) return { ID: id, TTL: '-1' }
    const keys = args['keys'] === true ? pairsOfLease(store, id).map(({ key }) => key) : []
    const granted = typeof lease['ttl'] === 'string' ? lease['ttl'] : '0'
    return { ID: id, TTL: String(Number(granted) - 1), grantedTTL: granted, ...(keys.length > 0 && { keys }) }
  }),
  leases: asOne((_args, { leases }) => {
    const all = [...leases.keys()].map((ID) => ({ ID }))
    return all.length === 0 ? {} : { leases: all }
  }),
  keepalive: (args, store, known) => {
    const id = idOf(args['ID']) ?? '0'
    const ttl = store.leases.get(id)?.['ttl']
    const value = withHeader({ ID: id, ...(typeof ttl === 'string' && { TTL: ttl }) }, store, known)
    return { value, frame: STREAMED }
  },
}

/** What a method does, by its path; `undefined` for one that is not known. */
export function operationCalled(path: string): Operation | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
}

// What was at a revision that has passed is not known.
function isPast({ revision }: Args, store: Store): boolean {
  const wanted = Number(revision ?? 0)
  if (wanted > revisionOf(store)) throw new Refusal('future')
  return wanted > 0 && wanted < revisionOf(store)
}

function withHeader(value: Args, store: Store, { header }: Learned): Args {
  const { cluster_id, member_id, ...rest } = header
  const own = { cluster_id, member_id, revision: String(revisionOf(store)), ...rest }
  return { header: own, ...value }
}

function range(args: Args, store: Store): Args {
  const all = pairsIn(store, args)
  const limit = Number(args['limit'] ?? 0)
  const kept = selected(all, args)
  const shown = limit > 0 ? kept.slice(0, limit) : kept
  const pairs = args['keys_only'] === true ? shown.map(({ value: _value, ...pair }) => pair) : shown
  return {
    ...(args['count_only'] !== true && pairs.length > 0 && { kvs: pairs }),
    ...(args['count_only'] !== true && shown.length < kept.length && { more: true }),
    ...(all.length > 0 && { count: String(all.length) }),
  }
}

interface Result {
  readonly isChange: boolean
  readonly prev_kv?: Pair
  readonly prev_kvs?: readonly Pair[]
  readonly deleted?: string
}

function putPair(args: Args, store: Store, revision: number): Result {
  const before = put(store, args, revision)
  return { isChange: true, ...(args['prev_kv'] === true && before && { prev_kv: before }) }
}

function removePairs(args: Args, store: Store): Result {
  const found = pairsIn(store, args)
  for (const { key } of found) store.pairs.delete(key)
  return {
    isChange: found.length > 0,
    ...(found.length > 0 && { deleted: String(found.length) }),
    ...(args['prev_kv'] === true && found.length > 0 && { prev_kvs: found }),
  }
}

function transact(args: Args, store: Store): Args | undefined {
  checkWrites(args)
  const next = revisionOf(store) + 1
  const result = transactAt(args, store, next)
  if (result === undefined) return undefined
  const { isChange, ...answer } = result
  if (isChange) setRevision(store, next)
  return answer
}

// All changes of a transaction, and of those within it, have one revision.
function transactAt(
  { compare, success, failure }: Args,
  store: Store,
  next: number,
): (Args & { readonly isChange: boolean }) | undefined {
  const succeeded = objectsIn(compare).every((each) => holds(each, store))
  const done = objectsIn(succeeded ? success : failure).map((each) => stepOf(each, store, next))
  if (done.some((each) => each === undefined)) return undefined
  const results = done.flatMap((each) => each ?? [])
  const isChange = results.some((each) => each.result.isChange)
  const revision = String(isChange ? next : next - 1)
  const responses = results.map(({ name, result: { isChange: _isChange, ...result } }) => ({
    // Only the outermost transaction says which revision it is.
    [`response_${name}`]: { header: name === 'txn' ? {} : { revision }, ...result },
  }))
  return { isChange, ...(succeeded && { succeeded }), ...(responses.length > 0 && { responses }) }
}

function stepOf(
  step: Args,
  store: Store,
  next: number,
): { readonly name: string; readonly result: Args & { readonly isChange: boolean } } | undefined {
  const [only] = Object.entries(step)
  if (only === undefined || !isObject(only[1])) return undefined
  const [member, args] = [only[0], only[1]]
  const name = member.replace(/^request_/, '')
  const run = new Map<string, () => (Args & { readonly isChange: boolean }) | undefined>([
    ['range', () => ({ isChange: false, ...range(args, store) })],
    ['put', () => ({ ...putPair(args, store, next) })],
    ['delete_range', () => ({ ...removePairs(args, store) })],
    ['txn', () => transactAt(args, store, next)],
  ]).get(name)
  const result = run?.()
  return result && { name, result }
}

function holds(condition: Args, store: Store): boolean {
  const found = pairsIn(store, condition)
  const target = nameIn(['VERSION', 'CREATE', 'MOD', 'VALUE', 'LEASE'], condition['target'])
  if (found.length === 0 && condition['range_end'] !== undefined) return true
  const all = found.length === 0 ? [undefined] : found
  return all.every((pair) => {
    if (target === 'VALUE' && pair === undefined) return false
    const by = comparedTo(target, pair, condition)
    switch (nameIn(['EQUAL', 'GREATER', 'LESS', 'NOT_EQUAL'], condition['result'])) {
      case 'GREATER':
        return by > 0
      case 'LESS':
        return by < 0
      case 'NOT_EQUAL':
        return by !== 0
      default:
        return by === 0
    }
  })
}

function comparedTo(target: string | undefined, pair: Pair | undefined, condition: Args): number {
  const numberAt = (own: string | undefined, name: string): number =>
    Number(own ?? 0) - Number(condition[name] ?? 0)
  switch (target) {
    case 'CREATE':
      return numberAt(pair?.create_revision, 'create_revision')
    case 'MOD':
      return numberAt(pair?.mod_revision, 'mod_revision')
    case 'VALUE':
      return bytesOf(pair?.value ?? '').compare(bytesOf(isText(condition['value']) ? condition['value'] : ''))
    case 'LEASE':
      return numberAt(pair?.lease, 'lease')
    default:
      return numberAt(pair?.version, 'version')
  }
}

function grantLease({ ID, TTL }: Args, { leases, made }: Store): Args {
  const given = idOf(ID)
  if (given !== undefined && leases.has(given)) throw new Refusal('leaseExists')
  const id = given ?? made(`7587${'0'.repeat(7)}${leases.size}5678901`)
  leases.set(id, { id, ttl: String(TTL) })
  return { ID: id, TTL: String(TTL) }
}

function pairsOfLease({ pairs }: Store, id: string): readonly Pair[] {
  return ([...pairs.values()] as unknown as Pair[]).filter(({ lease }) => lease === id)
}

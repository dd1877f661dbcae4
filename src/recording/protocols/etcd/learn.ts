import { isObject } from '../../../engine/schema/schema.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { type Item, plainType } from '../../calls/objects.ts'
import { operationCalled } from './operations.ts'
import { type Args, idOf, isText, objectsIn, setRevision, type Store } from './pairs.ts'
import { LEASES, type Learned, PAIRS, STATE } from './known.ts'
import { Refusal, type RefusalForm } from './refusal.ts'

/** The pairs and leases that there were in the beginning, and how the server answers. */
export function learn(
  calls: readonly SeenCall[],
  root = '',
): Pick<ReturnType<CallSemantics['learn']>, 'types' | 'learned'> {
  const headers = calls.flatMap(({ outcome: { value } }) => (isObject(value) ? [value['header']] : []))
  const [first] = headers.filter(isObject)
  const { revision: _revision, ...header } = first ?? {}
  const [pairs, leases] = [new Map<string, Item>(), new Map<string, Item>()]
  const store = {
    pairs: new Map<string, Item>(),
    leases: new Map<string, Item>(),
    state: new Map<string, Item>(),
  }
  const touched = new Set<string>()
  const refusals: Record<string, RefusalForm> = {}
  const known: Learned = { root, header, refusals }
  const start = firstRevision(calls)
  setRevision({ ...store, made: String }, start)
  for (const { call, outcome } of calls) {
    for (const pair of pairsShown(outcome.value)) {
      if (isOwnWrite(pair, outcome.value)) continue
      const before = store.pairs.get(pair.key)
      if (touched.has(pair.key) || (before !== undefined && before['value'] !== undefined)) continue
      for (const map of [pairs, store.pairs]) map.set(pair.key, { ...pair })
      const lease = idOf(pair['lease'])
      if (lease !== undefined && !touched.has(lease) && !store.leases.has(lease))
        for (const map of [leases, store.leases]) map.set(lease, { id: lease, ttl: '60' })
    }
    const operation = operationCalled(call.name)
    const own = outcome.value
    const made: Store['made'] = (example) =>
      isObject(own) && typeof own['ID'] === 'string' ? own['ID'] : example
    const before = new Map([...store.pairs, ...store.leases])
    try {
      operation?.(call.args, { ...store, made }, known)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status = 400, error: body } = outcome
      if (body !== undefined) refusals[error.reason] ??= { status, body }
    }
    for (const [key, item] of [...store.pairs, ...store.leases])
      if (before.get(key) !== item) touched.add(key)
    for (const key of before.keys()) if (!store.pairs.has(key) && !store.leases.has(key)) touched.add(key)
  }
  return {
    types: {
      [PAIRS]: plainType('key', pairs.values()),
      [LEASES]: plainType('id', leases.values()),
      [STATE]: plainType('id', [{ id: 'state', revision: start }]),
    },
    learned: { ...known },
  }
}

// The first answer has the revision after its own change.
function firstRevision(calls: readonly SeenCall[]): number {
  const found = calls.find(({ outcome: { value } }) => isObject(value) && isObject(value['header']))
  const value = found?.outcome.value as Args | undefined
  const revision = Number((value?.['header'] as Args | undefined)?.['revision'] ?? 1)
  const name = found?.call.name ?? ''
  const isChange =
    name.endsWith('/put') ||
    (name.endsWith('/deleterange') && value?.['deleted'] !== undefined) ||
    hasWritten(value)
  return isChange ? revision - 1 : revision
}

// Whether an answer is that of a transaction which wrote.
function hasWritten(value: unknown): boolean {
  return partsOf(value).some(
    ([name, part]) =>
      name === 'response_put' ||
      (name === 'response_delete_range' && isObject(part) && part['deleted'] !== undefined) ||
      (name === 'response_txn' && hasWritten(part)),
  )
}

// All that a transaction writes has the revision which its answer has.
function isOwnWrite(pair: Args, value: unknown): boolean {
  const header = isObject(value) ? value['header'] : undefined
  return hasWritten(value) && isObject(header) && pair['mod_revision'] === header['revision']
}

function partsOf(value: unknown): readonly (readonly [name: string, part: unknown])[] {
  return isObject(value) ? objectsIn(value['responses']).flatMap((each) => Object.entries(each)) : []
}

/** Pairs that an answer shows as they were before the call, unless it wrote them. */
function pairsShown(value: unknown): readonly (Args & { readonly key: string })[] {
  if (!isObject(value)) return []
  const { kvs, prev_kv: before, prev_kvs: removed } = value
  return [
    ...[kvs, before, removed].flat().flatMap((each: unknown) => (isPair(each) ? [each] : [])),
    ...partsOf(value).flatMap(([, part]) => pairsShown(part)),
  ]
}

function isPair(value: unknown): value is Args & { readonly key: string } {
  return isObject(value) && isText(value['key']) && value['mod_revision'] !== undefined
}

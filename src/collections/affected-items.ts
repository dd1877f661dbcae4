import type { ItemOption } from '../engine/route-options.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { ItemExists } from '../errors.ts'
import type { Store } from '../state/store.ts'
import { addressOf } from './address.ts'
import { isFrom } from './particular-fields.ts'

/** Looks whether other items are as a request needs them, and makes of them what it does. */
interface Affected {
  /** @throws ItemExists where one is in another state, or has nothing in a list */
  check(params: Readonly<Record<string, string>>, store: Store): void
  change(params: Readonly<Record<string, string>>, store: Store): void
}

/** Makes what is done with the items at other paths that requests of a route affect; `undefined` where there are none. */
export function createAffected(
  { options, ...route }: RouteDefinition,
  routes: readonly RouteDefinition[],
): Affected | undefined {
  const { affects } = options.item ?? {}
  if (affects === undefined) return undefined
  const all = Object.entries(affects).map(([at, affected]) => ({
    affected,
    address: addressOf({ ...route, options: { host: options.host, item: { at } } }, routes),
  }))
  type Each = (typeof all)[number]
  const itemIn = ({ address }: Each, params: Readonly<Record<string, string>>, store: Store): ItemAt => {
    const [collection, id] = [store.collection(address.collection(params)), address.id(params)]
    return {
      item: collection.get(id),
      set: (item) => collection.set(id, item),
      id,
      path: address.collection(params),
    }
  }
  return {
    check(params, store) {
      for (const each of all) {
        const { item, id, path } = itemIn(each, params, store)
        const { from, filled = [] } = each.affected
        if (item === undefined) continue
        if (!isFrom(item, { from })) throw new ItemExists(path, id, undefined, { item, reason: 'state' })
        const isNone = (name: string): boolean => !Array.isArray(item[name]) || item[name].length === 0
        if (filled.some(isNone)) throw new ItemExists(path, id, undefined, { item, reason: 'empty' })
      }
    },
    change(params, store) {
      for (const each of all) {
        const { item, set } = itemIn(each, params, store)
        if (item !== undefined && each.affected.sets !== undefined) set({ ...item, ...each.affected.sets })
      }
    },
  }
}

interface ItemAt {
  readonly item: NonNullable<ItemOption['sets']> | undefined
  readonly set: (item: NonNullable<ItemOption['sets']>) => void
  readonly id: string
  readonly path: string
}

import type { RouteDefinition } from '../engine/route.ts'
import { memberAt } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { ItemInUse } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import type { Item, Store } from '../state/store.ts'
import { finderAt } from './find-other.ts'
import { type CompileOperation, type ItemContext, outcome } from './item-operations.ts'

/**
 * Makes what looks whether items of other collections name an item, or are below it, which is not to be removed then;
 * `undefined` for a route whose items nothing holds.
 */
export function createHolders(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  context: ItemContext,
):
  | ((request: HttpRequest, params: Readonly<Record<string, string>>, id: string, store: Store) => void)
  | undefined {
  const { holders } = route.options.item ?? {}
  if (holders === undefined || route.method !== 'DELETE') return undefined
  const all = Object.entries(holders).map(([at, pointer]) => ({
    ...{ at, pointer: readPointer(pointer) },
    find: finderAt(at, readAll, route, routes, context),
  }))
  return (request, params, id, store) => {
    const held = all.find(({ find, pointer }) => {
      const items = find?.(request, params, store).body as readonly Item[] | undefined
      return items?.some((item) => pointer.length === 0 || names(memberAt(item, pointer), id)) === true
    })
    if (held !== undefined) throw new ItemInUse(`${id} is in use by what is at ${held.at}`)
  }
}

const readAll: CompileOperation = (context) => ({
  maxItems: context.maxItems,
  need: () => ({ kind: 'all' }),
  decide: (_request, { items }) =>
    outcome(
      { ...context, form: { ...context.form, validate: undefined } },
      { body: items.map(({ value }) => value) },
    ),
})

/** Whether a member has an id: as it is, as that of an object, or as one of several. */
export function names(value: unknown, id: string): boolean {
  if (Array.isArray(value)) return value.some((each) => names(each, id))
  if (isObject(value)) return names(value['id'], id)
  return (typeof value === 'string' || typeof value === 'number') && String(value) === id
}

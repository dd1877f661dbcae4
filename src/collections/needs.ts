import type { RouteDefinition } from '../engine/route.ts'
import { formedBy } from '../engine/links/computed-from.ts'
import { memberAt } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { InputInvalid } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import type { Store } from '../state/store.ts'
import { createFinder } from './find-other.ts'
import type { ItemContext } from './item-operations.ts'

/**
 * Makes what looks whether the items are there that a body names by fields, such as `team_id`, or by parts of them, such as
 * `mail|after @`; `undefined` for a route without such fields.
 */
export function createNeeds(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  context: ItemContext,
): ((request: HttpRequest, store: Store) => void) | undefined {
  const { needs, body = '' } = route.options.item ?? {}
  if (needs === undefined) return undefined
  const path = readPointer(body)
  const all = Object.entries(needs).map(
    ([field, at]) => [field, createFinder(at, route, routes, context)] as const,
  )
  return (request, store) => {
    const sent = memberAt(request.body, path)
    if (!isObject(sent)) return
    const issues = all.flatMap(([field, find]) => {
      const id = formedBy(field, (name) => sent[name])
      if (id === undefined || find === undefined || find(id, request, store) !== undefined) return []
      const loc = ['body', ...path, field.replace(/\|.*/s, '')]
      return [{ type: 'not_found', loc, msg: 'Should name an item that is there', input: sent[field] ?? id }]
    })
    if (issues.length > 0) throw new InputInvalid(issues)
  }
}

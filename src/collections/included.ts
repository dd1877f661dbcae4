import { parseQuery } from '../engine/query.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { ItemNotFound } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import { namesOf } from '../routing/path-template.ts'
import type { Item, Store } from '../state/store.ts'
import { finderAt } from './find-other.ts'
import { type ItemContext, readItem } from './item-operations.ts'
import { fieldOf } from './list-query.ts'

/**
 * Makes what puts into an answer the things that its items refer to, as JSON:API has it: those that the query names by
 * the members that refer to them; `undefined` for a route without such.
 */
export function createIncluded(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  context: ItemContext,
): ((body: unknown, request: HttpRequest, store: Store) => unknown) | undefined {
  const { includes, answer = '' } = route.options.item ?? {}
  if (includes === undefined) return undefined
  const { parameter, to, at, from = answer, always = false } = includes
  const [path, source] = [readPointer(to), readPointer(from)]
  const finders = new Map(
    Object.entries(at).map(([type, place]) => {
      const find = finderAt(place, readItem, route, routes, context)
      const [name = ''] = namesOf(place)
      return [
        type,
        (id: string, request: HttpRequest, store: Store) => find?.(request, { [name]: id }, store).body,
      ]
    }),
  )
  const lookUp = (reference: Item, request: HttpRequest, store: Store): Item | undefined => {
    try {
      const found = finders.get(String(reference['type']))?.(String(reference['id']), request, store)
      return isObject(found) ? found : undefined
    } catch (error) {
      if (ItemNotFound.is(error)) return undefined
      throw error
    }
  }
  return (body, request, store) => {
    if (!isObject(body)) return body
    const named = [parseQuery(request.search)[parameter] ?? []].flat().join(',')
    const found = new Map<string, Item>()
    for (const name of named.split(',').filter((each) => each !== '')) {
      let items = [memberAt(body, source)].flat().filter(isObject)
      // Names with points go on from what was found.
      for (const each of name.split('.')) {
        const references = items.flatMap((item) => referencesIn(fieldOf(item, each)))
        items = references.flatMap((reference) => {
          const key = referenceKey(reference)
          const known = found.get(key) ?? lookUp(reference, request, store)
          if (known !== undefined) found.set(key, known)
          return known === undefined ? [] : [known]
        })
      }
    }
    if (named === '' && !always) return withoutMember(body, path)
    return withMember(body, path, [...found.values()])
  }
}

/** The things that a member refers to by type and id. */
export function referencesIn(member: unknown): readonly Item[] {
  const named = isObject(member) && 'data' in member ? member['data'] : member
  return [named].flat().filter((each) => isObject(each) && 'type' in each && 'id' in each) as Item[]
}

/** Equal for references to the same thing, and for that itself. */
export function referenceKey(thing: Item): string {
  return JSON.stringify([thing['type'], thing['id']])
}

function withoutMember(body: Item, [name]: readonly string[]): Item {
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== name))
}

import { pageParametersOf } from '../../../collections/paging/page-parameters.ts'
import { idText } from '../../../collections/item-operations.ts'
import { listShapeOf } from '../../../engine/list-shape.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Item } from '../../../state/store.ts'
import { successOf } from '../choose-response.ts'
import { createExamples } from '../response-form.ts'
import { idPathOf } from './item-shape.ts'
import { answerMediaOf, type Resource } from './resource.ts'

/** The items that a description's examples show. */
export interface ExampleItems {
  /** The first items of a collection. */
  readonly items: readonly ExampleItem[]
  /** Whether they are all that there are. */
  readonly isWhole: boolean
  /** What other items look like. */
  readonly usual: Item | undefined
  /** The item that an example shows with an id. */
  of(id: unknown): Item | undefined
}

interface ExampleItem {
  readonly id: unknown
  /** As the example of the list has it. */
  readonly listed?: Item | undefined
  /** As the example of its own path has it, which may have an envelope. */
  readonly shown?: unknown
}

/** An item as an example of its own path has it. */
interface Shown {
  readonly id: unknown
  readonly item: Item
  readonly shown: unknown
}

/** Reads the items of the examples that the answers of a resource's list and item have. */
export function createExampleItems({ list, read, idPath, evidence }: Resource): ExampleItems {
  const idOf = (item: Item): unknown => (idPath === undefined ? undefined : memberAt(item, idPath))
  // A list may call the id otherwise than the path of an item answers it.
  const listedPath = idPath && list?.list && idPathOf(list.list, evidence)
  const listedIdOf = (item: Item): unknown =>
    idOf(item) ?? (listedPath === undefined ? undefined : memberAt(item, listedPath))
  const whole = list?.list && exampleOf(list.route)
  const shape = whole === undefined ? undefined : listShapeIn(list?.route)
  const some = memberAt(whole, shape?.path ?? [])
  const listed = (Array.isArray(some) ? (some as unknown[]) : [])
    .map((each) => memberAt(each, list?.list?.path ?? []))
    .filter((each) => isObject(each) && isId(listedIdOf(each))) as Item[]
  const itemIn = (shown: unknown): Item | undefined => {
    const alone = read?.isListed === true ? memberAt(shown, listShapeIn(read.route)?.path ?? []) : [shown]
    const one = memberAt(Array.isArray(alone) ? alone[0] : undefined, read?.item?.path ?? [])
    return isObject(one) ? one : undefined
  }
  const first = read?.item && exampleOf(read.route)
  const named = read?.item === undefined ? [] : namedExamplesOf(read.route)
  // An answer that is an item or a list, as of a folder, may have its first example of a list.
  const single = [first, ...named].map(itemIn).find((each) => each !== undefined)
  const shownById = new Map<string, Shown>()
  for (const shown of [first, ...named]) {
    const item = itemIn(shown)
    const id = item && idOf(item)
    if (item !== undefined && isId(id) && !shownById.has(idText(id)))
      shownById.set(idText(id), { id, item, shown })
  }

  const items: ExampleItem[] = listed.map((item) => {
    const id = listedIdOf(item)
    const shown = shownById.get(idText(id))?.shown
    return { id, listed: item, ...(shown !== undefined && { shown }) }
  })
  // An example whose further pages a header names is the first of them.
  const hasLink =
    list !== undefined && (shape?.path ?? []).length === 0 && isPaged(list.route) && declaresLink(list.route)
  const isWhole = Array.isArray(some) && listed.length === some.length && !hasLink
  const byId = new Map<string, Item>([...shownById].map(([id, { item }]) => [id, item]))
  for (const { id, listed: item } of items) byId.set(idText(id), { ...byId.get(idText(id)), ...item })
  const isListed = new Set(items.map(({ id }) => idText(id)))
  if (!isWhole)
    for (const [key, { id, shown }] of shownById) if (!isListed.has(key)) items.push({ id, shown })
  return { items, isWhole, usual: single, of: (id) => byId.get(idText(id)) }
}

function isPaged({ operation }: RouteDefinition): boolean {
  return operation !== undefined && pageParametersOf(operation) !== undefined
}

function declaresLink({ operation, options }: RouteDefinition): boolean {
  const headers = operation === undefined ? [] : successOf(operation, options.status).rule.headers
  return headers.some(({ name }) => name.toLowerCase() === 'link')
}

function listShapeIn(route: RouteDefinition | undefined): ReturnType<typeof listShapeOf> {
  return listShapeOf(answerMediaOf(route)?.media.model ?? {}, route?.path ?? '')
}

/** The examples of an answer that have a name of their own. */
function namedExamplesOf(route: RouteDefinition): readonly unknown[] {
  const found = answerMediaOf(route)
  if (found === undefined || found.media.examples.length < 2) return []
  return createExamples(found.type, found.media, route.key).fitting.map(({ value }) => value)
}

function exampleOf(route: RouteDefinition): unknown {
  const found = answerMediaOf(route)
  return found && createExamples(found.type, found.media, route.key).usual?.value
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number'
}

import type { Output } from '../engine/generate-output.ts'
import { rangeOf } from '../engine/list-range.ts'
import { outputKind } from '../engine/output.ts'
import { withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import type { HttpRequest } from '../message.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { Found, Item, Need, StoredItem } from '../state/store.ts'
import type { Input } from '../engine/input.ts'
import type { ItemForm } from './item-operations.ts'
import type { PagedOutput } from './paging/paged-output.ts'
import { listedFrom } from './paging/pager.ts'
import { createSelect, createShow } from './select-items.ts'
import { ShownText } from './shown.ts'

/** What the answers of a route are made by. */
export interface Outputs {
  readonly output: Output
  readonly paged: PagedOutput | undefined
  /** Throws what keeps an answer from being given. */
  readonly validate: ((body: unknown) => void) | undefined
}

function countForm(
  route: RouteDefinition,
  output: Output,
  at: readonly string[],
): Pick<ItemForm, 'need' | 'list'> {
  const selectOf = createSelect(route)
  return {
    need: ({ input, request }) => (selectOf(input, request) === undefined ? ONE : ALL),
    list({ request, input }, found) {
      const { total } = selectOf(input, request)?.(found) ?? { total: found.size }
      return { body: at.length === 0 ? total : withMember(output.generateOne(request, input, {}), at, total) }
    },
  }
}

/** How a route answers with a list of stored items, or with how many there are. */
export function listForm(
  route: RouteDefinition,
  { output, paged }: Outputs,
): Pick<ItemForm, 'need' | 'list'> {
  const { counts } = route.options.item ?? {}
  if (counts !== undefined) return countForm(route, output, readPointer(counts))
  const kind = outputKind(route.options.output)
  const selectOf = createSelect(route)
  const showFor = createShow(route)
  const isWhole = route.options.select?.whole === true
  // What is needed where nothing is chosen.
  const needOf = (input: Input, request: HttpRequest): Need => {
    if (isWhole) return ALL
    if (paged !== undefined) return paged.need(input, request)
    if (kind !== 'page') return ALL
    const { limit, offset } = rangeOf(input, Infinity)
    return { kind: 'page', offset, limit }
  }
  return {
    need: ({ input, request }) => (selectOf(input, request) === undefined ? needOf(input, request) : ALL),
    list({ request, input }, found) {
      const show = showFor(request)
      const selected = selectOf(input, request)?.(found)
      const { total, isPart, counted } = selected ?? { total: found.size, isPart: false }
      const start = selected === undefined ? needOf(input, request) : ALL
      const chosen = selected?.items ?? itemsIn(found, start)
      if (paged !== undefined) {
        const isAll = isPart || (isWhole && !paged.asks(request))
        return paged.pageOf(request, input, listedFrom(chosen, { total, counted, need: start, isAll, show }))
      }
      if (kind !== 'page') {
        const items = show(chosen)
        const list = textOf(items)
        if (kind === 'list') return new ShownText(list, () => valuesOf(items))
        const text = `{"items":${list},"next_page_token":null}`
        return new ShownText(text, () => ({ items: valuesOf(items), next_page_token: null }))
      }
      const { limit, offset, count } = rangeOf(input, total)
      const page = show(selected === undefined ? chosen : chosen.slice(offset, offset + count))
      const text = `{"items":${textOf(page)},"total":${total},"limit":${limit},"offset":${offset}}`
      return new ShownText(text, () => ({ items: valuesOf(page), total, limit, offset }))
    },
  }
}

const ALL: Need = { kind: 'all' }
/** How many there are is known by any of them. */
const ONE: Need = { kind: 'page', offset: 0, limit: 1 }

// All are needed where requests may choose from them, which not every one does.
function itemsIn(found: Found, need: Need): readonly StoredItem[] {
  return need.kind === 'page' ? found.page(need.offset, need.limit) : found.items
}

function valuesOf(items: readonly StoredItem[]): readonly Item[] {
  return items.map(({ value }) => value)
}

function textOf(items: readonly StoredItem[]): string {
  let text = '['
  for (let index = 0; index < items.length; index++)
    text += index === 0 ? (items[index] as StoredItem).text : `,${(items[index] as StoredItem).text}`
  return `${text}]`
}

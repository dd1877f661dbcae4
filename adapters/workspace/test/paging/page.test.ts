import fc from 'fast-check'
import {
  createAdapter,
  type Listing,
  newestFirst,
  oldestFirst,
  type Operation,
  Ordered,
  type Page,
  pageOf,
  sortedBy,
} from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { adapter } from '../../src/adapter.ts'

interface Item {
  readonly sequence: number
  readonly name: string
}

type Ask = (
  listing: Listing<Item>,
  limit: number,
  token?: string,
  matches?: (item: Item) => boolean,
) => Promise<Page<Item>>

/** Asks for pages through an operation, so that tokens are those of a real request. */
function pager(): Ask {
  let next: () => Page<Item> = () => ({ items: [] })
  let request: { listing: Listing<Item>; limit: number; token?: string; matches?: (item: Item) => boolean }
  const operation: Operation<unknown> = {
    ...(adapter.operations[0] as Operation<unknown>),
    id: 'test.page',
    path: '/page',
    aliases: [],
    handle(context) {
      const { token, ...rest } = request
      const page = pageOf(context, { ...rest, token, parameters: {} })
      next = () => page
      return {}
    },
  }
  const mock = createAdapter({ ...adapter, operations: [operation as never] }, { fixture: { version: 1 } })
  return async (listing, limit, token, matches) => {
    request = { listing, limit, ...(token !== undefined && { token }), ...(matches && { matches }) }
    const { status } = await mock.fetch('/page')
    if (status !== 200) throw new Error(String(status))
    return next()
  }
}

function fill(count: number): Ordered<Item> {
  const items = new Ordered<Item>()
  for (let sequence = 1; sequence <= count; sequence += 1) items.add({ sequence, name: `n${sequence % 3}` })
  return items
}

const LISTINGS: readonly ((items: Ordered<Item>) => Listing<Item>)[] = [
  newestFirst,
  oldestFirst,
  (items) => sortedBy(items, ({ name, sequence }) => [name, sequence]),
  (items) => sortedBy(items, ({ name, sequence }) => [name, sequence], { descending: true }),
]

describe('pages', () => {
  it('show every item that stays exactly once, whatever comes and goes between them', async () => {
    const ask = pager()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...LISTINGS),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.nat({ max: 30 })),
        async (list, count, limit, removals) => {
          const items = fill(count)
          const staying = new Set([...items])
          const seen: Item[] = []
          let token: string | undefined
          let sequence = count
          do {
            const page = await ask(list(items), limit, token)
            seen.push(...page.items)
            expect(page.items.length).toBeLessThanOrEqual(limit)
            if (page.items.length === 0) expect(page).toEqual({ items: [] })
            token = page.next_page_token
            const removed = [...items].find((item) => item.sequence === removals[0])
            removals.shift()
            if (removed) items.delete(removed)
            if (removed) staying.delete(removed)
            if (sequence < count + 5) items.add({ sequence: (sequence += 1), name: 'n1' })
          } while (token !== undefined)
          expect(new Set(seen).size).toBe(seen.length)
          for (const item of staying) expect(seen).toContain(item)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('lead back by their tokens to where they came from', async () => {
    const ask = pager()
    for (const list of LISTINGS) {
      const listing = list(fill(8))
      const first = await ask(listing, 3)
      const second = await ask(listing, 3, first.next_page_token)
      const third = await ask(listing, 3, second.next_page_token)
      const back = await ask(listing, 3, third.prev_page_token)
      const start = await ask(listing, 3, back.prev_page_token)

      expect(first).not.toHaveProperty('prev_page_token')
      expect(third).not.toHaveProperty('next_page_token')
      expect(back.items).toEqual(second.items)
      expect(start.items).toEqual(first.items)
      expect(start).not.toHaveProperty('prev_page_token')
    }
  })

  it('give no token when nothing that fits is left', async () => {
    const ask = pager()
    const isOne = ({ name }: Item): boolean => name === 'n1'

    const page = await ask(oldestFirst(fill(9)), 3, undefined, isOne)

    expect(page).toEqual({ items: [1, 4, 7].map((sequence) => ({ sequence, name: 'n1' })) })
  })
})

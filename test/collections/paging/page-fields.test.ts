import { describe, expect, it } from 'vitest'
import { createPager } from '../../../src/collections/paging/pager.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import type { HttpRequest } from '../../../src/message.ts'
import { json, query } from '../../openapi/serve/describing.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const objectOf = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties })
const all = Array.from({ length: 23 }, (_, id) => ({ id }))
const listed = {
  total: all.length,
  items: (offset: number, limit: number) => all.slice(offset, offset + limit),
}

/** What is beside the list of a page of ten. */
function beside(properties: Record<string, Schema>, page: number, envelope = {}): unknown {
  const model = objectOf({ data: { type: 'array', items: { type: 'object' } }, ...properties })
  const parameters = [query('page', integer), query('per_page', integer)]
  const pager = createPager({ parameters }, json(200, model), model, '/pets')
  const call: HttpRequest = {
    ...{ method: 'GET', scheme: 'http', host: 'a', path: '/pets', headers: {} },
    search: `page=${page}&per_page=10`,
  }
  const answered = pager?.page(call, { page, per_page: 10 }, listed, envelope)
  return { ...(answered?.body as object), data: undefined }
}

describe('what is beside a list', () => {
  it('says how many there are, and how many of them are on the page', () => {
    const pagination = objectOf({ itemsTotal: integer, pagesTotal: integer, currentPageItems: integer })
    const envelope = { pagination: { itemsTotal: 1, pagesTotal: 1, currentPageItems: 1 } }
    expect(beside({ pagination }, 3, envelope)).toEqual({
      pagination: { itemsTotal: 23, pagesTotal: 3, currentPageItems: 3 },
    })
  })

  it('has a count beside a total for that of the page, and alone for the total', () => {
    expect(beside({ count: integer, total_count: integer }, 3)).toEqual({ count: 3, total_count: 23 })
    expect(beside({ count: integer }, 3)).toEqual({ count: 23 })
  })

  it('has a total that its description alone calls so', () => {
    const sum = { ...integer, description: 'Total sum of items in the list.' }
    expect(beside({ sum, pages: { ...integer, description: 'Total number of pages.' } }, 1)).toEqual({
      sum: 23,
      pages: 3,
    })
  })

  it.each([
    ['prev', objectOf({ rel: text, uri: text })],
    ['previous', objectOf({ rel: { enum: ['self', 'first', 'previous', 'next', 'last'] }, uri: text })],
  ])('has links to the pages around it in a list, with %s for the one before', (previous, link) => {
    const links = { type: 'array', items: link }
    const of = (rel: string, page: number) => ({ rel, uri: `http://a/pets?page=${page}&per_page=10` })
    const envelope = { pagination: { links: [{ rel: 'self', uri: 'http://b' }] } }
    expect(beside({ pagination: objectOf({ links }) }, 2, envelope)).toEqual({
      pagination: { links: [of('self', 2), of('first', 1), of(previous, 1), of('next', 3), of('last', 3)] },
    })
  })

  it('has those of the links that the list can hold', () => {
    const link = objectOf({ rel: { ...text, pattern: '^self$' }, href: text })
    expect(beside({ links: { type: 'array', items: link } }, 2)).toEqual({
      links: [{ rel: 'self', href: 'http://a/pets?page=2&per_page=10' }],
    })
  })
})

import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../src/message.ts'
import type { RouteOptions } from '../../../src/engine/route-options.ts'
import { createGeneratedList } from '../../../src/collections/paging/generated-list.ts'
import { createPager } from '../../../src/collections/paging/pager.ts'
import { described, json, query } from '../../openapi/serve/describing.ts'

const Pet = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const model = { type: 'array', items: Pet }
const parameters = [query('offset', { type: 'integer' }), query('limit', { type: 'integer' })]
const call: HttpRequest = { method: 'GET', scheme: 'http', host: 'a', path: '/pets', search: '', headers: {} }

function listOf(options: RouteOptions = {}, seed = 1) {
  const rule = json(200, model)
  const route = described('GET', '/pets', [rule], { parameters, options })
  const pager = createPager(route.operation!, rule, model, route.path)!
  const list = createGeneratedList(route, pager, model, { seed })
  return (input: object, beginning?: unknown[], search = '') =>
    list({ ...call, search }, { ...input }, { beginning }).body as object[]
}

describe('createGeneratedList', () => {
  it('has item i on whatever page it appears, of a list that the seed and the rest of the input decide', () => {
    const list = listOf()
    const all = list({ limit: 1000 })
    expect(all.length).toBeGreaterThan(20)
    expect(all.length).toBeLessThanOrEqual(30)
    expect(list({ offset: 7, limit: 3 })).toEqual(all.slice(7, 10))
    expect(list({ offset: all.length })).toEqual([])
    expect(list({ limit: 1000, q: 'x' })).not.toEqual(all)
    expect(listOf({}, 2)({ limit: 1000 })).not.toEqual(all)
  })

  it('is as long as the route says', () => {
    expect(listOf({ listCount: 3 })({})).toHaveLength(3)
    expect(listOf({ listCount: 0 })({})).toEqual([])
  })

  it('has what is known on its first page, or at its beginning where the request says how long a page is', () => {
    const known = [{ name: 'a' }, { name: 'b' }]
    const list = listOf()
    expect(list({ limit: 10 }, known)).toEqual(known)
    expect(list({ limit: 3 }, known, 'limit=3')).toEqual([...known, list({})[2]])
    expect(listOf({ listCount: 1 })({}, known)).toEqual(known)
  })
})

import { describe, expect, it } from 'vitest'
import { PageTable } from '../../../src/engine/fixtures/page-table.ts'
import { list } from '../../../src/engine/schema/list.ts'
import { createRoute } from '../../../src/engine/route.ts'
import { describeRoute } from '../../../src/testing/endpoint/endpoint.ts'

const when = () => true

describe('describeRoute', () => {
  it.for([
    [{}, []],
    [{ errorRate: 0.1 }, [404, 500]],
    [{ errorRate: 0.1, errorCodes: [503] }, [503]],
    [{ errorRate: 0, errorCodes: [503] }, []],
    [{ errors: [{ when, status: 409 }] }, [409]],
    [{ scenario: [{ status: 503 }, { status: 202 }, { status: 200 }] }, [503, 202]],
    [{ rateLimit: 3 }, [429]],
    [{ output: list({}), pageTable: new PageTable({ pages: { '': [] } }) }, [400]],
  ])('tolerates what %j simulates', ([options, statuses]) => {
    expect(describeRoute(createRoute('GET', '/', options as object)).tolerated).toEqual(statuses)
  })

  it('expects the status of the route, and any of a success', () => {
    const expected = (options: object) =>
      [200, 201, 204, 299, 302, 404].filter(describeRoute(createRoute('GET', '/', options)).expects)
    expect(expected({})).toEqual([200, 201, 204, 299])
    expect(expected({ status: 302 })).toEqual([200, 201, 204, 299, 302])
    expect(expected({ scenario: [{ status: 201 }], errors: [{ when, status: 200 }] })).toEqual([
      200, 204, 299,
    ])
  })

  it('opens the route with the first of its tokens', () => {
    const headers = (options: object) => describeRoute(createRoute('GET', '/', options)).headers
    expect(headers({ bearerTokens: ['a', 'b'] })).toEqual({ authorization: 'Bearer a' })
    expect([headers({}), headers({ bearerTokens: [] })]).toEqual([{}, {}])
  })
})

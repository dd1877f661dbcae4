import { describe, expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { samplesOf } from './samples.ts'

const page = (number: number, ids: readonly number[], total: number, more = '') =>
  [`GET /things?page=${number}${more}`, { response: { data: ids.map((id) => ({ id })), total } }] as const

describe('findListed', () => {
  it('keeps a list that was seen from its beginning, in its own order', () => {
    const { resources } = inferRoutes(samplesOf(page(2, [3, 4], 5), page(1, [1, 2], 5)))
    expect(resources).toMatchObject([{ collection: '/things', confirmed: 2, contradicted: 0 }])
    expect([...(resources[0]?.seeds ?? [])]).toEqual([['/things', [1, 2, 3, 4].map((id) => ({ id }))]])
  })

  it('leaves a list to its model of which a part or little is known, or which is asked for in other ways', () => {
    for (const pages of [
      [page(1, [1, 2], 9), page(2, [3, 4], 9)],
      [page(1, [1, 2], 6), page(3, [5, 6], 6)],
      [page(1, [1, 2], 4), page(2, [3, 4], 4), page(1, [4], 1, '&q=x')],
    ])
      expect(inferRoutes(samplesOf(...pages)).resources).toEqual([])
  })
})

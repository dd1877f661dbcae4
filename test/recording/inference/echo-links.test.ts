import { describe, expect, it } from 'vitest'
import { findEchoes } from '../../../src/recording/inference/echo-links.ts'
import { sample, samplesOf } from './samples.ts'

const none = (): Record<string, string> => ({})

describe('findEchoes', () => {
  it('finds a field that always repeats a query parameter, at any depth', () => {
    const samples = ['a', 'b', 'c'].map((tag, index) =>
      sample(index, `GET /posts?tag=${tag}`, {
        response: { items: [{ tag }, { tag }], meta: { asked: tag } },
      }),
    )
    expect(findEchoes(samples, none).map(({ field, source }) => [field, source.name])).toEqual([
      ['items[].tag', 'tag'],
      ['meta.asked', 'tag'],
    ])
  })

  it('finds none in a field that differs once', () => {
    const samples = ['a', 'b', 'c', 'd'].map((tag, index) =>
      sample(index, `GET /posts?tag=${tag}`, { response: { tag: index === 3 ? 'z' : tag } }),
    )
    expect(findEchoes(samples, none)).toEqual([])
  })

  it('finds none in a value that is always the same', () => {
    const samples = samplesOf(
      ...Array.from({ length: 9 }, () => ['GET /x?v=1', { response: { v: '1' } }] as const),
    )
    expect(findEchoes(samples, none)).toEqual([])
  })

  it('reads numbers out of texts, and prefers the source of the same name', () => {
    const samples = [3, 4, 5].map((limit, index) =>
      sample(index, `GET /x?size=${limit}&limit=${limit}`, { response: { limit } }),
    )
    expect(findEchoes(samples, none)).toEqual([
      { field: 'limit', source: { in: 'query', name: 'limit' }, exchanges: 3, values: 3 },
    ])
  })

  it('finds path parameters and headers of the application', () => {
    const samples = ['x', 'y', 'z'].map((tenant, index) =>
      sample(
        index,
        `GET /t/${index}`,
        { response: { tenant, id: index } },
        { 'x-tenant': tenant, accept: tenant },
      ),
    )
    const echoes = findEchoes(samples, ({ segments }) => ({ id: segments[1] ?? '' }))
    expect(echoes.map(({ field, source }) => [field, source.in, source.name])).toEqual([
      ['id', 'path', 'id'],
      ['tenant', 'header', 'x-tenant'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { sample, samplesOf } from './samples.ts'
import { findDateRanges, findEchoes, sharedEchoes } from '../../../src/recording/inference/links.ts'

describe('echo links', () => {
  const none = (): Record<string, string> => ({})

  it('finds a field that always repeats a query parameter, at any depth', () => {
    const samples = ['a', 'b', 'c'].map((tag, index) =>
      sample(index, `GET /posts?tag=${tag}`, {
        response: { items: [{ tag }, { tag }], meta: { requested: tag } },
      }),
    )
    expect(findEchoes(samples, none).map(({ field, source }) => [field, source.name])).toEqual([
      ['items[].tag', 'tag'],
      ['meta.requested', 'tag'],
    ])
  })

  it('knows what the answers of all calls at a path repeat, though each was called once', () => {
    const calls = ['list', 'add', 'drop'].map((method, id) =>
      sample(id, 'POST /rpc', { body: { method, id, size: 1 }, response: { id, size: 1, ok: true } }),
    )
    const ids = (samples: readonly Sample[]): readonly string[] =>
      sharedEchoes(samples).map(({ field }) => field)
    expect(ids(calls)).toEqual(['id'])
    const other = sample(3, 'POST /rpc', { body: { method: 'add', id: 3 }, response: { ok: true } })
    expect(ids([...calls, other])).toEqual([])
  })

  it('finds the number of a user, also as the text that tokens have it as', () => {
    const samples = [1, 2, 1].map((id, index): Sample => {
      const response = { user: { id }, payload: { sub: String(id), size: 1 } }
      return { ...sample(index, 'POST /login', { response }), user: { id } }
    })
    expect(findEchoes(samples, none).map(({ field, source }) => [field, source])).toEqual([
      ['user.id', { in: 'user', name: 'id' }],
      ['payload.sub', { in: 'user', name: 'id' }],
    ])
  })

  it('finds none in a field that differs once', () => {
    const samples = ['a', 'b', 'c', 'd'].map((tag, index) =>
      sample(index, `GET /posts?tag=${tag}`, { response: { tag: index === 3 ? 'z' : tag } }),
    )
    expect(findEchoes(samples, none)).toEqual([])
  })

  it('finds what is sent within what is made, where two different texts show it', () => {
    const join = (...names: string[]): Sample[] =>
      names.map((name, index) =>
        sample(index, 'POST /join', {
          body: { email: name },
          response: { user: { email: name, id: index } },
        }),
      )
    expect(findEchoes(join('ada@a.example', 'bob@b.example'), none)).toMatchObject([
      { field: 'user.email', source: { in: 'body', name: 'email' } },
    ])
    expect(findEchoes(join('ada@a.example', 'ada@a.example'), none)).toEqual([])
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

  it('takes no number for a text of a JSON body, as it does for that of a form', () => {
    const samples = (type: string): Sample[] =>
      [3, 4, 5].map((id, index) =>
        sample(index, 'POST /get', { body: { id: `${id}` }, response: { id } }, { 'content-type': type }),
      )
    expect(findEchoes(samples('application/json'), none)).toEqual([])
    expect(findEchoes(samples('application/x-www-form-urlencoded'), none)).toMatchObject([{ field: 'id' }])
  })

  it('takes a text of the path for repeated, though all were below one parent, and no number', () => {
    const samples = samplesOf(
      ['GET /queues/shop/a', { response: { name: 'a', vhost: 'shop', size: 7, kind: 'classic' } }],
      ['GET /queues/shop/b', { response: { name: 'b', vhost: 'shop', size: 7, kind: 'classic' } }],
    )
    const values = ({ segments }: Sample): Record<string, string> => ({
      ...{ parent: segments[1] ?? '', name: segments[2] ?? '', page: '7' },
    })
    expect(findEchoes(samples, values)).toMatchObject([
      { field: 'vhost', source: { in: 'path', name: 'parent' } },
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

describe('date ranges', () => {
  const ask = (start: string, end: string, ...dates: string[]): [string, object] => [
    `GET /events?start_date=${start}&end_date=${end}`,
    { response: dates.map((at) => ({ at, made: '2020-01-01' })) },
  ]

  it('finds a field that is always within, days counted whole', () => {
    const samples = samplesOf(
      ask('2026-01-01', '2026-01-31', '2026-01-05', '2026-01-31T23:00:00Z'),
      ask('2026-02-01', '2026-02-28', '2026-02-02'),
      ask('2026-03-01', '2026-03-31', '2026-03-31'),
    )
    expect(findDateRanges(samples)).toEqual([
      { field: '[].at', start: 'start_date', end: 'end_date', exchanges: 3 },
    ])
  })

  it('takes one date outside for a refutation', () => {
    const samples = samplesOf(
      ask('2026-01-01', '2026-01-31', '2026-01-05', '2026-02-01'),
      ask('2026-02-01', '2026-02-28', '2026-02-02'),
      ask('2026-03-01', '2026-03-31', '2026-03-31'),
    )
    expect(findDateRanges(samples)).toEqual([])
  })

  it('does not believe one range requested again and again', () => {
    const same = ask('2026-01-01', '2026-01-31', '2026-01-05')
    expect(findDateRanges(samplesOf(same, same, same))).toEqual([])
  })
})

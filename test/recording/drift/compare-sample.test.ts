import { describe, expect, it } from 'vitest'
import { compareSample } from '../../../src/recording/drift/compare-sample.ts'
import { createComparison } from '../../../src/recording/drift/compare-value.ts'
import { ANY_ANSWER, type ExpectedAnswer, type ExpectedRoute } from '../../../src/recording/drift/baseline.ts'
import { sample } from '../inference/samples.ts'

const compare = createComparison({ type: 'object', properties: { id: { type: 'integer' } } })

function expecting(answer: Partial<ExpectedAnswer>): ExpectedRoute {
  return {
    name: 'GET /x',
    statuses: [200],
    answer: (status) => (status === 200 ? { ...ANY_ANSWER, ...answer } : undefined),
    input: { query: compare, body: compare },
  }
}

describe('compareSample', () => {
  const plain = sample(0, 'GET /x', { response: { id: 'a' } })

  it('does not count what caches and parts of answers are about', () => {
    const partial = { ...plain, headers: { range: 'bytes=0-1' } }
    expect(compareSample({ ...plain, status: 304 }, expecting({}))).toEqual([])
    for (const status of [206, 416]) expect(compareSample({ ...partial, status }, expecting({}))).toEqual([])
    expect(compareSample({ ...plain, status: 206 }, expecting({}))).toMatchObject([
      { change: 'status not declared' },
    ])
  })

  it.for([
    [[], 'text/html', true],
    [['*/*'], 'text/html', true],
    [['text/*'], 'text/html', true],
    [['application/json'], 'application/problem+json', true],
    [['application/json'], 'text/json', false],
    [['image/*'], 'text/html', false],
  ] as const)('of the types %j takes %s: %s', ([types, mimeType, isFine]) => {
    const found = compareSample({ ...plain, mimeType }, expecting({ types }))
    expect(found).toMatchObject(isFine ? [] : [{ change: 'content type changed', part: 'header' }])
  })

  it('compares no body where there is none', () => {
    expect(compareSample({ ...plain, method: 'HEAD' }, expecting({ compare }))).toEqual([])
    expect(compareSample(plain, expecting({ compare }))).toMatchObject([{ part: 'body', pointer: '/id' }])
  })

  it('tells headers that are new, gone or of another form', () => {
    const known = {
      headers: ['x-old'],
      known: new Set(['x-old']),
      values: new Map([['x-n', () => compare(7)]]),
    }
    const asked = { ...plain, responseHeaders: { 'x-n': 'a', 'x-request-id': '1' } }
    expect(
      compareSample(asked, expecting(known)).map(({ change, pointer }) => `${change} ${pointer}`),
    ).toEqual(['header removed /x-old', 'header added /x-n', 'header changed /x-n'])
  })

  it('compares only requests that were accepted', () => {
    const sent = { ...plain, query: { a: '1' }, body: { id: 'x' } }
    const route = expecting({})
    expect(compareSample(sent, route)).toMatchObject([
      { change: 'field added', part: 'query', pointer: '/a', severity: 'additive' },
      { change: 'type changed', part: 'request-body', pointer: '/id', severity: 'warning' },
    ])
    expect(compareSample({ ...sent, status: 400 }, { ...route, answer: () => ANY_ANSWER })).toEqual([])
  })
})

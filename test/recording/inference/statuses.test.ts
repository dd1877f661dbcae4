import { describe, expect, it } from 'vitest'
import { foldedOf, sample, samplesOf } from './samples.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import {
  type Failures,
  findErrorCases,
  usualAnswers,
  type UsualAnswers,
} from '../../../src/recording/inference/statuses.ts'

describe('usual answers', () => {
  function usualOf(
    method: string,
    path: string,
    statuses: readonly number[],
    isStored = false,
  ): UsualAnswers {
    const samples = samplesOf(
      ...statuses.map((status, index) => [`${method} ${path}${index}`, { status }] as const),
    )
    return usualAnswers(method, foldedOf(samples), isStored)
  }

  it.for<[string, string, number[], number, number]>([
    ['the success that came most', 'GET', [201, 200, 404, 404, 404, 200], 200, 2],
    ['a redirect where there is nothing else', 'GET', [302, 404, 404], 302, 1],
    ['the failure that came most where nothing succeeded', 'POST', [403, 500, 403], 403, 2],
  ])('takes %s', ([, method, statuses, status, count]) => {
    const found = usualOf(method, '/items/', statuses)
    expect([found.status, found.answered.length]).toEqual([status, count])
    expect(found.isFailure).toBe(status >= 400)
  })

  it('takes what became of a request that was sent to the same path without its slash', () => {
    const moved = {
      ...sample(0, 'PUT /jobs', { status: 307 }),
      responseHeaders: { location: '/jobs' },
    }
    const usual = (...others: Sample[]): UsualAnswers =>
      usualAnswers('PUT', foldedOf([moved, ...others]), false)
    expect(usual(sample(1, 'PUT /jobs', { status: 404 }))).toMatchObject({ status: 404, isFailure: true })
    expect(usual()).toMatchObject({ status: 307, isFailure: false })
  })

  it('leaves it to a store to answer for items that are not there', () => {
    expect(usualOf('GET', '/items/', [404, 404], true)).toMatchObject({ status: 200, isMissed: true })
    expect(usualOf('DELETE', '/items/', [404, 404], true)).toMatchObject({ status: 204, isFailure: false })
    expect(usualOf('DELETE', '/items/', [404, 405], true)).toMatchObject({ isMissed: false, isFailure: true })
  })
})

describe('error cases', () => {
  function casesOf(samples: readonly Sample[], covered: (sample: Sample) => boolean = () => false): Failures {
    return findErrorCases(foldedOf(samples), covered)
  }

  const GONE = { status: 410, response: { detail: 'Gone' } }

  it('explains a failure by the one value that only failures have', () => {
    const { cases, unexplained } = casesOf(
      samplesOf('GET /a?q=1&r=1', 'GET /a?q=2&r=1', ['GET /a?q=3&r=1', GONE], ['GET /a?q=3&r=1', GONE]),
    )
    expect(cases).toEqual([{ field: 'q', equals: 3, status: 410, detail: 'Gone', exchanges: 2 }])
    expect(unexplained.size).toBe(0)
  })

  it('explains no failure by what was hidden', () => {
    const of = (password: string) => ({ body: { name: 'a', password: `redacted-${password}` } })
    const { cases, unexplained } = casesOf(
      samplesOf(
        ['POST /a', of('1111111111111111')],
        ['POST /a', { ...of('2222222222222222'), status: 400, response: {} }],
      ),
    )
    expect([cases, [...unexplained]]).toEqual([[], [[400, 1]]])
  })

  it('keeps bodies of another form whole', () => {
    const response = { detail: 'Gone', code: 7 }
    const { cases } = casesOf(
      samplesOf(
        'GET /a?q=1',
        ['GET /a?q=3', { status: 410, response }],
        ['GET /a?q=4', { status: 400, response: ['no'] }],
        ['GET /a?q=5', { status: 404 }],
      ),
    )
    expect(cases.map(({ status, body, detail }) => [status, body, detail])).toEqual([
      [410, response, undefined],
      [400, ['no'], undefined],
      [404, undefined, undefined],
    ])
  })

  it('keeps texts as they are', () => {
    const bad = { ...sample(1, 'GET /a?q=3', { status: 409, response: 'in use' }), mimeType: 'text/html' }
    const { cases } = casesOf([
      sample(0, 'GET /a?q=1'),
      { ...bad, responseHeaders: { 'content-type': 'text/html' } },
    ])
    const said = { status: 409, text: 'in use', type: 'text/html' }
    expect(cases).toEqual([{ field: 'q', equals: 3, ...said, exchanges: 1 }])
  })

  it('finds no reason in what answers to good and to bad requests repeat alike, such as the id of a call', () => {
    const call = (id: number, answer: object, status = 200): readonly [string, object] => [
      'POST /rpc',
      { status, body: { id, method: 'f' }, response: { id, ...answer } },
    ]
    const { cases } = casesOf(
      samplesOf(call(1, { result: 1 }), call(2, { result: 2 }), call(3, { error: 'no' }, 400)),
    )
    expect(cases).toEqual([])
  })

  it('counts what nothing explains', () => {
    const { cases, unexplained } = casesOf(samplesOf('GET /a?q=1', ['GET /a?q=1', { status: 500 }]))
    expect(cases).toEqual([])
    expect([...unexplained]).toEqual([[500, 1]])
  })

  it('leaves to others what others answer', () => {
    const samples = samplesOf('GET /a?q=1', ['GET /a?q=2', { status: 401 }], ['GET /a?q=3', { status: 404 }])
    const { cases, unexplained } = casesOf(samples, ({ status }) => status === 404)
    expect([...cases, ...unexplained]).toEqual([])
  })
})

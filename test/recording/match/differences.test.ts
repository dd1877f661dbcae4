import { describe, expect, it } from 'vitest'
import { REDACTOR } from '../samples.ts'
import type { BodyValue } from '../../../src/recording/match/body-value.ts'
import {
  bodyDifferences,
  firstOf,
  headDifferences,
  headDistance,
} from '../../../src/recording/match/differences.ts'
import { compileMatch, headOf, type RequestHead } from '../../../src/recording/match/match.ts'

describe('body differences', () => {
  const json = (value: unknown): BodyValue => ({ kind: 'json', value })
  const text = (value: string): BodyValue => ({ kind: 'text', text: value })
  const bytes = (count: number, sha256: string): BodyValue => ({ kind: 'bytes', bytes: count, sha256 })

  it('reports by pointer what was recorded in place of what was requested', () => {
    const requested = { a: 1, 'b/c': [1, 2], d: { e: null }, f: [1] }
    const recorded = { a: '1', 'b/c': [1], d: { e: false, g: 'x' }, f: { 0: 1 } }
    expect(bodyDifferences(json(requested), json(recorded))).toEqual([
      'body /a: "1" instead of 1',
      'body /b~1c/1: nothing instead of 2',
      'body /d/e: false instead of null',
      'body /d/g: "x" instead of nothing',
      'body /f: {"0":1} instead of [1]',
    ])
    expect(bodyDifferences(json(requested), json(structuredClone(requested)))).toEqual([])
    expect(bodyDifferences(json(1), json([]))).toEqual(['body [] instead of 1'])
  })

  it('reports so much and no more', () => {
    const [few] = bodyDifferences(json({ a: 'x'.repeat(1e6) }), json({ a: 'y'.repeat(1e6) }))
    expect(few?.length).toBeLessThan(200)
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index]))
    const reported = bodyDifferences(json(many), json({}))
    expect(reported).toHaveLength(21)
    expect(reported.at(-1)).toBe('body: 980 more')
  })

  it('reports texts from shortly before they differ', () => {
    expect(bodyDifferences(text('a b'), text('a c'))).toEqual(['body: "a c" instead of "a b"'])
    const same = 'x'.repeat(100)
    expect(bodyDifferences(text(`${same}1`), text(`${same}2`))).toEqual([
      `body: "${'x'.repeat(20)}2" instead of "${'x'.repeat(20)}1", from letter 80`,
    ])
    expect(bodyDifferences(text(same), text(same))).toEqual([])
  })

  it('reports lengths of bytes, and what a body is where the other is something else', () => {
    expect(bodyDifferences(bytes(3, 'a'), bytes(4, 'b'))).toEqual(['body: 4 bytes instead of 3 bytes'])
    expect(bodyDifferences(bytes(3, 'a'), bytes(3, 'b'))).toEqual(['body: other 3 bytes'])
    expect(bodyDifferences({ kind: 'none' }, { kind: 'form', value: {} })).toEqual([
      'body: a form instead of nothing',
    ])
    expect(bodyDifferences({ kind: 'omitted' }, text('abc'))).toEqual([
      'body: a text of 3 letters instead of one that was left out',
    ])
    expect(bodyDifferences({ kind: 'omitted' }, { kind: 'omitted' })).toEqual([])
  })
})

describe('head differences', () => {
  const head = (method: string, host: string | undefined, url: string): RequestHead =>
    headOf({ method, host, url, headers: [] }, REDACTOR, compileMatch())

  it('reports what is recorded in place of what was requested', () => {
    const requested = head('POST', 'a:1', '/x/1?p=2&q=1')
    const recorded = head('GET', 'b', '/x/2?p=3&r=4')
    expect(headDifferences(requested, recorded)).toEqual([
      'method GET instead of POST',
      'host b instead of a:1',
      'path /x/2 instead of /x/1',
      'query p: 3 instead of 2',
      'query q: nothing instead of 1',
      'query r: 4 instead of nothing',
    ])
    expect(headDifferences(requested, requested)).toEqual([])
    expect(headDifferences({ ...requested, host: undefined }, requested)).toEqual([])
  })

  it('is least for what differs least, and most for other methods and paths', () => {
    const requested = head('POST', 'a', '/users/1?p=1&q=2')
    const far = [
      head('POST', 'a', '/users/1?p=1&q=2'),
      head('POST', 'a', '/users/1?p=1&q=3'),
      head('POST', 'b', '/users/1?p=1&q=3'),
      head('POST', 'b', '/users/2?p=1&q=2'),
      head('GET', 'b', '/users/2?p=1&q=2'),
      head('GET', 'b', '/things/2/3?p=1&q=2'),
    ].map((recorded) => headDistance(requested, recorded))
    expect(far).toEqual(far.toSorted((a, b) => a - b))
    expect(new Set(far).size).toBe(far.length)
    expect(far[0]).toBe(0)
  })
})

// With each name looked for among all of the others, this takes minutes.
it('compares heads in linear time, and reports the first differences', () => {
  const count = 50_000
  const head = (value: string): RequestHead => ({
    ...{ method: 'GET', host: 'a', path: '/a', headers: [] },
    query: Array.from({ length: count }, (_, at) => [`q${at}`, value]),
  })
  const found = headDifferences(head('1'), head('2'))
  expect([found.length, headDistance(head('1'), head('2'))]).toEqual([count, count])
  expect(firstOf(found).slice(-2)).toEqual(['query q19: 2 instead of 1', `${count - 20} more`])
})

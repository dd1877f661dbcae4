import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { ErrorCase } from '../../../src/engine/error-case.ts'
import { createRoute } from '../../../src/engine/route.ts'
import { compareWithModel } from '../../../src/gateway/modes/compare-with-model.ts'
import { compareWithRecording } from '../../../src/gateway/modes/compare-with-recording.ts'
import type { Observed } from '../../../src/gateway/modes/observe.ts'

const answer = (status: number, body?: string, type = 'application/json'): Observed => ({
  head: { status, statusText: '', httpVersion: 'HTTP/1.1', headers: [['Content-Type', type]] },
  body: body === undefined ? undefined : Buffer.from(body),
})

describe('compareWithModel', () => {
  const route = createRoute('GET', '/x', {
    output: Type.Object({ a: Type.Integer() }),
    errors: [ErrorCase({ when: () => false, status: 404, detail: '' })],
  })

  it.for([
    [answer(200, '{"a":1}'), []],
    [answer(200, '{"a":"1"}'), ['body.a: Value must be integer']],
    [answer(200, '{}'), [expect.stringMatching(/^body.*: /)]],
    [answer(200, 'no'), ['the body is no JSON']],
    [answer(200), []],
    [answer(404, '{}'), []],
    [answer(500, '{}'), ['status 500 instead of 200']],
  ] as const)('tells how %j differs', ([observed, drift]) => {
    expect(compareWithModel(route, observed)).toEqual(drift)
  })

  it('expects 204 of a DELETE without output, and what is declared elsewhere', () => {
    expect(compareWithModel(createRoute('DELETE', '/x', {}), answer(204))).toEqual([])
    expect(compareWithModel(createRoute('POST', '/x', { status: 201 }), answer(200))).toEqual([
      'status 200 instead of 201',
    ])
  })
})

describe('compareWithRecording', () => {
  const recorded = (status: number, body: string, type = 'application/json') => ({
    kind: 'answer' as const,
    status,
    statusText: '',
    headers: [['content-type', type]] as [string, string][],
    body: Buffer.from(body),
    trailers: [],
  })

  it('tells status, type and body, JSON by its value', () => {
    expect(compareWithRecording(recorded(200, '{"a":1,"b":2}'), answer(200, '{"b":2, "a":1}'))).toEqual([])
    expect(compareWithRecording(recorded(200, 'x', 'text/plain'), answer(201, '{}'))).toEqual([
      'status 201 instead of 200',
      "content-type 'application/json' instead of 'text/plain'",
      'the body',
    ])
  })

  it('tells what was not recorded', () => {
    expect(compareWithRecording({ kind: 'miss', nearest: [] }, answer(200))).toEqual([
      'neither declared nor recorded',
    ])
    expect(compareWithRecording(undefined, answer(200))).toEqual(['neither declared nor recorded'])
  })
})

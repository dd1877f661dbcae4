import { describe, expect, it } from 'vitest'
import { createRoute } from '../../../src/engine/route.ts'
import { describeRoute, type Invariant } from '../../../src/testing/endpoint/endpoint.ts'
import { createJudge, readBody } from '../../../src/testing/endpoint/judge.ts'

const output = { title: 'User', type: 'object', required: ['name'], properties: { name: { type: 'string' } } }

function judge(
  status: number,
  text: string,
  options: object = { output },
  invariants: Record<string, Invariant> = {},
) {
  const route = createRoute('GET', '/', options)
  const judged = createJudge({ ...describeRoute(route), routes: [], pathParams: {}, invariants })
  const response = new Response(status === 204 ? null : text, { status })
  return judged({ input: { q: 1 }, response, text }).then((verdict) => verdict?.what)
}

function refuse(): never {
  throw new Error('too old')
}

describe('createJudge', () => {
  it.for([
    [200, '{"name":"Ada"}', undefined],
    [204, '', undefined],
    [500, '{}', 'the status 500 is not one of a success'],
    [302, '{"name":"Ada"}', 'the status 302 is not one of a success'],
    [200, '{"name":1}', 'the answer does not fit User: name: Value must be string'],
    [200, '[]', 'the answer does not fit User: the body: Value must be object'],
    [200, 'name', 'the answer does not fit User: the body: Value must be object'],
    [200, '', 'the answer does not fit User: it has no body'],
  ] as const)('says of %i %s: %s', async ([status, text, what]) => {
    expect(await judge(status, text)).toBe(what)
  })

  it('lets the failures pass that a route simulates, but not those of the gateway', async () => {
    const options = { output, errorRate: 0.1, errorCodes: [500, 404] }
    expect(await judge(500, '{"detail":"Simulated error"}', options)).toBeUndefined()
    expect(await judge(404, '{"detail":"Simulated error","error":"x"}', options)).toBeUndefined()
    expect(await judge(500, '{"detail":"…","error":"LinkMismatch"}', options)).toContain('500')
    expect(await judge(503, '{"detail":"Simulated error"}', options)).toContain('503')
  })

  it('gives invariants the input, the answer and its body', async () => {
    const seen: unknown[] = []
    const look: Invariant = async ({ input, response, body }) =>
      void seen.push(input, await response.text(), body)
    expect(await judge(200, '{"name":"Ada"}', {}, { first: look, second: look })).toBeUndefined()
    expect(seen.slice(0, 3)).toEqual([{ q: 1 }, '{"name":"Ada"}', { name: 'Ada' }])
    expect(seen.slice(3)).toEqual(seen.slice(0, 3))
  })

  it.for<readonly [Invariant, string | undefined]>([
    [() => false, "'x' does not hold"],
    [async () => false, "'x' does not hold"],
    [refuse, "'x' does not hold: too old"],
    [() => Promise.reject('no'), "'x' does not hold: no"],
    [() => true, undefined],
    [() => undefined, undefined],
  ])('holds an invariant to its word', async ([invariant, what]) => {
    const said = await judge(200, '', {}, { x: invariant })
    expect(said).toBe(what)
  })
})

describe('readBody', () => {
  it.for([
    ['', undefined],
    ['{"a":1}', { a: 1 }],
    ['no JSON', 'no JSON'],
  ] as const)('reads %j', ([text, body]) => {
    expect(readBody(text)).toEqual(body)
  })
})

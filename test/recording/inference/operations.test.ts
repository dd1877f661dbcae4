import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findOperations } from '../../../src/recording/inference/operations.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'

const sample = (given: Partial<Sample>): Sample => ({
  ...{ index: 0, method: 'POST', origin: 'http://api.test', segments: [''], query: {}, headers: {} },
  ...{ status: 200, responseHeaders: {}, mimeType: 'application/json', ...given },
})
const namesOf = (samples: readonly Sample[]): readonly (string | undefined)[] =>
  findOperations(samples).map(({ name }) => name)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const soap = (name: string): Sample =>
  sample({
    body: `<s:Envelope><s:Body><m:${name}/></s:Body></s:Envelope>`,
    mimeType: 'text/xml',
    response: '<a/>',
  })

describe('the exchanges of one method and path', () => {
  it.each([
    ['X-Amz-Target', ['A.List', 'A.Get'].map((name) => sample({ headers: { 'x-amz-target': name } }))],
    ['SOAP', ['List', 'Get'].map(soap)],
    ['AWS query', ['List', 'Get'].map((Action) => sample({ headers: FORM, body: { Action, Version: '1' } }))],
    ['JSON-RPC', ['list', 'get'].map((method) => sample({ body: { jsonrpc: '2.0', method } }))],
    ['GraphQL', ['{ list }', '{ get }'].map((query) => sample({ body: { query } }))],
  ])('are divided by %s', (_protocol, samples) => {
    expect(namesOf([...samples, ...samples])).toHaveLength(2)
  })

  it('are not divided by a protocol that only some of them speak, nor where all do the same', () => {
    expect(namesOf([sample({ headers: { 'x-amz-target': 'A.List' } }), sample({})])).toEqual([undefined])
    expect(namesOf([soap('List'), soap('List')])).toEqual([undefined])
  })

  it('of any procedure calls are divided exactly by what they call', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(
        names,
        fc.constantFrom('action', 'method', 'command', 'op'),
        fc.nat(3),
        (all, field, more) => {
          const calls = all.flatMap((name) =>
            Array.from({ length: 2 + more }, (_, index) =>
              sample({
                body: { [field]: name, id: index },
                response: { [`${name}Result`]: { [name]: index } },
              }),
            ),
          )
          expect(namesOf(calls)).toEqual(all)
        },
      ),
    )
  })

  it('of any resource are left whole, whatever its fields and filters are called', () => {
    const word = fc.constantFrom('admin', 'user', 'guest', 'asc', 'desc')
    const item = fc.record({ type: word, name: fc.string(), id: fc.nat(), method: word })
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), fc.boolean(), (items, isRead) => {
        const exchanges = items.map((each) =>
          isRead
            ? sample({ method: 'GET', query: { type: each.type, kind: each.method }, response: [each] })
            : sample({ body: each, response: { ...each, created: 1 }, status: 201 }),
        )
        expect(namesOf(exchanges)).toEqual([undefined])
      }),
    )
  })
})

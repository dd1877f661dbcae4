import fc from 'fast-check'
import { createAdapter } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

const text = fc.string({ unit: 'binary', maxLength: 30 })
const path = fc.oneof(
  text.map((each) => `/${each}`),
  text.map((each) => `/v1/notes/${each}`),
  fc.tuple(text, text).map(([name, value]) => `/v1/notes?${name}=${value}`),
  text.map((each) => `/v1/notes?token=v1.${each}&size=${each}`),
  fc.constantFrom('', '*', '//', '/v1//notes', '/v1/notes/..', '/v1/notes/%00', '/v1/notes/__proto__'),
)
const request = fc.record({
  method: fc.oneof(fc.constantFrom('GET', 'PUT', 'HEAD', 'POST', 'OPTIONS', 'TRACE'), text),
  url: path,
  headers: fc.record({
    authorization: fc.oneof(
      fc.constant(undefined),
      text,
      text.map((each) => `Bearer ${each}`),
    ),
  }),
  body: fc.oneof(
    fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
  ),
  remoteAddress: fc.constantFrom(undefined, '127.0.0.1', '10.0.0.1', 'nonsense'),
})

describe('whatever a client sends', () => {
  it.for(['disabled', 'optional', 'strict'] as const)(
    'is answered, and never by a 500: auth %s',
    async (auth) => {
      const errors: unknown[] = []
      const adapter = createAdapter(notes, { auth, isolate: 'token', onError: (error) => errors.push(error) })
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(request, async (sent) => {
          const { status, headers } = await adapter.handle(sent)
          statuses.add(status)
          expect(status).toBeLessThan(500)
          // What is for the server itself is not for the adapter.
          expect(/^(\*$|\/__sim\/)/.test(sent.url) || headers['x-request-id']).toBeTruthy()
        }),
        { numRuns: 3000 },
      )
      expect(errors).toEqual([])
      expect(statuses.size).toBeGreaterThan(2)
    },
  )
})

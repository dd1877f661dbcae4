import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adapter } from '../src/adapter.ts'
import { OntologyMock } from '../src/mock.ts'
import { ask } from './ask.ts'
import { GOLDEN_REQUESTS } from './golden/requests.ts'

const WORDS = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'eq',
  'and',
  'not',
  'type',
  'value',
  'base',
  'filter',
  'union',
  'Employee',
  'fullName',
  'employeeId',
  'address',
  'salary',
  'location',
  'office',
  'METERS',
  '',
]

const bodies = Object.values(GOLDEN_REQUESTS)
  .flat()
  .filter(({ body }) => body !== undefined)
  .map(({ path, body }) => ({ path, body }))

// What cannot be made a text.
const STUBBORN = { toString: 1, valueOf: 2 }

const leaf = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(STUBBORN, [STUBBORN]),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)
const json = fc.oneof({ weight: 2, arbitrary: leaf }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) })

/** Puts something else in at one place of a value. */
const spoil = (value: unknown, at: number, other: unknown): unknown => {
  let left = at
  const walk = (part: unknown): unknown => {
    if (left-- === 0) return other
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [
        left-- === 0 ? (JSON.stringify(other) ?? '') : key,
        walk(inner),
      ]),
    )
  }
  return walk(value)
}

describe('hostile requests', () => {
  it('never become a 500, whatever stands in their bodies', async () => {
    const mock = new OntologyMock()
    mock.adapter.faults.clear()
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...bodies), fc.nat(25), json, async ({ path, body }, at, other) => {
        const { status, body: answer } = await ask(mock, path, spoil(body, at, other))
        expect([status < 500, answer]).toEqual([true, answer])
      }),
      { numRuns: 6000 },
    )
  }, 120_000)

  it('never become a 500, whatever stands in their paths and queries', async () => {
    const mock = new OntologyMock()
    const word = fc.oneof(
      fc.constantFrom(...WORDS, 'acme', '1', 'hq', 'p.salary', 'p.', ':', 'true'),
      fc.string(),
    )
    const gets = adapter.operations.filter(({ method, handle }) => method === 'GET' && handle !== undefined)
    const names = [
      'pageSize',
      'pageToken',
      'select',
      'orderBy',
      'excludeRid',
      'snapshot',
      'version',
      'branch',
      'preview',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...gets),
        fc.array(word, { minLength: 5, maxLength: 5 }),
        fc.array(fc.tuple(fc.constantFrom(...names), word), { maxLength: 3 }),
        async ({ path }, words, query) => {
          let index = 0
          const filled = path
            .replace('/api/v2/ontologies', '')
            .replace('{ontology}', 'acme')
            .replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(words[index++] ?? ''))
          const { status } = await ask(mock, `${filled}?${new URLSearchParams(query).toString()}`)
          expect(status).toBeLessThan(500)
        },
      ),
      { numRuns: 4000 },
    )
  }, 120_000)
})

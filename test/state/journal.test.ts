import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/recording/redaction/redactor.ts'
import { entryOf, entryText, type EntrySource } from '../../src/state/journal-entry.ts'
import {
  createJournal,
  createRing,
  type Journal,
  type JournalEntry,
  type JournalRecord,
} from '../../src/state/journal.ts'

describe('a ring', () => {
  it('has the latest entries, the newest first, so many and no more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(60), (max, count) => {
        const ring = createRing<number>(max)
        for (let i = 0; i < count; i++) ring.add(i)
        const latest = Array.from({ length: Math.min(max, count) }, (_, index) => count - 1 - index)
        expect(ring.newest()).toEqual(latest)
        expect([ring.size, ring.dropped]).toEqual([latest.length, count - latest.length])
      }),
    )
  })

  it('is empty when it was cleared', () => {
    const ring = createRing<number>(2)
    for (const entry of [1, 2, 3]) ring.add(entry)
    ring.clear()
    expect([ring.newest(), ring.dropped]).toEqual([[], 0])
    ring.add(4)
    expect(ring.newest()).toEqual([4])
  })

  it('keeps no more bytes than it may, and the newest in any case', () => {
    const ring = createRing<string>(10, 100)
    for (const each of ['a', 'b', 'c']) ring.add(each, 40)
    expect([ring.newest(), ring.dropped]).toEqual([['c', 'b'], 1])
    ring.add('d', 1000)
    expect([ring.newest(), ring.dropped]).toEqual([['d'], 3])
    ring.add('e', 1)
    expect(ring.newest()).toEqual(['e'])
    ring.clear()
    for (const each of ['f', 'g']) ring.add(each, 50)
    expect([ring.newest(), ring.dropped]).toEqual([['g', 'f'], 0])
  })
})

describe('a full journal', () => {
  const record = (id: number): JournalRecord => ({
    ...{ id, method: 'GET', mode: 'simulate', session: { key: '' }, status: 200 },
    ...{ notes: undefined, arrivedMs: 0 },
    toEntry: () => ({ id }) as JournalEntry,
  })
  const filled = (followers: readonly (() => void)[] = []): Journal => {
    const journal = createJournal(2, { nextId: () => 1, followers })
    for (const id of [1, 2]) {
      expect(journal.unused?.()).toBe(undefined)
      journal.add(record(id), 1)
    }
    return journal
  }

  it('gives the record that the next one takes the place of', () => {
    expect(filled().unused?.()).toMatchObject({ id: 1 })
  })

  it.each<[string, (journal: Journal) => unknown]>([
    ['a list of them', (journal) => journal.records()],
    ['a list of their entries', (journal) => journal.newest()],
    ['one that is looked for', (journal) => journal.find(2)],
  ])('gives none that somebody may hold on to: %s', (_, look) => {
    const journal = filled()
    look(journal)
    expect(journal.unused?.()).toBe(undefined)
  })

  it('gives none that a follower has got', () => {
    expect(filled([() => undefined]).unused?.()).toBe(undefined)
  })
})

describe('an entry', () => {
  const text = fc.string({ unit: 'binary' })
  const some = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
    fc.option(value, { nil: undefined })
  const utf8 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('latin1')
  const secret = fc.constant({ password: 'hunter2-and-more' })
  const body = fc.oneof(fc.jsonValue(), secret)
  const head = fc.record({
    ...{ scheme: fc.constant('http' as const), url: text, prefix: text },
    host: text,
    path: text,
    search: fc.oneof(text, fc.constant('?token=abcdefghijklmnop&page=2')),
    headers: fc.dictionary(text, fc.oneof(text, fc.array(text)), { noNullPrototype: true }),
  })
  const source = fc.record({
    ...{ id: fc.nat(), moment: fc.nat(2 ** 41), method: text, mode: text, head, key: text },
    ...{ ordinal: fc.nat(), chaos: fc.constant(undefined), route: some(text), connection: some(fc.nat()) },
    ...{ durationMs: fc.double({ min: 0, max: 1e6 }), arrivedMs: fc.nat(), gateway: some(text) },
    ...{
      advice: some(fc.array(fc.tuple(text, text))),
      notes: fc.constant(undefined),
      status: some(fc.nat(599)),
    },
    ...{ requestBody: some(body), responseBody: some(fc.oneof(body.map(utf8), fc.constant('no JSON'))) },
    rewriteBody: fc.constant(undefined),
    session: fc.record({ key: text, redactor: fc.constant(createRedactor()) }),
  })

  it('is the same whether it is made a value or a text, also of another request with its head', () => {
    fc.assert(
      fc.property(source, source, (one, other) => {
        const sources: EntrySource[] = [one, { ...other, head: one.head }, { ...one, method: other.method }]
        for (const each of sources)
          expect(JSON.parse(entryText(each))).toEqual(JSON.parse(JSON.stringify(entryOf(each, true))))
      }),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { readMapFunction } from '../../../src/recording/protocols/couchdb/map-functions.ts'
import { compareKeys } from '../../../src/recording/protocols/couchdb/key-range.ts'

const BOOK = { _id: 'dune', kind: 'book', year: 1965, by: { name: 'Frank' } }

describe('a map function', () => {
  it.for<readonly [string, unknown]>([
    ['function (doc) { emit(doc.kind, 1) }', [['book', 1]]],
    ['function(d){emit([d.by.name, d.year], null);}', [[['Frank', 1965], null]]],
    ["function (doc) { if (doc.kind === 'book' && doc.by) { emit(doc._id); } }", [['dune', null]]],
    ['function (doc) { if (!doc.year) emit(doc.year, doc) }', []],
    ["(doc) => { if (doc.kind != 'film') emit(doc.none, doc.year) }", [[null, 1965]]],
    ['doc => emit(doc.year, true)', [[1965, true]]],
    // More than that is not read.
    ['function (doc) { for (const t of doc.tags) emit(t, 1) }', undefined],
    ['function (doc) { emit(doc.kind, 1); emit(doc.year, 1) }', undefined],
    ['function (doc) { emit(doc.kind.toLowerCase(), 1) }', undefined],
    ['function (doc) { emit(process.env, 1) }', undefined],
    ['function (doc) { emit(doc.kind', undefined],
  ])('%s', ([source, emitted]) => {
    expect(readMapFunction(source)?.(BOOK)).toEqual(emitted)
  })
})

it('orders keys by their kinds, and lists by their parts', () => {
  const keys = [null, false, true, -1, 2, 'a', 'b', [1], [1, 'x'], [2], {}]
  expect(keys.toReversed().toSorted(compareKeys)).toEqual(keys)
})

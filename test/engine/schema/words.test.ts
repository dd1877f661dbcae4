import { describe, expect, it } from 'vitest'
import { pickWord, type WordList } from '../../../src/engine/schema/words.ts'
import { contentStream } from '../../../src/engine/random.ts'

const LISTS: readonly WordList[] = [
  ...([
    'firstName',
    'lastName',
    'word',
    'noun',
    'adjective',
    'city',
    'country',
    'countryCode',
    'state',
  ] as const),
  ...([
    'street',
    'language',
    'timeZone',
    'color',
    'department',
    'product',
    'productAdjective',
    'material',
  ] as const),
  ...([
    'companyNoun',
    'companyAdjective',
    'jobDescriptor',
    'jobArea',
    'jobType',
    'genre',
    'animal',
    'unit',
  ] as const),
]

describe('pickWord', () => {
  it.for(LISTS)('picks from many words of the kind %s', (list) => {
    const stream = contentStream(1, list)
    const words = new Set(Array.from({ length: 100 }, (_, index) => pickWord(list, stream.child(index))))
    expect(words.size).toBeGreaterThan(5)
    expect([...words].every((word) => typeof word === 'string' && word !== '')).toBe(true)
  })
})

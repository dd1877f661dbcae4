import { describe, expect, it } from 'vitest'
import { nearest } from '../../src/data-files/words.ts'

const WORDS = ['seed', 'seeds', 'stateful', 'list_count', 'validate_links']

describe('the nearest word', () => {
  it.for([
    ['sed', 'seed'],
    ['sede', 'seed'],
    ['sxxd', undefined],
    ['validate_list', 'validate_links'],
    ['Seed', 'seed'],
    ['listCount', 'list_count'],
    ['list-cuont', 'list_count'],
    ['statefull', 'stateful'],
    ['validate_link', 'validate_links'],
    ['color', undefined],
    ['', undefined],
  ] as const)('to %j is %j', ([word, expected]) => {
    expect(nearest(word, WORDS)).toBe(expected)
  })
})

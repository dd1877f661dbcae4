import { describe, expect, it } from 'vitest'
import { foldPaths } from '../../../src/recording/inference/fold-paths.ts'
import { findMentions } from '../../../src/recording/inference/mentions.ts'
import { areProven, findVariants, type Variants } from '../../../src/recording/inference/variants.ts'
import { sample, samplesOf } from './samples.ts'

type Entry = readonly [string, Parameters<typeof sample>[2]]

function variantsOf(...entries: readonly Entry[]): Variants | undefined {
  const samples = samplesOf(...entries)
  const [folded] = foldPaths(samples, findMentions(samples))
  return folded && findVariants(samples, folded, ({ response }) => response)
}
const ask = (query: string, response: unknown): Entry => [`GET /labels${query}`, { response }]

describe('findVariants', () => {
  it('finds the one answer there is', () => {
    const found = variantsOf(ask('?a=1', { x: 1 }), ask('?a=2', { x: 1 }), ask('', { x: 1 }))
    expect(found).toMatchObject({ by: undefined, usual: { x: 1 }, exchanges: 3, repeated: 2 })
  })

  it('finds the field that chooses, and what comes without it', () => {
    const found = variantsOf(
      ask('?lang=de&at=1', 'ja'),
      ask('?lang=fr&at=2', 'oui'),
      ask('?at=3', 'yes'),
      ask('?lang=de&at=4', 'ja'),
    )
    expect(found).toMatchObject({ by: { in: 'query', name: 'lang' }, usual: 'yes', repeated: 1 })
    expect([...(found?.bodies ?? [])]).toEqual([
      ['de', 'ja'],
      ['fr', 'oui'],
    ])
  })

  it('finds none where one value had two answers', () => {
    expect(variantsOf(ask('?lang=de', 'ja'), ask('?lang=de', 'doch'))).toBeUndefined()
  })

  it('chooses by the body of a request that has one', () => {
    const found = variantsOf(
      ['POST /login', { body: { user: 'a' }, response: { role: 'admin' } }],
      ['POST /login', { body: { user: 'b' }, response: { role: 'guest' } }],
    )
    expect(found?.by).toEqual({ in: 'body', name: 'user' })
  })
})

describe('areProven', () => {
  it('asks for repetition', () => {
    const twice = variantsOf(ask('?l=a', 1), ask('?l=b', 2), ask('?l=a', 1), ask('?l=b', 2))
    expect(twice && areProven(twice)).toBe(true)
    const once = variantsOf(ask('?l=a', 1), ask('?l=b', 2))
    expect(once && areProven(once)).toBe(false)
    const same = variantsOf(ask('', 1), ask('', 1))
    expect(same && areProven(same)).toBe(false)
  })

  it('or for answers that are unlike each other', () => {
    const unlike = variantsOf(ask('?kind=sales', { total: 1 }), ask('?kind=stock', { items: [] }))
    expect(unlike && areProven(unlike)).toBe(true)
  })

  it('takes no more than a few', () => {
    const many = Array.from({ length: 130 }, (_, index) => ask(`?n=${index % 65}`, { n: index % 65 }))
    const found = variantsOf(...many)
    expect([found?.bodies.size, found && areProven(found)]).toEqual([65, false])
  })
})

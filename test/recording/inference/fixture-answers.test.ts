import { describe, expect, it } from 'vitest'
import { foldedOf, sample, samplesOf } from './samples.ts'
import {
  areProven,
  findFixtures,
  findTexts,
  findVariants,
  type FixtureAnswers,
  fixtureData,
  type Variants,
} from '../../../src/recording/inference/fixture-answers.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'

describe('fixture answers', () => {
  function texts(...entries: readonly [string, string, Partial<Sample>?][]): ReturnType<typeof findTexts> {
    const samples = entries.map(([path, response, more], index) => ({
      ...sample(index, `GET ${path}`, { response }),
      mimeType: 'text/html',
      ...more,
    }))
    return findTexts(samples, foldedOf(samples))
  }

  it('names the field by which an answer is known', () => {
    const samples = ['a', 'b', 'a', 'b'].map((kind, index) =>
      sample(index, `GET /r?kind=${kind}`, { response: { kind, n: kind === 'a' ? 1 : 2 } }),
    )
    expect(findFixtures(samples, foldedOf(samples))).toMatchObject({ field: 'kind', doubts: [] })
    const unnamed = samples.map((each) => ({ ...each, response: (each.response as { n: number }).n }))
    expect(findFixtures(unnamed, foldedOf(unnamed))).not.toHaveProperty('field')
  })

  it('chooses by no secret, of which it knows the pseudonym alone', () => {
    const samples = ['0a1b2c3d4e5f6071', '1a1b2c3d4e5f6071'].map((key, index) =>
      sample(index, `GET /r?key=redacted-${key}`, { response: index === 0 ? { no: 1 } : { yes: true } }),
    )
    expect(findVariants(samples, foldedOf(samples), ({ response }) => response)).toBeUndefined()
  })

  it('leaves to a model what is not proven', () => {
    const samples = [sample(0, 'GET /r', { response: 1 })]
    expect(findFixtures(samples, foldedOf(samples))).toBeUndefined()
    expect(findFixtures([], foldedOf(samples))).toBeUndefined()
  })

  it('gives again what a path always answered, where a model would make up other times or lists', () => {
    const status = { up: '2026-11-23T07:56:14.906Z' }
    for (const [url, response] of [
      ['/r', status],
      ['/r?a=1', ['x']],
    ] as const) {
      const samples = [sample(0, `GET ${url}`, { response })]
      expect(findFixtures(samples, foldedOf(samples))?.variants).toMatchObject({
        by: undefined,
        usual: response,
      })
    }
  })

  it('takes texts as they are, however seldom they were seen', () => {
    expect(texts(['/page', '<p>'])).toMatchObject({
      variants: { usual: '<p>' },
      model: { type: 'string', contentMediaType: 'text/html' },
      doubts: [],
    })
  })

  it('takes bytes as base64', () => {
    const [binary, { response: _, ...rest }] = ['AAE=', sample(0, 'GET /logo', { response: '' })]
    const samples = [{ ...rest, mimeType: 'image/png', binary }]
    expect(findTexts(samples, foldedOf(samples))).toMatchObject({
      variants: { usual: 'AAE=' },
      model: { contentMediaType: 'image/png', contentEncoding: 'base64' },
    })
  })

  it('says what it does not simulate', () => {
    expect(texts(['/page', '1'], ['/page', '2'])?.doubts).toEqual([
      'answers differ for no reason that was found; the first is given',
    ])
    expect(texts(['/page', '1'], ['/page', '1'], ['/page', '2', { mimeType: 'text/csv' }])?.doubts).toEqual([
      'also answered text/csv, which is not simulated',
    ])
    const long = 'x'.repeat(1024 * 1024 + 1)
    expect(texts(['/page', '1'], ['/page', long])?.doubts).toEqual(['answers over 1 MiB are not simulated'])
  })

  it('is not for JSON', () => {
    expect(texts(['/page', '{}', { mimeType: 'application/json' }])).toBeUndefined()
  })
})

describe('variants', () => {
  type Entry = readonly [string, Parameters<typeof sample>[2]]

  function variantsOf(...entries: readonly Entry[]): Variants | undefined {
    const samples = samplesOf(...entries)
    return findVariants(samples, foldedOf(samples), ({ response }) => response)
  }
  const ask = (query: string, response: unknown): Entry => [`GET /labels${query}`, { response }]

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

describe('fixture data', () => {
  const answers = (bodies: Record<string, unknown>, usual: unknown, by?: string): FixtureAnswers => ({
    variants: {
      by: by === undefined ? undefined : { in: 'query', name: by },
      bodies: new Map(Object.entries(bodies)),
      usual,
      exchanges: 4,
      repeated: 2,
    },
    doubts: [],
  })

  it('is the answer where there is one', () => {
    expect(fixtureData(answers({}, [1]), 'f.json')).toEqual({
      document: [1],
      link: { 'x-sim-link': { fromJsonFixture: { path: 'f.json', pointer: '' } } },
    })
  })

  it('has answers by value, the usual one under a name of its own', () => {
    const usual = { n: 0 }
    expect(fixtureData(answers({ 'a/b~': 1, default: 2 }, usual, 'kind'), 'f.json')).toEqual({
      document: { default_: usual, 'a/b~': 1, default: 2 },
      link: {
        'x-sim-link': {
          fromJsonFixture: {
            path: 'f.json',
            pointer: 'default_',
            variantFrom: 'kind',
            variants: { 'a/b~': 'a~1b~0', default: 'default' },
          },
        },
      },
    })
  })

  it('is a list where answers name their value', () => {
    const data = fixtureData(
      { ...answers({ a: { k: 'a' }, b: { k: 'b' } }, {}, 'kind'), field: 'k' },
      'f.json',
    )
    expect(data).toEqual({
      document: [{ k: 'a' }, { k: 'b' }],
      link: { 'x-sim-link': { fromNestedFixture: { path: 'f.json', pointer: '', where: { k: 'kind' } } } },
    })
  })
})

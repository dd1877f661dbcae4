import { expect, it } from 'vitest'
import type { FixtureAnswers } from '../../../src/recording/inference/fixture-answers.ts'
import { fixtureData } from '../../../src/recording/inference/fixture-data.ts'

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
  const data = fixtureData({ ...answers({ a: { k: 'a' }, b: { k: 'b' } }, {}, 'kind'), field: 'k' }, 'f.json')
  expect(data).toEqual({
    document: [{ k: 'a' }, { k: 'b' }],
    link: { 'x-sim-link': { fromNestedFixture: { path: 'f.json', pointer: '', where: { k: 'kind' } } } },
  })
})

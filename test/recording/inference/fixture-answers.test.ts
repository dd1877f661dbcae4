import { expect, it } from 'vitest'
import { findFixtures, findTexts } from '../../../src/recording/inference/fixture-answers.ts'
import { foldPaths, type Folded } from '../../../src/recording/inference/fold-paths.ts'
import { findMentions } from '../../../src/recording/inference/mentions.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { sample } from './samples.ts'

function folded(samples: readonly Sample[]): Folded {
  const [first] = foldPaths(samples, findMentions(samples))
  if (first === undefined) throw new Error('There is no path')
  return first
}
function texts(...entries: readonly [string, string, Partial<Sample>?][]): ReturnType<typeof findTexts> {
  const samples = entries.map(([path, response, more], index) => ({
    ...sample(index, `GET ${path}`, { response }),
    mimeType: 'text/html',
    ...more,
  }))
  return findTexts(samples, folded(samples))
}

it('names the field by which an answer is known', () => {
  const samples = ['a', 'b', 'a', 'b'].map((kind, index) =>
    sample(index, `GET /r?kind=${kind}`, { response: { kind, n: kind === 'a' ? 1 : 2 } }),
  )
  expect(findFixtures(samples, folded(samples))).toMatchObject({ field: 'kind', doubts: [] })
  const unnamed = samples.map((each) => ({ ...each, response: (each.response as { n: number }).n }))
  expect(findFixtures(unnamed, folded(unnamed))).not.toHaveProperty('field')
})

it('leaves to a model what is not proven', () => {
  const samples = [sample(0, 'GET /r', { response: 1 })]
  expect(findFixtures(samples, folded(samples))).toBeUndefined()
  expect(findFixtures([], folded(samples))).toBeUndefined()
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
  expect(findTexts(samples, folded(samples))).toMatchObject({
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

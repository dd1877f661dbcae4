import { describe, expect, it } from 'vitest'
import { findErrorCases, type Failures } from '../../../src/recording/inference/error-cases.ts'
import { foldPaths, type Folded } from '../../../src/recording/inference/fold-paths.ts'
import { findMentions } from '../../../src/recording/inference/mentions.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { samplesOf } from './samples.ts'

function casesOf(samples: readonly Sample[], covered: (sample: Sample) => boolean = () => false): Failures {
  const [folded] = foldPaths(samples, findMentions(samples))
  return findErrorCases(folded as Folded, covered)
}

const GONE = { status: 410, response: { detail: 'Gone' } }

describe('findErrorCases', () => {
  it('explains a failure by the one value that only failures have', () => {
    const { cases, unexplained } = casesOf(
      samplesOf('GET /a?q=1&r=1', 'GET /a?q=2&r=1', ['GET /a?q=3&r=1', GONE], ['GET /a?q=3&r=1', GONE]),
    )
    expect(cases).toEqual([{ field: 'q', equals: 3, status: 410, detail: 'Gone', exchanges: 2 }])
    expect(unexplained.size).toBe(0)
  })

  it('keeps bodies of another form whole', () => {
    const response = { detail: 'Gone', code: 7 }
    const { cases } = casesOf(
      samplesOf(
        'GET /a?q=1',
        ['GET /a?q=3', { status: 410, response }],
        ['GET /a?q=4', { status: 400, response: ['no'] }],
        ['GET /a?q=5', { status: 404 }],
      ),
    )
    expect(cases.map(({ status, body, detail }) => [status, body, detail])).toEqual([
      [410, response, undefined],
      [400, ['no'], undefined],
      [404, undefined, undefined],
    ])
  })

  it('counts what nothing explains', () => {
    const { cases, unexplained } = casesOf(samplesOf('GET /a?q=1', ['GET /a?q=1', { status: 500 }]))
    expect(cases).toEqual([])
    expect([...unexplained]).toEqual([[500, 1]])
  })

  it('leaves to others what others answer', () => {
    const samples = samplesOf('GET /a?q=1', ['GET /a?q=2', { status: 401 }], ['GET /a?q=3', { status: 404 }])
    const { cases, unexplained } = casesOf(samples, ({ status }) => status === 404)
    expect([...cases, ...unexplained]).toEqual([])
  })
})

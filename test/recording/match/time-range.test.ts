import { expect, it } from 'vitest'
import { factsOf } from '../../../src/recording/match/facts.ts'
import { adapt } from '../../../src/recording/match/nearest-answer.ts'
import { UNTOUCHED } from '../../../src/state/entities.ts'

const T = 1_700_000_000

function adapted(answer: unknown, from: string, to: string): unknown {
  const [before, now] = [from, to].map((query) => factsOf(`/q?${query}`, undefined, { state: 'new' }))
  return adapt(answer, before as never, now as never, [UNTOUCHED, UNTOUCHED])
}

it.each([
  ['moves', `start=${T}&end=${T + 20}&step=10`, `start=${T + 5}&end=${T + 25}&step=10`, [5, 15, 25]],
  ['is longer', `start=${T}&end=${T + 20}&step=10`, `start=${T}&end=${T + 40}&step=10`, [0, 10, 20, 30, 40]],
  ['is finer', `start=${T}&end=${T + 20}&step=10s`, `start=${T}&end=${T + 20}&step=5s`, [0, 5, 10, 15, 20]],
  [
    'is given by date',
    `from=${new Date(T * 1000).toISOString()}&to=${T + 20}&step=10`,
    `from=${T + 100}&to=${T + 110}&step=10`,
    [100, 110],
  ],
])('answers for a range of time that %s', (_, from, to, moments) => {
  const answer = {
    series: [
      {
        values: [
          [T, 'a'],
          [T + 10, 'b'],
          [T + 20, 'c'],
        ],
      },
    ],
  }
  const values = ['a', 'b', 'c']
  expect(adapted(answer, from, to)).toEqual({
    series: [{ values: moments.map((moment, index) => [T + moment, values[index % 3]]) }],
  })
})

it('only moves what begins later than the range', () => {
  const answer = [
    [T + 90, 1],
    [T + 100, 2],
  ]
  const [from, to] = [`start=${T}&end=${T + 100}&step=10`, `start=${T + 60}&end=${T + 160}&step=10`]
  expect(adapted(answer, from, to)).toEqual([
    [T + 150, 1],
    [T + 160, 2],
  ])
})

it('leaves lists that are of no time, or of another', () => {
  const answer = { ids: [1, 2], old: [[T - 500, 1]], none: [] }
  expect(adapted(answer, `start=${T}&end=${T + 20}&step=10`, `start=${T + 5}&end=${T + 25}&step=10`)).toEqual(
    answer,
  )
})

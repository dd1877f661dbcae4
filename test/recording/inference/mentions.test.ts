import { expect, it } from 'vitest'
import { findMentions } from '../../../src/recording/inference/mentions.ts'
import { samplesOf } from './samples.ts'

it('finds the fields of other answers that held a value', () => {
  const mentions = findMentions(
    samplesOf(
      [
        'GET /users',
        {
          response: [
            { id: 7, name: 'Ada' },
            { id: 8, boss: { login: 'Ada' } },
          ],
        },
      ],
      ['GET /users/7', { response: { id: 7 } }],
      ['GET /users/9', { status: 404, response: { id: 9 } }],
      ['GET /plain', { response: 'Bo' }],
    ),
  )
  const fieldsOf = (value: string, ...except: number[]): string[] => [
    ...mentions.fieldsOf(value, new Set(except)),
  ]
  expect(fieldsOf('7', 1)).toEqual(['id'])
  expect(fieldsOf('7', 0, 1)).toEqual([])
  expect(fieldsOf('Ada')).toEqual(['name', 'login'])
  expect(fieldsOf('9')).toEqual([])
  expect(fieldsOf('Bo')).toEqual([])
})

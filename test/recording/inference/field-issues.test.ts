import { describe, expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { neededFields } from '../../../src/recording/inference/field-issues.ts'
import { samplesOf } from './samples.ts'

const BOOK = { title: 'a b', genre: 'novel', pages: 3 }
const fine = ['one', 'two', 'six'].map(
  (title) => ['POST /books', { status: 201, body: { ...BOOK, title }, response: { id: 1, title } }] as const,
)
const refused = (body: object, response: unknown) => ['POST /books', { status: 400, body, response }] as const
const required = ['Is required.']

function answersOf(...others: ReturnType<typeof refused>[]): unknown {
  const { routes } = inferRoutes(samplesOf(...fine, ...others))
  return routes[0]?.refusals?.errorAnswers?.['SIM_INPUT_INVALID']
}

describe('what answers say of fields', () => {
  it('is a member for each, by what is wrong', () => {
    const answer = answersOf(
      refused({}, { title: required, genre: required }),
      refused({ ...BOOK, pages: 'many' }, { pages: ['No number.'] }),
      refused({ ...BOOK, genre: 'crime' }, { genre: ['"crime" cannot be chosen.'] }),
    )
    expect(answer).toMatchObject({
      body: { '{field}': ['{message}'] },
      messages: { missing: 'Is required.', type_error: 'No number.', enum: '"{value}" cannot be chosen.' },
    })
  })

  it('is an item of a list for each, which may name a path', () => {
    const of = (field: string): object => ({ path: ['body', field], msg: `The ${field} is missing` })
    const answer = answersOf(refused({}, { errors: [of('title'), of('genre'), of('pages')] }))
    expect(answer).toMatchObject({
      body: { errors: [{ path: ['body', '{field}'], msg: 'The {field} is missing' }] },
    })
    expect(answer).not.toHaveProperty('messages')
  })

  it('spares what is missing, too, where a server that names several does not', () => {
    const of = (...others: ReturnType<typeof refused>[]): unknown =>
      neededFields(samplesOf(...fine, ...others))
    const one = refused({ title: 'x' }, { genre: required })
    expect(of(one)).toEqual({ named: new Set(['genre']), spared: new Set() })
    expect(of(one, refused({}, { title: required, genre: required }))).toEqual({
      named: new Set(['genre', 'title']),
      spared: new Set(['pages']),
    })
  })

  it('closes what has few texts where another was refused, and leaves it open where none was', () => {
    const inputOf = (...others: ReturnType<typeof refused>[]): unknown =>
      inferRoutes(
        samplesOf(
          ...fine,
          ['POST /books', { status: 201, body: { ...BOOK, genre: 'poem' } }],
          ...fine,
          ...others,
        ),
      ).routes[0]?.input?.['properties']
    const other = refused({ ...BOOK, genre: 'crime' }, { genre: ['"crime" cannot be chosen.'] })
    expect(inputOf(other)).toMatchObject({ title: { type: 'string' }, genre: { enum: ['novel', 'poem'] } })
    expect(inputOf(other, other)).not.toHaveProperty('title.enum')
    expect(inputOf()).not.toHaveProperty('genre.enum')
  })
})

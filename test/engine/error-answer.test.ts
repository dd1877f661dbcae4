import { describe, expect, it } from 'vitest'
import { answerError, type ErrorAnswer } from '../../src/engine/error-answer.ts'
import { InputInvalid } from '../../src/errors.ts'

const FAILED = { method: 'POST', url: '/books?draft=1' }
const error = new InputInvalid([
  { type: 'missing', loc: ['body', 'title'], msg: 'Field required', input: null },
  { type: 'type_error', loc: ['body', 'pages'], msg: 'Value must be integer', input: 'many' },
  { type: 'too_long', loc: ['body', 'genre'], msg: 'Too long', input: 'x' },
])

function bodyOf(answer: ErrorAnswer, failed: Error = error): unknown {
  const response = answerError({ SIM_INPUT_INVALID: answer }, failed, FAILED)
  return JSON.parse(String(response?.body))
}

describe('an answer in place of an error', () => {
  const messages = { missing: 'This field is required.', type_error: '"{value}" has no digits.' }

  it('has a member for each field that does not fit, with what is wrong with it', () => {
    expect(bodyOf({ body: { '{field}': ['{message}'] }, messages })).toEqual({
      title: ['This field is required.'],
      pages: ['"many" has no digits.'],
      genre: ['Too long'],
    })
  })

  it('has an item for each of them, and speaks of the first elsewhere', () => {
    const body = { message: '{field} at {path}', errors: [{ path: ['{field}'], text: '{message}' }] }
    expect(bodyOf({ body, messages })).toEqual({
      message: 'title at /books',
      errors: [
        { path: ['title'], text: 'This field is required.' },
        { path: ['pages'], text: '"many" has no digits.' },
        { path: ['genre'], text: 'Too long' },
      ],
    })
  })

  it('names no field where none is wrong', () => {
    expect(bodyOf({ body: { errors: ['{field} fails'] } }, new InputInvalid([]))).toEqual({
      errors: [' fails'],
    })
  })

  it('may have another form by what is wrong first', () => {
    const answers = {
      SIM_INPUT_INVALID: { text: 'wrong' },
      'SIM_INPUT_INVALID/missing': { text: '{field} lacks' },
    }
    const textOf = (type: string): string => {
      const failed = new InputInvalid([{ type, loc: ['body', 'title'], msg: 'Wrong', input: null }])
      return String(answerError(answers, failed, FAILED)?.body)
    }
    expect([textOf('missing'), textOf('type_error')]).toEqual(['title lacks', 'wrong'])
  })
})

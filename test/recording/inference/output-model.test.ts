import { describe, expect, it } from 'vitest'
import { outputModel, sharedModel } from '../../../src/recording/inference/output-model.ts'
import { samplesOf } from './samples.ts'

const answers = (...responses: unknown[]): ReturnType<typeof samplesOf> =>
  samplesOf(...responses.map((response) => ['GET /a', { response }] as const))
const ITEM = { type: 'object', properties: { a: { type: 'integer', minimum: 0 } }, required: ['a'] }

describe('outputModel', () => {
  it.for<[string, unknown]>([
    ['single', { a: 1 }],
    ['list', [{ a: 1 }]],
    ['page', { items: [{ a: 1 }], total: 1, limit: 10, offset: 0 }],
    ['slice', { items: [{ a: 1 }], next_page_token: null }],
  ])('knows a %s', ([form, response]) => {
    expect(outputModel(answers(response))).toEqual({ form, model: ITEM })
  })

  it('takes answers of several forms for single ones', () => {
    expect(outputModel(answers([{ a: 1 }], { a: 1 }))).toMatchObject({
      form: 'single',
      model: { anyOf: [{}, {}] },
    })
  })

  it('says nothing of items that were never seen', () => {
    expect(outputModel(answers([], []))).toEqual({ form: 'list', model: {} })
  })

  it('is nothing where there is no body', () => {
    expect(outputModel(samplesOf('DELETE /a'))).toBeUndefined()
  })
})

describe('sharedModel', () => {
  it('requires what all have, and allows what some have', () => {
    const model = sharedModel([[{ a: 1 }], [{ a: null, b: 'x' }]])
    expect(model).toMatchObject({ properties: { a: { type: ['integer', 'null'] }, b: {} }, required: ['a'] })
  })
})

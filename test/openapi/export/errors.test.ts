import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import { ERROR, VALIDATION_ERROR } from '../../../src/openapi/export/errors.ts'
import {
  InputInvalid,
  ItemExists,
  ItemNotFound,
  PageTokenInvalid,
  RateLimited,
  SimulatedFailure,
  StoreFull,
  Unauthorized,
} from '../../../src/errors.ts'

describe('the schemas of errors', () => {
  it.for([
    new Unauthorized(),
    new RateLimited({}),
    new PageTokenInvalid(),
    new SimulatedFailure(418, { any: ['value'] }),
    new ItemNotFound(),
    new ItemNotFound({ collection: '/users', id_field: 'id', id_value: '1' }),
    new ItemExists('/users', '1'),
    new StoreFull('/users', 1),
  ])('fit the body of $name', (error) => {
    expect(createChecker(ERROR).check(error.body)).toEqual([])
  })

  it('fit the body of InputInvalid', () => {
    const issue = { type: 'missing', loc: ['body', 'items', 0], msg: 'Field required', input: null }
    expect(createChecker(VALIDATION_ERROR).check(new InputInvalid([issue]).body)).toEqual([])
  })
})

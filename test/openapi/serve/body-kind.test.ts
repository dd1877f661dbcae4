import { expect, it } from 'vitest'
import { bodyKindOf } from '../../../src/openapi/serve/body-kind.ts'

it.for([
  ['application/json', {}, 'json'],
  ['application/json', { type: 'string', format: 'binary' }, 'binary'],
  ['Multipart/Form-Data; boundary=b', undefined, 'parts'],
  ['multipart/mixed', undefined, 'binary'],
  ['image/png', undefined, 'binary'],
] as const)('a body of %s with the model %j is read as %s', ([type, model, kind]) => {
  expect(bodyKindOf(type, { model, examples: [] })).toBe(kind)
})

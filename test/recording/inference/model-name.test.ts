import { expect, it } from 'vitest'
import { modelName } from '../../../src/recording/inference/model-name.ts'

it.for([
  ['/api/order-items/{id}', 'OrderItem'],
  ['/users', 'User'],
  ['/{id}', 'Root'],
  ['/', 'Root'],
  ['/2fa', 'Model2fa'],
])('calls the model of %s %s', ([path = '', name]) => {
  expect(modelName(path)).toBe(name)
})

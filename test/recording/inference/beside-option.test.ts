import { expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { hideInModels, withIdBeside } from '../../../src/recording/inference/beside-option.ts'

const MODEL: Schema = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' } },
  required: ['id', 'name'],
}

it('requires no member of answers that hide it', () => {
  const hidden = withIdBeside({ output: MODEL }, { name: 'id' })
  expect(hidden).toMatchObject({ output: { required: ['name'] }, select: { hides: ['/id'] } })
  const models = new Map([
    ['Secret', MODEL],
    ['Other', MODEL],
  ])
  const output = { paged: { properties: { items: { type: 'array', items: { $ref: '#/models/Secret' } } } } }
  hideInModels(models, [{ name: 'id', output }])
  expect([...models.values()].map(({ required }) => required)).toEqual([['name'], ['id', 'name']])
})

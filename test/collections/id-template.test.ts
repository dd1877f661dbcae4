import { expect, it } from 'vitest'
import { templateLike } from '../../src/collections/id-template.ts'

it.each([
  ['12345', '{12345}'],
  ['se-28529731', 'se-{28529731}'],
  ['cus_NffrFeUfNV2Hib', 'cus_{mixed 14}'],
  ['5f1a0c3b9d', '{hex 10}'],
  ['AC0123456789', '{HEX 12}'],
  ['my-first-post', undefined],
  ['main', undefined],
  ['0b8f3e0a-6b5c-4d3e-9f10-111213141516', undefined],
])('ids like %s are written as %s', (id, template) => {
  expect(templateLike(id)).toBe(template)
})

import { expect, it } from 'vitest'
import { createBodies } from '../../../src/recording/inference/bodies.ts'

it('reads equal bodies once, each form apart', () => {
  const bodies = createBodies()
  const read = (form: string): unknown => bodies.read(form, Buffer.from('{}'), () => ({ form }))
  expect(read('json')).toBe(read('json'))
  expect(read('text')).toEqual({ form: 'text' })
})

it('keeps no more than it may, and counts what it left out', () => {
  const bodies = createBodies(5)
  const read = (text: string): unknown => bodies.read('text', Buffer.from(text), () => text)
  expect([read('abc'), read('def'), read('abc'), read('de')]).toEqual(['abc', undefined, 'abc', 'de'])
  expect(bodies.cut).toBe(1)
})

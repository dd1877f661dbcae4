import { expect, it } from 'vitest'
import { hide } from '../../src/recording/hide.ts'

it('replaces a secret', () => {
  expect(hide('hunter2')).toBe('[redacted]')
})

it('shows that a secret is empty', () => {
  expect(hide('')).toBe('')
})

import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, valuesOf } from './generating.ts'

describe('compileString', () => {
  it.for<Schema>([
    {},
    { maxLength: 0 },
    { maxLength: 1 },
    { minLength: 200 },
    { minLength: 7, maxLength: 7 },
    { pattern: '^[a-z]+$', minLength: 30, maxLength: 30 },
    { pattern: 'x{3}', minLength: 12 },
    { pattern: '^x{3}', minLength: 12, maxLength: 14 },
    { pattern: '^(?=.*\\d)(?=.*[a-z])[a-z\\d]{6}$' },
    { pattern: '^\\S+@\\S+$', format: 'email' },
    { pattern: '\\.org$', format: 'email' },
    { pattern: '^https://', format: 'uri', maxLength: 40 },
    { format: 'email', maxLength: 6 },
    { format: 'email', minLength: 60 },
    { format: 'hostname', maxLength: 5 },
    { format: 'uri', maxLength: 4 },
    { format: 'uri', minLength: 80 },
    { format: 'json-pointer', minLength: 50 },
    { format: 'json-pointer', maxLength: 2 },
    { format: 'byte', minLength: 30, maxLength: 40 },
    { format: 'date-time', minLength: 20, maxLength: 20 },
    { format: 'colour', minLength: 5 },
  ])('keeps to %j', (schema) => {
    fittingValuesOf({ type: 'string', ...schema })
  })

  it('varies', () => {
    expect(new Set(valuesOf({ type: 'string' }, 50)).size).toBeGreaterThan(45)
    expect(new Set(valuesOf({ type: 'string', pattern: '^[A-Z]{2}\\d{4}$' }, 50)).size).toBeGreaterThan(45)
  })

  it('never ends a cut text with a space', () => {
    for (const text of valuesOf<string>({ type: 'string', maxLength: 6 }, 100))
      expect(text).toBe(text.trimEnd())
  })

  it('gives its last attempt where nothing fits', () => {
    expect(valuesOf({ type: 'string', format: 'uuid', maxLength: 5 }, 1)).toEqual([
      expect.stringMatching(/^.{36}$/),
    ])
    expect(valuesOf({ type: 'string', pattern: '^(?<=x)y$' }, 1)).toEqual([expect.any(String)])
  })
})

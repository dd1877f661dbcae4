import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { hide, usePseudonymKey, withoutPseudonyms } from '../../../src/recording/redaction/pseudonymize.ts'

afterEach(() => usePseudonymKey(undefined))

describe('hide', () => {
  it('replaces a secret', () => {
    expect(hide('hunter2')).toBe('[redacted]')
  })

  it('shows that a secret is empty', () => {
    expect(hide('')).toBe('')
  })

  it('gives equal secrets equal pseudonyms, and others others', () => {
    usePseudonymKey(randomBytes(32))
    expect(hide('hunter2')).toMatch(/^redacted-[0-9a-f]{16}$/)
    expect(hide('hunter2')).toBe(hide('hunter2'))
    expect(hide('hunter2')).not.toBe(hide('hunter3'))
    expect(hide(hide('hunter2'))).toBe(hide('hunter2'))
  })

  it('gives other pseudonyms where the key is another', () => {
    usePseudonymKey(randomBytes(32))
    const one = hide('hunter2')
    usePseudonymKey(randomBytes(32))
    expect(hide('hunter2')).not.toBe(one)
    expect(withoutPseudonyms(`a=${hide('hunter2')};`)).toBe(withoutPseudonyms(`a=${one};`))
  })
})

import { describe, expect, it } from 'vitest'
import {
  compileRedaction,
  withRedaction,
  type RedactionRules,
} from '../../../src/recording/redaction/redaction-rules.ts'
import { redactBody } from '../../../src/recording/redaction/redact-body.ts'
import { redactHeader } from '../../../src/recording/redaction/redact.ts'
import { isSecretName } from '../../../src/recording/redaction/secret-names.ts'
import { OptionInvalid } from '../../../src/errors.ts'

const under = <Result>(rules: RedactionRules, act: () => Result): Result =>
  withRedaction(compileRedaction(rules), act)

describe('rules', () => {
  it('name what is secret, in any spelling', () => {
    const secret = ['X-Tenant', 'x_tenant', 'internal-id', 'internalKind'].map((name) =>
      under({ names: ['x-tenant', 'internal*'] }, () => isSecretName(name)),
    )
    expect(secret).toEqual([true, true, true, true])
    expect(under({ names: ['x-tenant'] }, () => isSecretName('x-tenant-2'))).toBe(false)
    expect(isSecretName('x-tenant')).toBe(false)
  })

  it('except what is none, but not what looks like a secret by itself', () => {
    const rules = { except: ['token', 'theme', 'authorization'], names: ['theme'] }
    under(rules, () => {
      expect(isSecretName('Token')).toBe(false)
      expect(redactHeader({ name: 'Cookie', value: 'theme=dark; sid=x' }).value).toBe(
        'theme=dark; sid=[redacted]',
      )
      expect(redactHeader({ name: 'Authorization', value: 'Bearer abc' }).value).toBe('Bearer abc')
      const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'
      expect(redactHeader({ name: 'Authorization', value: `Bearer ${jwt}` }).value).toBe('Bearer [redacted]')
    })
  })

  it('have patterns that hold in texts and numbers, and leave pseudonyms whole', () => {
    under({ patterns: ['\\d{4}', '[a-f]{2,}'] }, () => {
      expect(redactBody('{"a":"pin 1234","b":1234,"token":"x"}', 'application/json')).toEqual({
        text: '{"a":"pin [redacted]","b":"[redacted]","token":"[redacted]"}',
      })
    })
  })

  it('end with what they were for, whatever happens', () => {
    expect(() =>
      under({ names: ['x'] }, () => {
        throw new Error('broken')
      }),
    ).toThrow('broken')
    expect(isSecretName('x')).toBe(false)
  })

  it.for([['('], ['a*']])('cannot have the pattern %s', ([pattern = '']) => {
    expect(() => compileRedaction({ patterns: [pattern] })).toThrow(OptionInvalid)
  })
})

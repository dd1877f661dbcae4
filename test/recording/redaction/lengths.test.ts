import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'

it('hides a secret in a text by as many bytes, which stay when they are hidden again', () => {
  const redactor = createRedactor({}, randomBytes(32))
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/)
  fc.assert(
    fc.property(secret, (value) => {
      const hide = (text: string): string => (redactor.body(text, 'text/plain') as { text: string }).text
      const text = hide(`password: ${value}\n`)
      expect(text).toHaveLength(`password: ${value}\n`.length)
      expect(hide(text)).toBe(text)
      const { value: sent } = redactor.header({
        name: 'x-api-key',
        value: text.slice('password: '.length, -1),
      })
      const { value: own } = redactor.header({ name: 'x-api-key', value })
      // One that fits is the same secret's wherever it is.
      if (value.length >= own.length) expect(sent).toBe(own)
    }),
  )
})

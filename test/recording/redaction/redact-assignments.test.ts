import { expect, it } from 'vitest'
import {
  hideCredentials,
  redactAssignments,
  redactLines,
  redactTags,
} from '../../../src/recording/redaction/redact-assignments.ts'

it.for([
  ['state = {"token":"s3cret","page":"2"}', 'state = {"token":"[redacted]","page":"2"}'],
  [`const apiKey = 's3cret'`, `const apiKey = '[redacted]'`],
  ['login(user: "ann", password: "s3cret")', 'login(user: "ann", password: "[redacted]")'],
  ['<user pwd="s3cret" id="7"/>', '<user pwd="[redacted]" id="7"/>'],
  [String.raw`{\"token\":\"s3cret\"}`, String.raw`{\"token\":\"[redacted]\"}`],
  ['<input type="password" name="q">', '<input type="password" name="q">'],
  ['no quotes: token=s3cret', 'no quotes: token=s3cret'],
])('hides what is given to a secret name in %s', ([text = '', expected]) => {
  expect(redactAssignments(text)).toBe(expected)
})

it('hides the values of lines', () => {
  expect(redactLines('a: 1\nexport API_TOKEN=s3cret\r\n  password: two words \n- secret: x\nsecret:\n')).toBe(
    'a: 1\nexport API_TOKEN=[redacted]\r\n  password: [redacted] \n- secret: [redacted]\nsecret:\n',
  )
})

it('hides the secret fields of a page', () => {
  expect(
    redactTags(`<input name=csrf value='a'><INPUT value="b" name="token"><meta name="csrf-token" content=c>`),
  ).toBe(
    `<input name=csrf value='[redacted]'><INPUT value="[redacted]" name="token"><meta name="csrf-token" content=[redacted]>`,
  )
  expect(redactTags('<input name="q" value="tea">')).toBe('<input name="q" value="tea">')
})

it('leaves the scheme of credentials', () => {
  expect(hideCredentials('Bearer s3cret')).toBe('Bearer [redacted]')
  expect(hideCredentials('s3cret')).toBe('[redacted]')
  expect(hideCredentials('s3cret of two words')).toBe('[redacted]')
})

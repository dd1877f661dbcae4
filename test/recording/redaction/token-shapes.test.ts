import { expect, it } from 'vitest'
import { redactShapes } from '../../../src/recording/redaction/token-shapes.ts'

// Put together here, so that no scanner takes them for real ones.
const A36 = 'a1B2c3D4e5F6'.repeat(3)
const TOKENS = [
  ['a GitHub token', 'gh', `p_${A36}`],
  ['a GitLab token', 'gl', `pat-${A36}`],
  ['an npm token', 'np', `m_${A36}`],
  ['a payment key', 'sk', `_live_${A36}`],
  ['a model key', 'sk', `-${A36}`],
  ['a chat token', 'xo', `xb-123456-${A36}`],
  ['a cloud key', 'AK', 'IAABCDEFGHIJ234567'],
  ['a maps key', 'AI', `za${A36.slice(0, 35)}`],
  ['a mail key', 'S', `G.${A36.slice(0, 22)}.${A36}${A36.slice(0, 7)}`],
] as const

it.for(TOKENS)('hides %s in a text', ([, begin, rest]) => {
  expect(redactShapes(`the key ${begin}${rest} is new`)).toBe('the key [redacted] is new')
})

it('hides a private key and credentials in words', () => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----'
  expect(redactShapes(`use ${pem}.`)).toBe('use [redacted].')
  expect(redactShapes('-H "Authorization: Bearer abc123def4"')).toBe('-H "Authorization: Bearer [redacted]"')
})

it.for([['Bearer authentication is needed'], ['a basic introduction'], ['sk-learn'], ['the Slack channel']])(
  'leaves %s as it is',
  ([text = '']) => {
    expect(redactShapes(text)).toBe(text)
  },
)

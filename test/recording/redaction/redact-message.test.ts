import { expect, it } from 'vitest'
import { messageRedactor } from '../../../src/recording/redaction/redact-message.ts'
import { compileSecrets } from '../../../src/recording/redaction/secrets.ts'

const SECRETS = compileSecrets({}, Buffer.alloc(32))
const SIGNATURE = 'correct "horse" battery'

function redacted(protocol: string, data: string): string {
  const headers = [{ name: 'Sec-WebSocket-Protocol', value: protocol }]
  return messageRedactor(headers, SECRETS)({ type: 'send', time: 1, opcode: 1, data }).data
}

it('hides the signature that a client of WAMP authenticates with', () => {
  expect(redacted('wamp.2.json', `[5, ${JSON.stringify(SIGNATURE)}, {}]`)).toMatch(
    /^\[5, "redacted-[0-9a-f]{16}", \{\}\]$/,
  )
})

it.for([
  ['wamp.2.json', '[50, "horse", {}]'],
  ['wamp.2.json', '[5, "horse'],
  ['graphql-ws', '[5, "horse", {}]'],
] as const)('leaves other messages as they are (%s, %s)', ([protocol, data]) => {
  expect(redacted(protocol, data)).toBe(data)
})

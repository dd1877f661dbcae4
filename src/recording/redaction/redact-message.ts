import { isUtf8 } from 'node:buffer'
import type { NameValue, WebSocketMessage } from '../exchange.ts'
import { redactBinary } from './redact-binary.ts'
import { redactBody } from './redact-body.ts'
import { redactMqtt } from './redact-mqtt.ts'
import type { Secrets } from './secrets.ts'

/** A message that authenticates, by its number, and its signature (WAMP, section 4.1). */
const AUTHENTICATE = /^(\s*\[\s*5\s*,\s*)("(?:[^"\\]|\\.)*")/s

/**
 * What hides the secrets of the messages of a WebSocket.
 * @param headers those that opened it, which name the protocol of its messages
 */
export function messageRedactor(
  headers: readonly NameValue[],
  secrets: Secrets,
): (message: WebSocketMessage) => WebSocketMessage {
  const isWamp = headers.some(
    ({ name, value }) => name.toLowerCase() === 'sec-websocket-protocol' && value.startsWith('wamp.'),
  )
  return (message) => redactMessage(message, isWamp, secrets)
}

function redactMessage(message: WebSocketMessage, isWamp: boolean, secrets: Secrets): WebSocketMessage {
  const { opcode, data } = message
  const bytes = opcode === 1 ? undefined : Buffer.from(data, 'base64')
  if (bytes !== undefined) {
    const login = redactMqtt(bytes, secrets)
    if (login !== bytes) return { ...message, data: login.toString('base64') }
    if (!isUtf8(bytes)) {
      const text = bytes.toString('latin1')
      const redacted = redactBinary(text, secrets)
      return redacted === text
        ? message
        : { ...message, data: Buffer.from(redacted, 'latin1').toString('base64') }
    }
  }
  const given = bytes?.toString() ?? data
  const result = redactBody(isWamp ? redactSignature(given, secrets) : given, '', secrets)
  const text = 'text' in result ? result.text : ''
  return { ...message, data: bytes === undefined ? text : Buffer.from(text).toString('base64') }
}

function redactSignature(text: string, { pseudonymize }: Secrets): string {
  return text.replace(AUTHENTICATE, (whole, head: string, signature: string) => {
    try {
      return head + JSON.stringify(pseudonymize(JSON.parse(signature) as string))
    } catch {
      return whole
    }
  })
}

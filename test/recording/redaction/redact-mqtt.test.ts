import { expect, it } from 'vitest'
import { redactMqtt } from '../../../src/recording/redaction/redact-mqtt.ts'
import { compileSecrets } from '../../../src/recording/redaction/secrets.ts'

const SECRETS = compileSecrets({}, Buffer.alloc(32))
const [SECRET, USER, WILL, PLAIN] = ['correct horse battery', 0x80, 0x04, 0x02]

function field(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

function connect(
  version: number,
  flags: number,
  properties: readonly number[],
  fields: readonly string[],
): Buffer {
  const [id = '', ...others] = fields
  const rest = Buffer.concat([
    field('MQTT'),
    Buffer.from([version, flags, 0, 60, ...properties]),
    field(id),
    ...((flags & WILL) === 0 || version < 5 ? [] : [Buffer.from([0])]),
    ...others.map(field),
  ])
  return Buffer.concat([Buffer.from([0x10, (rest.length & 0x7f) | 0x80, rest.length >> 7]), rest])
}

it.for([
  [connect(4, 0x40 | USER | PLAIN, [], ['a'.repeat(100), 'ann', SECRET])],
  [connect(4, 0x40 | USER | WILL, [], ['a'.repeat(100), 'topic', 'gone', 'ann', SECRET])],
  [connect(5, 0x40 | WILL, [5, 0x11, 0, 0, 0, 9], ['a'.repeat(100), 'topic', 'gone', SECRET])],
] as const)('hides a password as long as it was (%#)', ([packet]) => {
  const redacted = redactMqtt(packet, SECRETS).toString('latin1')
  expect(redacted).toMatch(/redacted-[0-9a-f]{12}$/)
  expect(redacted.replace(/redacted-[0-9a-f]{12}$/, SECRET)).toBe(packet.toString('latin1'))
})

it.for([
  [connect(4, USER, [], ['a'.repeat(130), 'ann'])],
  [connect(4, 0x40, [], ['a'.repeat(130)])],
  [Buffer.from([0x10])],
  [Buffer.from('\u0010 a text')],
  [Buffer.from([0x30, 3, 0, 1, 0x61])],
] as const)('leaves as it is what has none (%#)', ([packet]) => {
  expect(redactMqtt(packet, SECRETS)).toBe(packet)
})

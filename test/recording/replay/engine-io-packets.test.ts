import { expect, it } from 'vitest'
import {
  bodyOf,
  type EngineIoVersion,
  type Packet,
  packetsOf,
} from '../../../src/recording/replay/engine-io-packets.ts'

const text = (data: string): Packet => ({ data: Buffer.from(data), isBinary: false })
const bytes = (...data: readonly number[]): Packet => ({ data: Buffer.from(data), isBinary: true })

// The lengths of version 3 count UTF-16 code units, as its servers do.
it.for<[version: EngineIoVersion, body: string, packets: readonly Packet[]]>([
  ['3', '6:4hello2:4€', [text('4hello'), text('4€')]],
  ['3', '3:4😀10:b4AQIDBA==1:6', [text('4😀'), bytes(4, 1, 2, 3, 4), text('6')]],
  ['4', '4hello\u001e2\u001e4world', [text('4hello'), text('2'), text('4world')]],
  ['4', '4hello\u001ebAQIDBA==', [text('4hello'), bytes(1, 2, 3, 4)]],
])('reads and writes bodies of version %s: %j', ([version, body, packets]) => {
  expect(packetsOf(Buffer.from(body), version)).toEqual(packets)
  expect(bodyOf(packets, version).toString()).toBe(body)
})

it('knows no packets of version 3 in bytes, of which it would lose some', () => {
  expect(packetsOf(Buffer.from([0, 1, 255, 52]), '3')).toBeUndefined()
})

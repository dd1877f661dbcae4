import { constants, deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  createMessageLog,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGES,
  type MessageLog,
} from '../../../src/recording/capture/web-socket.ts'

/** A frame of RFC 6455, section 5.2, without a mask. */
function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
  const head = Buffer.alloc(10)
  head[0] = (isLast ? 0x80 : 0) | opcode
  if (payload.length < 126) {
    head[1] = payload.length
    return Buffer.concat([head.subarray(0, 2), payload])
  }
  head[1] = 127
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

const text = (value: string): Buffer => frame(1, Buffer.from(value))
const open = (): MessageLog => createMessageLog('', () => true)

describe('a log of messages', () => {
  it('puts together what came in pieces, of frames and of bytes', async () => {
    const log = open()
    const bytes = Buffer.concat([
      frame(1, Buffer.from('one '), false),
      frame(9, Buffer.from('ping')),
      frame(0, Buffer.from('two')),
    ])
    for (const byte of bytes) log.received(Buffer.from([byte]))
    log.received(frame(2, Buffer.from([0xff])))
    const { messages, omitted } = await log.end()
    expect(messages.map(({ type, opcode, data }) => [type, opcode, data])).toEqual([
      ['receive', 1, 'one two'],
      ['receive', 2, '/w=='],
    ])
    expect(omitted).toBe(0)
  })

  it('leaves the bytes that it reads as they are', async () => {
    const log = open()
    const masked = Buffer.from([0x81, 0x81, 1, 2, 3, 4, 0x60])
    const before = Buffer.from(masked)
    log.sent(masked)
    const { messages } = await log.end()
    expect(masked).toEqual(before)
    expect(messages).toMatchObject([{ type: 'send', data: 'a' }])
  })

  it('keeps the order in which messages passed, though one is slower to inflate', async () => {
    const log = createMessageLog('permessage-deflate', () => true)
    const compressed = deflateRawSync(Buffer.alloc(1024 * 1024, 'long '), {
      finishFlush: constants.Z_SYNC_FLUSH,
    })
    const long = frame(1, compressed.subarray(0, -4))
    long[0] = 0xc1
    log.received(long)
    log.sent(Buffer.from([0x81, 0x81, 1, 2, 3, 4, 0x60]))
    const { messages } = await log.end()
    expect(messages.map(({ type, data }) => [type, data.slice(0, 4)])).toEqual([
      ['receive', 'long'],
      ['send', 'a'],
    ])
  })

  it('is bounded in number, and counts what it leaves out', async () => {
    const log = open()
    const some = Buffer.concat(Array.from({ length: 100 }, () => text('x')))
    for (let i = 0; i <= MAX_MESSAGES / 100; i++) log.received(some)
    const { messages, omitted } = await log.end()
    expect([messages.length, omitted]).toEqual([MAX_MESSAGES, 100])
  })

  it('is bounded in size', async () => {
    const log = open()
    for (let i = 0; i < 6; i++) log.received(text('x'.repeat(1024 * 1024)))
    expect(log.held()).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
    expect(await log.end()).toMatchObject({ messages: { length: 3 }, omitted: 3 })
  })

  it('keeps nothing where there is no capacity', async () => {
    const log = createMessageLog('', () => false)
    log.received(text('x'))
    expect(await log.end()).toEqual({ messages: [], omitted: 1 })
  })

  it.for([
    ['bytes that are not frames', Buffer.from([0xff, 0xff, 0xff])],
    ['a message that is too long', text('x'.repeat(MAX_MESSAGE_BYTES + 1))],
  ] as const)('ends with %s, and keeps what came before', async ([, bytes]) => {
    const log = open()
    log.received(text('before'))
    log.received(bytes)
    log.received(text('after'))
    const { messages, omitted } = await log.end()
    expect(messages.map(({ data }) => data)).toEqual(['before'])
    expect(omitted).toBe(1)
  })

  it('reads on without an extension that it cannot read', async () => {
    const log = createMessageLog('permessage-deflate; server_max_window_bits=99', () => true)
    log.received(text('plain'))
    expect((await log.end()).messages).toMatchObject([{ data: 'plain' }])
  })
})

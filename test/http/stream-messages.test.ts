import type { Writable } from 'node:stream'
import fc from 'fast-check'
import { createParser } from 'eventsource-parser'
import { expect, it } from 'vitest'
import * as ws from 'ws'
import { messagesOf, type MessagePiece, type SplitMessages } from '../../src/http/stream-messages.ts'
import { FrameReader } from '../../src/http/web-socket-frames.ts'

// The package exports these, and its types leave them out.
const { Receiver, Sender } = ws as unknown as {
  readonly Receiver: new (options: object) => Writable
  readonly Sender: { frame(data: Buffer, options: object): Buffer[] }
}

/** Splits bytes that come in chunks of some lengths. */
function split(bytes: Buffer, lengths: readonly number[], messages: SplitMessages): readonly MessagePiece[] {
  const pieces: MessagePiece[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] as number
    pieces.push(...messages(bytes.subarray(at, at + length)))
    at += length
  }
  return pieces
}

/** The data of each message that ended. */
function dataOf(pieces: readonly MessagePiece[]): readonly string[] {
  const ended = pieces.filter(({ isLast }) => isLast).map(({ index }) => index)
  return ended.map((each) =>
    Buffer.concat(
      pieces.filter(({ index, isData }) => index === each && isData).map(({ bytes }) => bytes),
    ).toString(),
  )
}

const LENGTHS = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 })
const END = fc.constantFrom('\n', '\r', '\r\n')
const FIELD = fc.oneof(
  fc.stringMatching(/^data: ?[a-z ]{0,8}$/),
  fc.constantFrom('', '', 'data', 'data:', ':data: a', 'dat: a', 'datas: a', 'id: 1', 'event: a', ' data: a'),
)

it('finds the events that a client of event streams finds, however they are cut', () => {
  const stream = fc.array(fc.tuple(FIELD, END).map(([field, end]) => field + end))
  fc.assert(
    fc.property(stream, LENGTHS, (lines, lengths) => {
      // A carriage return and a line feed in turn are one end.
      const text = lines.join('').replaceAll(/\r(?=\n)/g, '\r\r')
      const found: string[] = []
      createParser({ onEvent: ({ data }) => void found.push(data) }).feed(text.replaceAll(/\r\n?/g, '\n'))
      const pieces = split(Buffer.from(text), lengths, messagesOf('events') as SplitMessages)
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()).toBe(text)
      expect(dataOf(pieces)).toEqual(found.map((data) => data.replaceAll('\n', '')))
    }),
  )
})

it('finds each line of JSON', () => {
  const lines = fc.array(fc.json({ maxDepth: 1 }))
  fc.assert(
    fc.property(lines, END, LENGTHS, (texts, end, lengths) => {
      const bytes = Buffer.from(texts.map((text) => text + end).join(''))
      const pieces = split(bytes, lengths, messagesOf('json-lines') as SplitMessages)
      expect(dataOf(pieces)).toEqual(texts)
    }),
  )
})

it('finds the messages of a WebSocket in its frames, and knows when no frame is on its way', async () => {
  const message = fc.record({ text: fc.string({ maxLength: 200 }), cuts: fc.nat(2), ping: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(message), fc.boolean(), LENGTHS, async (sent, isMasked, lengths) => {
      const frames: Buffer[] = []
      const frame = (data: Buffer, opcode: number, fin: boolean): void => {
        const options = { fin, opcode, rsv1: false, mask: isMasked, readOnly: true }
        frames.push(...Sender.frame(data, options))
      }
      for (const { text, cuts, ping } of sent) {
        for (let part = 0; part <= cuts; part++) {
          const bytes = Buffer.from(text)
          const [from, to] = [part, part + 1].map((each) => Math.floor((bytes.length * each) / (cuts + 1)))
          frame(bytes.subarray(from, to), part === 0 ? 1 : 0, part === cuts)
          if (ping) frame(Buffer.from('ping'), 9, true)
        }
      }
      const bytes = Buffer.concat(frames)
      const reader = new FrameReader()
      const pieces = split(bytes, lengths, (chunk) => reader.read(chunk))
      expect(Buffer.concat(pieces.map((piece) => piece.bytes))).toEqual(bytes)
      expect(reader.isBetweenFrames).toBe(true)
      const heard: string[] = []
      const receiver = new Receiver({ isServer: isMasked })
      receiver.on('message', (data: Buffer) => heard.push(data.toString()))
      receiver.write(Buffer.from(bytes))
      await new Promise<void>((done) => receiver.end(done))
      expect(heard).toEqual(sent.map(({ text }) => text))
      expect(pieces.filter(({ isLast }) => isLast)).toHaveLength(sent.length)
      if (!isMasked) expect(dataOf(pieces)).toEqual(heard)
    }),
  )
})

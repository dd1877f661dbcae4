import { type Draw, encodedWords, type WordList } from './words.ts'
import { dateTime, DOMAINS, email, EMAIL_NUMBERS, FIRST_MOMENT, SECONDS, uuid } from './formats.ts'
import type { Write } from './generate.ts'

const QUOTE = 0x22
const DASH = 0x2d
const DOT = 0x2e
const SPACE = 0x20

/** A way to write the texts that are drawn, without making them where that is known. */
export function textWriter(draw: Draw): Write {
  if (draw.lists !== undefined) return wordsWriter(draw.lists)
  return WRITERS.get(draw)?.() ?? ((sink, stream) => sink.text(draw(stream)))
}

const writeUuid: Write = (sink, stream) => {
  const a = stream.bits()
  const b = stream.bits()
  const c = stream.bits()
  const d = stream.bits()
  const variant = VARIANTS[stream.bits() & 3] as number
  const at = sink.reserve(38)
  const { bytes } = sink
  bytes[at] = QUOTE
  putHex(bytes, at + 1, a)
  bytes[at + 9] = DASH
  putHex(bytes, at + 10, b)
  // The digit that is the version is not drawn; nor is the one that is the variant.
  bytes[at + 14] = DASH
  bytes[at + 15] = VERSION
  putHex(bytes, at + 16, b << 20)
  bytes[at + 19] = DASH
  putHex(bytes, at + 21, c << 4)
  bytes[at + 20] = variant
  bytes[at + 24] = DASH
  putHex(bytes, at + 25, c << 16)
  putHex(bytes, at + 29, d)
  bytes[at + 37] = QUOTE
}
const VARIANTS = Buffer.from('ab89')
const VERSION = 0x34

// All eight digits of 32 bits.
function putHex(bytes: Uint8Array, at: number, bits: number): void {
  for (let index = at, shift = 24; shift >= 0; shift -= 8, index += 2) {
    const byte = (bits >>> shift) & 0xff
    bytes[index] = HIGH[byte] as number
    bytes[index + 1] = LOW[byte] as number
  }
}

const HIGH = Uint8Array.from({ length: 256 }, (_, byte) => (byte >> 4).toString(16).charCodeAt(0))
const LOW = Uint8Array.from({ length: 256 }, (_, byte) => (byte & 0xf).toString(16).charCodeAt(0))

const DAY_SECONDS = 86_400
const DATE_LENGTH = 10

const dateTimeWriter = (): Write => {
  const dates = datesFrom(FIRST_MOMENT, SECONDS / DAY_SECONDS)
  return (sink, stream) => {
    const moment = stream.integer(0, SECONDS - 1)
    const day = (moment / DAY_SECONDS) | 0
    const seconds = moment - day * DAY_SECONDS
    const at = sink.reserve(22)
    const { bytes } = sink
    bytes[at] = QUOTE
    for (let index = 0; index < DATE_LENGTH; index++)
      bytes[at + 1 + index] = dates[day * DATE_LENGTH + index] as number
    bytes[at + 11] = LETTER_T
    putTwoDigits(bytes, at + 12, (seconds / 3600) | 0)
    bytes[at + 14] = COLON
    putTwoDigits(bytes, at + 15, ((seconds / 60) | 0) % 60)
    bytes[at + 17] = COLON
    putTwoDigits(bytes, at + 18, seconds % 60)
    bytes[at + 20] = LETTER_Z
    bytes[at + 21] = QUOTE
  }
}

const LETTER_T = 0x54
const LETTER_Z = 0x5a
const COLON = 0x3a
const ZERO = 0x30

function putTwoDigits(bytes: Uint8Array, at: number, value: number): void {
  const tens = (value / 10) | 0
  bytes[at] = ZERO + tens
  bytes[at + 1] = ZERO + value - 10 * tens
}

// The dates of that many days, one behind the other.
function datesFrom(first: number, days: number): Uint8Array {
  const dates = Array.from({ length: days }, (_, day) =>
    new Date(first + day * DAY_SECONDS * 1000).toISOString().slice(0, DATE_LENGTH),
  )
  return Buffer.from(dates.join(''))
}

const emailWriter = (): Write => {
  const firstNames = encodedWords('firstName', 'ascii')
  const lastNames = encodedWords('lastName', 'ascii')
  const [least, most] = EMAIL_NUMBERS
  return (sink, stream) => {
    const first = stream.pick(firstNames)
    const last = stream.pick(lastNames)
    sink.byte(QUOTE)
    sink.raw(first ?? NONE)
    sink.byte(DOT)
    sink.raw(last ?? NONE)
    sink.number(stream.integer(least, most))
    sink.raw(AT_EXAMPLE)
    sink.raw(stream.pick(ENCODED_DOMAINS) ?? NONE)
    sink.byte(QUOTE)
  }
}

const NONE = Buffer.alloc(0)
const AT_EXAMPLE = Buffer.from('@example.')
const ENCODED_DOMAINS = DOMAINS.map((domain) => Buffer.from(domain))

function wordsWriter(lists: readonly WordList[]): Write {
  const words = lists.map((list) => encodedWords(list, 'json'))
  return (sink, stream) => {
    sink.byte(QUOTE)
    for (let index = 0; index < words.length; index++) {
      if (index > 0) sink.byte(SPACE)
      sink.raw(stream.pick(words[index] as readonly Uint8Array[]) ?? NONE)
    }
    sink.byte(QUOTE)
  }
}

// Words are loaded when a model that has some is compiled.
const WRITERS: ReadonlyMap<Draw, () => Write> = new Map<Draw, () => Write>([
  [uuid, () => writeUuid],
  [dateTime, dateTimeWriter],
  [email, emailWriter],
])

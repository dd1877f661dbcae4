// Frames of HTTP/2 as they are on the wire (RFC 9113, section 4), so that wrong ones can be sent too.

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

export const TYPE = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const

export const END_STREAM = 1
export const END_HEADERS = 4

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

export function number(value: number, bytes = 4): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

export type Fields = readonly (readonly [name: string, value: string])[]

/** Fields in the plainest form of HPACK: neither indexed nor compressed (RFC 7541, section 6.2.2). */
export function block(fields: Fields): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]))
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1')
  // RFC 7541, section 5.1: seven bits of length, then groups of seven, the lowest first.
  const length = bytes.length < 127 ? [bytes.length] : [127, ...groups(bytes.length - 127)]
  return Buffer.concat([Buffer.from(length), bytes])
}

function groups(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...groups(Math.floor(value / 128))]
}

export const GET: Fields = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/a'],
  [':authority', 'a.example'],
]

export function headers(fields: Fields, stream = 1, flags = END_STREAM | END_HEADERS): Buffer {
  return frame(TYPE.headers, flags, stream, block(fields))
}

/** One that was received. */
export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** The whole frames of what was received, and how many bytes they are. */
export function framesIn(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = []
  let at = 0
  while (at + 9 <= bytes.length) {
    const end = at + 9 + bytes.readUIntBE(at, 3)
    if (end > bytes.length) break
    const [type, flags] = [bytes.readUInt8(at + 3), bytes.readUInt8(at + 4)]
    frames.push({ type, flags, stream: bytes.readUInt32BE(at + 5), payload: bytes.subarray(at + 9, end) })
    at = end
  }
  return frames
}

// The statuses of the static table (RFC 7541, appendix A), and the code of each digit (appendix B).
const STATUSES = [200, 204, 206, 304, 400, 404, 500]
const DIGITS = [
  '00000',
  '00001',
  '00010',
  '011001',
  '011010',
  '011011',
  '011100',
  '011101',
  '011110',
  '011111',
]

/** The status of an answer's block, which comes first. */
export function statusOf(payload: Buffer): number {
  // A change of the table's size may come before it.
  const at = payload.findIndex((byte) => byte >= 0x80 || byte < 0x20 || byte >= 0x40)
  const first = payload[at] ?? 0
  if (first >= 0x80) return STATUSES[first - 0x88] ?? 0
  const length = payload[at + 1] ?? 0
  const value = payload.subarray(at + 2, at + 2 + (length & 0x7f))
  if (length < 0x80) return Number(value.toString())
  let bits = [...value].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  let digits = ''
  while (digits.length < 3) {
    const digit = DIGITS.findIndex((code) => bits.startsWith(code))
    if (digit < 0) return 0
    bits = bits.slice(DIGITS[digit]?.length)
    digits += digit
  }
  return Number(digits)
}

import fc from 'fast-check'
import {
  block,
  END_HEADERS,
  END_STREAM,
  frame,
  GET,
  headers,
  number,
  TYPE,
  type Fields,
} from '../conformance/http2-frames.ts'

const stream = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 3, 5, 7) },
  { weight: 1, arbitrary: fc.constantFrom(0, 2, 999, 2 ** 31) },
)
const flags = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, END_STREAM, END_HEADERS, END_STREAM | END_HEADERS) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
)
const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each))
const field: fc.Arbitrary<Fields[number]> = fc.constantFrom<Fields[number]>(
  ['x-a', 'b'],
  ['X-A', 'b'],
  ['connection', 'close'],
  ['transfer-encoding', 'chunked'],
  ['content-length', '3'],
  ['content-length', '-1'],
  ['host', 'b.example'],
  ['te', 'trailers'],
  ['te', 'gzip'],
  ['expect', '100-continue'],
  ['cookie', 'a=b'],
  ['x-a', 'a\r\nb: c'],
  ['x-a', 'a\0'],
  ['', 'a'],
  [':path', '/again'],
  [':status', '200'],
  [':protocol', 'websocket'],
  [':protocol', 'odd'],
  ['x-a', 'a'.repeat(20_000)],
)
const changed = fc.constantFrom<Fields[number]>(
  [':method', 'POST'],
  [':method', 'CONNECT'],
  [':method', 'G T'],
  [':path', ''],
  [':path', '*'],
  [':path', 'a'],
  [':path', '/%zz?\xff'],
  [':authority', ''],
  [':authority', 'a b'],
  [':scheme', 'https'],
  [':scheme', 'odd'],
)
const fields: fc.Arbitrary<Fields> = fc
  .tuple(fc.array(changed, { maxLength: 2 }), fc.array(field, { maxLength: 3 }), fc.boolean())
  .map(([changes, added, areLate]) => {
    const own = GET.map((each) => changes.find(([name]) => name === each[0]) ?? each)
    return areLate ? [...own, ...added] : [...added, ...own]
  })
const request = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(stream, flags, fields).map(([id, flag, all]) => headers(all, id, flag)) },
  { weight: 2, arbitrary: stream.map((id) => headers(GET, id)) },
)
const other = fc.oneof(
  fc.tuple(flags, stream, bytes).map(([flag, id, payload]) => frame(TYPE.data, flag, id, payload)),
  fc.tuple(flags, stream, fields).map(([flag, id, all]) => frame(TYPE.continuation, flag, id, block(all))),
  fc.tuple(stream, fc.nat(20)).map(([id, code]) => frame(TYPE.reset, 0, id, number(code))),
  fc
    .tuple(stream, fc.constantFrom(0, 1, 2 ** 31 - 1))
    .map(([id, by]) => frame(TYPE.window, 0, id, number(by))),
  fc
    .tuple(fc.constantFrom(1, 2, 3, 4, 5, 6, 8, 99), fc.constantFrom(0, 1, 16_384, 2 ** 32 - 1))
    .map(([name, value]) => frame(TYPE.settings, 0, 0, Buffer.concat([number(name, 2), number(value)]))),
  bytes.map((payload) => frame(TYPE.ping, 0, 0, payload)),
  fc.tuple(fc.integer({ min: 0, max: 255 }), flags, stream, bytes).map((each) => frame(...each)),
  bytes,
)

/** What a client sends on a connection of HTTP/2 after its settings. */
export interface Sent {
  readonly frames: readonly Buffer[]
  readonly ending: 'next' | 'reset' | 'end'
  readonly hasPreface: boolean
}

/** Up to eight frames, half of them of requests that may be right. */
export const connections: fc.Arbitrary<Sent> = fc.record({
  frames: fc.array(fc.oneof(request, other), { minLength: 1, maxLength: 8 }),
  ending: fc.constantFrom('next' as const, 'next' as const, 'reset' as const, 'end' as const),
  hasPreface: fc.integer({ min: 0, max: 20 }).map((each) => each > 0),
})

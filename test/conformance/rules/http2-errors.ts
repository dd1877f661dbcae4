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
} from '../http2-frames.ts'
import type { Http2Rule } from './http2.ts'

const ANSWERED = /^200$/
const CONNECTION_ERROR = /^(GOAWAY|closed)$/
const STREAM_ERROR = /^(4\d\d|501|RST|GOAWAY|closed)$/
const PADDED = 8
const ACK = 1
const POST: Fields = [[':method', 'POST'], ...GET.slice(1)]
const opened = headers(POST, 1, END_HEADERS)
const data = (text: string, flags = END_STREAM, stream = 1): Buffer =>
  frame(TYPE.data, flags, stream, Buffer.from(text))
const setting = (id: number, value: number): Buffer =>
  frame(TYPE.settings, 0, 0, Buffer.concat([number(id, 2), number(value)]))
const hpack = (...bytes: readonly number[]): Buffer =>
  frame(TYPE.headers, END_STREAM | END_HEADERS, 1, Buffer.from(bytes))
const afterGet = (...bytes: readonly number[]): Buffer =>
  frame(TYPE.headers, END_STREAM | END_HEADERS, 1, Buffer.concat([block(GET), Buffer.from(bytes)]))

const fails = (section: string, rule: string, ...send: readonly Buffer[]): Http2Rule => ({
  ...{ rule, section, send },
  comes: CONNECTION_ERROR,
})
const resets = (section: string, rule: string, ...send: readonly Buffer[]): Http2Rule => ({
  ...{ rule, section, send },
  comes: STREAM_ERROR,
})
const passes = (section: string, rule: string, ...send: readonly Buffer[]): Http2Rule => ({
  ...{ rule, section, send },
  comes: ANSWERED,
})

/** What ends a stream or a connection, and what does not: RFC 9113, sections 4 to 8, RFC 7541 and RFC 8441. */
export const HTTP2_ERRORS: readonly Http2Rule[] = [
  {
    ...fails('5.1', 'RST_STREAM of a stream that is idle', frame(TYPE.reset, 0, 1, number(8))),
    nginx: ['nothing', 'it passes such frames by'],
  },
  {
    ...fails('5.1', 'WINDOW_UPDATE of a stream that is idle', frame(TYPE.window, 0, 1, number(8))),
    nginx: ['nothing', 'it passes such frames by'],
  },
  {
    ...fails('5.1', 'DATA of a stream that is idle', data('x', END_STREAM, 5)),
    nginx: ['nothing', 'it passes such frames by'],
  },
  resets('5.1', 'DATA after the end of a stream', opened, data('x'), data('y')),
  resets('5.1', 'HEADERS after the end of a stream', opened, data('x'), headers(POST)),
  fails(
    '5.1',
    'CONTINUATION after the end of a block',
    headers(GET),
    frame(TYPE.continuation, END_HEADERS, 1, block([['x-a', '1']])),
  ),
  fails(
    '5.5',
    'an unknown frame within a block',
    frame(TYPE.headers, END_STREAM, 1, block(GET)),
    frame(77, 0, 1),
    frame(TYPE.continuation, END_HEADERS, 1),
  ),
  fails(
    '6.2',
    'another HEADERS within a block',
    frame(TYPE.headers, END_STREAM, 1, block(GET)),
    headers(GET, 3),
  ),
  fails(
    '6.10',
    'CONTINUATION of another stream',
    frame(TYPE.headers, END_STREAM, 1, block(GET)),
    frame(TYPE.continuation, END_HEADERS, 3),
  ),
  fails('6.1', 'DATA of no stream', data('x', END_STREAM, 0)),
  fails(
    '6.1',
    'DATA with more padding than bytes',
    opened,
    frame(TYPE.data, END_STREAM | PADDED, 1, Buffer.from([9, 1, 1])),
  ),
  passes(
    '6.1',
    'DATA with padding',
    opened,
    frame(TYPE.data, END_STREAM | PADDED, 1, Buffer.from([2, 65, 0, 0])),
  ),
  fails(
    '6.2',
    'HEADERS with more padding than bytes',
    frame(
      TYPE.headers,
      END_STREAM | END_HEADERS | PADDED,
      1,
      Buffer.concat([Buffer.from([255]), block(GET)]),
    ),
  ),
  passes(
    '6.2',
    'HEADERS with padding',
    frame(
      TYPE.headers,
      END_STREAM | END_HEADERS | PADDED,
      1,
      Buffer.concat([Buffer.from([2]), block(GET), Buffer.alloc(2)]),
    ),
  ),
  fails('6.3', 'PRIORITY of no stream', frame(TYPE.priority, 0, 0, Buffer.alloc(5))),
  resets('6.3', 'a PRIORITY that is too short', opened, frame(TYPE.priority, 0, 1, Buffer.alloc(4))),
  passes(
    '6.3',
    'PRIORITY before a stream is opened',
    frame(TYPE.priority, 0, 1, Buffer.concat([number(0), Buffer.alloc(1)])),
    headers(GET),
  ),
  fails('6.4', 'RST_STREAM of no stream', frame(TYPE.reset, 0, 0, number(8))),
  fails('6.4', 'a RST_STREAM that is too short', opened, frame(TYPE.reset, 0, 1, Buffer.alloc(3))),
  fails('6.5', 'an acknowledgement with settings', frame(TYPE.settings, ACK, 0, Buffer.alloc(6))),
  fails('6.5', 'SETTINGS of a stream', frame(TYPE.settings, 0, 1)),
  fails('6.5.2', 'ENABLE_PUSH above 1', setting(2, 2)),
  fails('6.5.2', 'a first window that is too large', setting(4, 0x8000_0000)),
  fails('6.5.2', 'a largest frame that is too small', setting(5, 16_383)),
  fails('6.5.2', 'a largest frame that is too large', setting(5, 0x100_0000)),
  passes('6.5.2', 'a setting that is not known', setting(0xaa, 5), headers(GET)),
  fails(
    '6.6',
    'PUSH_PROMISE of a client',
    opened,
    frame(5, END_HEADERS, 1, Buffer.concat([number(2), block(GET)])),
  ),
  fails('6.7', 'PING of a stream', frame(TYPE.ping, 0, 1, Buffer.alloc(8))),
  passes(
    '6.9.2',
    'a window that shrinks below zero',
    setting(4, 1),
    headers(GET),
    setting(4, 0),
    frame(TYPE.window, 0, 1, number(100)),
  ),
  resets(
    '8.1',
    'trailers that do not end the stream',
    opened,
    data('x', 0),
    headers([['x-a', '1']], 1, END_HEADERS),
  ),
  resets('8.1', 'a pseudo-field in trailers', opened, data('x', 0), headers([[':method', 'GET']])),
  resets('8.2.1', 'a name with capitals in trailers', opened, data('x', 0), headers([['X-A', '1']])),
  {
    ...passes('8.1', 'trailers', opened, data('x', 0), headers([['x-a', '1']])),
    nginx: ['GOAWAY', 'the version of Debian takes no trailers'],
  },
  {
    ...passes('8.2.1', 'an empty name does not pass', headers([...GET, ['', 'x-empty']])),
    drops: /x-empty/,
    nginx: ['GOAWAY', 'it refuses what we leave out'],
  },
  {
    ...passes('8.2.1', 'a colon within a name does not pass', headers([...GET, ['x:a', '1']])),
    drops: /x:a/,
    nginx: ['RST', 'it refuses what we leave out'],
  },
  resets('8.3.1', 'two :method', headers([...GET, [':method', 'GET']])),
  resets('8.3.1', 'two :scheme', headers([...GET, [':scheme', 'http']])),
  resets('8.3.1', 'two :authority', headers([...GET, [':authority', 'a.example']])),
  resets(
    '8.3.1',
    'an asterisk for another method',
    headers([...GET.filter(([name]) => name !== ':path'), [':path', '*']]),
  ),
  resets(
    '8.3.1',
    'a path without its slash',
    headers([...GET.filter(([name]) => name !== ':path'), [':path', 'a']]),
  ),
  resets(
    '8.3.1',
    'a path with a space',
    headers([...GET.filter(([name]) => name !== ':path'), [':path', '/a b']]),
  ),
  resets(
    '8.3.1',
    'a path with a line end',
    headers([...GET.filter(([name]) => name !== ':path'), [':path', '/a HTTP/1.1\r\nx: y']]),
  ),
  resets('8.3.1', 'a method with a space', headers([...GET.slice(1), [':method', 'GET /b']])),
  resets('8.5', 'CONNECT with a path', headers([...GET.slice(1), [':method', 'CONNECT']])),
  resets('8.5', 'CONNECT without an authority', headers([[':method', 'CONNECT']])),
  resets('(RFC 8441 4)', ':protocol of another method', headers([...GET, [':protocol', 'websocket']])),
  resets(
    '(RFC 8441 4)',
    'an extended CONNECT without a path',
    headers(
      [
        [':method', 'CONNECT'],
        [':protocol', 'websocket'],
        [':scheme', 'http'],
        [':authority', 'a.example'],
      ],
      1,
      END_HEADERS,
    ),
  ),
  resets(
    '(RFC 8441 4)',
    'a protocol that is not known',
    headers([...GET.slice(1), [':method', 'CONNECT'], [':protocol', 'tea']], 1, END_HEADERS),
  ),
  fails('(RFC 7541 2.3.3)', 'an index beyond the table', afterGet(0xff, 0x80, 0x01)),
  fails('(RFC 7541 6.1)', 'the index of nothing', afterGet(0x80)),
  fails(
    '(RFC 7541 5.1)',
    'an index that no number holds',
    hpack(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
  ),
  {
    ...fails('(RFC 7541 4.2)', 'a change of the table after fields', afterGet(0x20)),
    nginx: ['200', 'it takes such changes anywhere'],
  },
  fails('(RFC 7541 6.3)', 'a table larger than was allowed', hpack(0x3f, 0xe2, 0xff, 0xff, 0x07)),
  fails(
    '(RFC 7541 5.2)',
    'a padding of more than seven bits',
    afterGet(0x00, 0x85, 0xf2, 0xb2, 0x4a, 0x84, 0xff, 0x83, 0x49, 0x50, 0x9f, 0xff),
  ),
  fails(
    '(RFC 7541 5.2)',
    'a padding of zeros',
    afterGet(0x00, 0x85, 0xf2, 0xb2, 0x4a, 0x84, 0xff, 0x83, 0x49, 0x50, 0x90),
  ),
  fails(
    '(RFC 7541 5.2)',
    'an end within a text',
    afterGet(0x00, 0x85, 0xf2, 0xb2, 0x4a, 0x84, 0xff, 0x87, 0x49, 0x51, 0xff, 0xff, 0xff, 0xfa, 0x7f),
  ),
  fails('(RFC 7541 5.2)', 'a text that is cut off', afterGet(0x00, 0x7f)),
]

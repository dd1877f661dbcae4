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
import type { Difference } from '../rule.ts'

/** One rule of HTTP/2, the frames that are sent after the settings, and what may come of it. */
export interface Http2Rule {
  readonly rule: string
  readonly section: string
  readonly send: readonly Buffer[]
  /** What comes of the first stream, or of the connection: a status, RST, GOAWAY or closed. */
  readonly comes: RegExp
  /** What reaches the upstream. Default: anything. */
  readonly reaches?: string
  readonly drops?: RegExp
  /** Whether it takes so long that one entry is enough. */
  readonly isLong?: boolean
  readonly nginx?: Difference
}

const ANSWERED = /^200$/
const MALFORMED = /^(4\d\d|RST|GOAWAY|closed)$/
const CONNECTION_ERROR = /^(GOAWAY|closed)$/
const DATA = (text: string, flags = END_STREAM): Buffer => frame(TYPE.data, flags, 1, Buffer.from(text))

const without = (name: string): Fields => GET.filter(([each]) => each !== name)
const withField = (name: string, value: string): Fields => [...GET, [name, value]]
const post = (...fields: Fields): Buffer =>
  headers([[':method', 'POST'], ...without(':method'), ...fields], 1, END_HEADERS)

const refused = (rule: string, section: string, fields: Fields, nginx?: Difference): Http2Rule => ({
  ...{ rule, section, send: [headers(fields)], comes: MALFORMED, reaches: '' },
  ...(nginx !== undefined && { nginx }),
})

const ANYTHING: Difference = ['200', 'it passes such fields by, and forwards the rest']

/** RFC 9113: fields and pseudo-fields (section 8), frames and streams (sections 4 to 6). */
export const HTTP2: readonly Http2Rule[] = [
  { rule: 'a request is answered', section: '8.1', send: [headers(GET)], comes: ANSWERED, reaches: 'GET a' },
  refused('a name with capitals', '8.2.1', withField('X-A', '1')),
  {
    rule: 'a name with a space does not pass',
    section: '8.2.1',
    send: [headers(withField('x a', '1'))],
    comes: /^(200|4\d\d|RST|GOAWAY|closed)$/,
    drops: /x a/i,
  },
  {
    rule: 'a value with a line end does not pass',
    section: '8.2.1',
    send: [headers(withField('x-a', '1\r\nx-b: 2'))],
    comes: /^(200|4\d\d|RST|GOAWAY|closed)$/,
    drops: /x-b/i,
  },
  refused('Connection', '8.2.2', withField('connection', 'close'), ANYTHING),
  refused('Keep-Alive', '8.2.2', withField('keep-alive', 'timeout=5'), ANYTHING),
  refused('Proxy-Connection', '8.2.2', withField('proxy-connection', 'close'), ANYTHING),
  refused('Transfer-Encoding', '8.2.2', withField('transfer-encoding', 'chunked'), ANYTHING),
  refused('Upgrade', '8.2.2', withField('upgrade', 'websocket'), ANYTHING),
  refused('TE with more than trailers', '8.2.2', withField('te', 'gzip'), ANYTHING),
  {
    rule: 'TE: trailers is right',
    section: '8.2.2',
    send: [headers(withField('te', 'trailers'))],
    comes: ANSWERED,
  },
  refused('no :method', '8.3.1', without(':method')),
  {
    rule: 'a method that is not known is not implemented',
    section: '8.3.1',
    send: [headers([[':method', 'BREW'], ...without(':method')])],
    comes: /^501$/,
    reaches: '',
    nginx: ['400', 'it says so of all that is malformed'],
  },
  refused('no :path', '8.3.1', without(':path')),
  refused('no :scheme', '8.3.1', without(':scheme')),
  refused('an empty :path', '8.3.1', [...without(':path'), [':path', '']]),
  refused('two :path', '8.3', withField(':path', '/b')),
  refused('a pseudo-field after others', '8.3', [['x-a', '1'], ...GET], ANYTHING),
  refused('a pseudo-field that is not known', '8.3', [[':x', '1'], ...GET]),
  refused(':status in a request', '8.3', [...GET, [':status', '200']]),
  refused('neither :authority nor Host', '8.3.1', without(':authority')),
  refused(
    'a user name in :authority',
    '8.3.1',
    [...without(':authority'), [':authority', 'a@b']],
    ['200', 'it takes any text for a host'],
  ),
  refused('Host and :authority that differ', '8.3.1', withField('host', 'b.example')),
  {
    rule: 'Host in place of :authority',
    section: '8.3.1',
    send: [headers([...without(':authority'), ['host', 'a.example']])],
    comes: ANSWERED,
  },
  {
    rule: 'Cookie in several fields becomes one',
    section: '8.2.3',
    send: [headers([...GET, ['cookie', 'a=1'], ['cookie', 'b=2']])],
    comes: ANSWERED,
    drops: /cookie: a=1\r\n/i,
  },
  {
    rule: 'a body shorter than its length',
    section: '8.1.1',
    send: [post(['content-length', '9']), DATA('1234')],
    comes: MALFORMED,
  },
  {
    rule: 'a body longer than its length',
    section: '8.1.1',
    send: [post(['content-length', '2']), DATA('1234')],
    comes: MALFORMED,
  },
  {
    rule: 'a body without a length',
    section: '8.1',
    send: [post(), DATA('12', 0), DATA('34')],
    comes: ANSWERED,
    reaches: 'POST a',
  },
  {
    rule: 'a block in several frames',
    section: '6.10',
    send: [
      frame(TYPE.headers, END_STREAM, 1, block(GET).subarray(0, 7)),
      frame(TYPE.continuation, END_HEADERS, 1, block(GET).subarray(7)),
    ],
    comes: ANSWERED,
  },
  {
    rule: 'another frame within a block',
    section: '6.10',
    send: [
      frame(TYPE.headers, END_STREAM, 1, block(GET)),
      frame(TYPE.ping, 0, 0, Buffer.alloc(8)),
      frame(TYPE.continuation, END_HEADERS, 1),
    ],
    comes: CONNECTION_ERROR,
  },
  {
    rule: 'CONTINUATION that continues nothing',
    section: '6.10',
    send: [frame(TYPE.continuation, END_HEADERS, 1, block(GET))],
    comes: CONNECTION_ERROR,
  },
  {
    rule: 'a flood of CONTINUATION',
    section: '10.5.1',
    send: [
      frame(TYPE.headers, END_STREAM, 1, block(GET)),
      ...Array.from({ length: 2_000 }, () =>
        frame(TYPE.continuation, 0, 1, block([['x-a', 'x'.repeat(90)]])),
      ),
    ],
    comes: MALFORMED,
    reaches: '',
  },
  {
    rule: 'a frame of a kind that is not known',
    section: '4.1',
    send: [frame(77, 0, 0), headers(GET)],
    comes: ANSWERED,
  },
  {
    rule: 'a frame that is too long',
    section: '4.2',
    send: [frame(TYPE.headers, 5, 1, Buffer.alloc(16_385))],
    comes: CONNECTION_ERROR,
  },
  {
    rule: 'a stream with an even number',
    section: '5.1.1',
    send: [headers(GET, 2)],
    comes: CONNECTION_ERROR,
  },
  {
    rule: 'DATA before a request',
    section: '5.1',
    send: [DATA('x')],
    comes: CONNECTION_ERROR,
    nginx: ['nothing', 'it passes such frames by'],
  },
  { rule: 'HEADERS of no stream', section: '6.2', send: [headers(GET, 0)], comes: CONNECTION_ERROR },
  {
    rule: 'a PING that is too short',
    section: '6.7',
    send: [frame(TYPE.ping, 0, 0, Buffer.alloc(4))],
    comes: CONNECTION_ERROR,
  },
  {
    rule: 'settings that are cut off',
    section: '6.5',
    send: [frame(TYPE.settings, 0, 0, Buffer.alloc(5))],
    comes: CONNECTION_ERROR,
  },
  {
    rule: 'a window that grows by nothing',
    section: '6.9',
    send: [frame(TYPE.window, 0, 0, number(0))],
    comes: CONNECTION_ERROR,
  },
  {
    rule: 'a window that grows too large',
    section: '6.9.1',
    send: [frame(TYPE.window, 0, 0, number(0x7fff_ffff)), frame(TYPE.window, 0, 0, number(0x7fff_ffff))],
    comes: CONNECTION_ERROR,
  },
  {
    rule: 'a body waits for its window',
    section: '6.9.2',
    send: [
      frame(TYPE.settings, 0, 0, Buffer.concat([number(4, 2), number(0)])),
      headers(GET),
      frame(TYPE.window, 0, 1, number(100)),
    ],
    comes: ANSWERED,
  },
  {
    rule: 'a stream that was reset leaves the next alone',
    section: '6.4',
    send: [headers(GET, 1), frame(TYPE.reset, 0, 1, number(8)), headers(GET, 3)],
    comes: /^(200|RST|stream 3)$/,
  },
  {
    rule: 'a client that says GOAWAY still gets its answer',
    section: '6.8',
    send: [headers(GET), frame(TYPE.goaway, 0, 0, Buffer.alloc(8))],
    comes: ANSWERED,
  },
  {
    // Where Node 20 refuses such a request, it reads memory that it has freed.
    rule: 'a client that says GOAWAY may go on with requests',
    section: '6.8',
    send: [Buffer.concat([frame(TYPE.goaway, 0, 0, Buffer.alloc(8)), headers(GET)])],
    comes: ANSWERED,
    reaches: 'GET a',
  },
  {
    rule: 'streams that are begun and reset at once are bounded',
    section: '10.5',
    send: [
      ...Array.from({ length: 1_500 }, (_, index) => [
        headers(GET, 2 * index + 1),
        frame(TYPE.reset, 0, 2 * index + 1, number(8)),
      ]).flat(),
    ],
    comes: CONNECTION_ERROR,
    isLong: true,
    nginx: ['nothing', 'the version of Debian has no such limit'],
  },
]

import fc from 'fast-check'

/** A message as it is sent: its start line, its headers as written, its body, and how that is framed. */
export interface Message {
  readonly start: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly framing: 'length' | 'chunked' | 'none' | 'close'
  readonly trailers: readonly (readonly [name: string, value: string])[]
}

/** A request that RFC 9112 allows, and what the upstream answers it. */
export interface Exchange {
  readonly method: string
  readonly target: string
  readonly request: Message
  readonly response: Message
}

const of = (alphabet: string, maxLength: number, minLength = 0): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength, maxLength })
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

// RFC 3986, section 3.3, with escapes as they are and dots that mean nothing.
const segment = fc.oneof(
  of(`${LETTERS}-._~!$&'()*+,;=:@`, 10),
  fc.constantFrom('%20', '%2F', '%2f', '%C3%A9', '%00', '%ff', 'a%25b', '...'),
)
const query = fc.oneof(
  fc.constant(''),
  of(`${LETTERS}-._~!$&'()*+,;=:@/?`, 20).map((text) => `?${text}`),
  fc.constantFrom('?', '?a=1&a=2', '?a[]=1', '?q=%F0%9F%98%80', '?x=%zz', '?{}|^`"'),
)
const target = fc
  .tuple(fc.array(segment, { maxLength: 4 }), query)
  // To some, dots alone are other segments.
  .map(([segments, search]) => `${segments.filter((each) => !/^\.{1,2}$/.test(each)).join('/')}${search}`)

const token = of(`${LETTERS}!#$%&'*+-.^_\`|~`, 12, 1)
const text = of(`${LETTERS} \t,;="()/:<>@[]{}?\xe9\xff\x80`, 24).map((value) => value.trim())
const own: fc.Arbitrary<readonly [string, string]> = fc
  .tuple(token, text)
  .map(([name, value]) => [`X-${name}`, value] as const)
const known: typeof own = fc.constantFrom(
  ...([
    ['Accept', '*/*;q=0.1, text/html'],
    ['ACCEPT-ENCODING', 'gzip, br;q=0'],
    ['Authorization', 'Basic YTpi'],
    ['Cookie', 'a=b; c="d"'],
    ['If-None-Match', 'W/"a", "b"'],
    ['If-Modified-Since', 'Sat, 29 Oct 1994 19:43:31 GMT'],
    ['Range', 'bytes=0-1,3-'],
    ['User-Agent', 'Mozilla/5.0 (X11; (nested) "quoted")'],
    ['Referer', 'http://other.example/?a=b'],
    ['X-Empty', ''],
    ['content-type', 'application/json; charset="utf-8"'],
    ['Content-Encoding', 'x-own'],
    ['Forwarded', 'for=192.0.2.1;proto=https'],
    ['Priority', 'u=1, i'],
  ] as const),
)
const back: typeof own = fc.constantFrom(
  ...([
    ['Set-Cookie', 'a=b; Path=/; HttpOnly'],
    ['Set-Cookie', 'a=c; Expires=Sat, 29 Oct 2044 19:43:31 GMT'],
    ['ETag', 'W/"x"'],
    ['Last-Modified', 'Sat, 29 Oct 1994 19:43:31 GMT'],
    ['cache-control', 'max-age=60, private="set-cookie"'],
    ['Vary', 'Accept, *'],
    ['WWW-Authenticate', 'Basic realm="a, b", Digest nonce="c"'],
    ['Content-Type', 'text/plain;charset=latin1'],
    ['Content-Range', 'bytes 0-1/9'],
    ['Link', '<https://other.example/x>; rel="next", </y>; rel=prev'],
    ['Retry-After', '0'],
    ['X-Empty', ''],
    ['Access-Control-Allow-Origin', '*'],
  ] as const),
)
// Only cookies are set in several headers of one name, which is not a list (RFC 9110, section 5.3).
const headersOf = (common: typeof own): fc.Arbitrary<Message['headers']> =>
  fc.uniqueArray(fc.oneof(own, common), {
    selector: ([name, value]) => (name === 'Set-Cookie' ? value : name.toLowerCase()),
    maxLength: 8,
  })
const body = fc.oneof(
  of('abc\0\r\n\xff\xe9{}[]":', 40),
  fc.integer({ min: 1, max: 70_000 }).map((length) => 'x'.repeat(length)),
)
const trailers = fc.array(
  fc.tuple(token, text).map(([name, value]) => [`X-T-${name}`, value] as const),
  {
    maxLength: 2,
  },
)
const STATUSES = [
  ...['200 OK', '200 ', '201 Created', '202 Fine By Me', '203 x', '206 Partial Content', '207 Multi-Status'],
  ...[
    '301 Moved Permanently',
    '304 Not Modified',
    '307 Temporary Redirect',
    '400 Bad Request',
    '401 \xc3\xa9',
  ],
  ...['404 Not Found', '409 Conflict', '418 I am a teapot', '429 Slow', '451 x', '500 x', '503 x', '599 x'],
  '204 No Content',
]

/** Exchanges that any gateway passes on. */
export const exchanges: fc.Arbitrary<Exchange> = fc
  .record({
    method: fc.constantFrom(
      'GET',
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
      'REPORT',
    ),
    target,
    headers: headersOf(known),
    body,
    framing: fc.constantFrom('length' as const, 'chunked' as const),
    trailers,
    status: fc.constantFrom(...STATUSES),
    answered: headersOf(back),
    answer: body,
    answerFraming: fc.constantFrom('length' as const, 'chunked' as const, 'close' as const),
    answerTrailers: trailers,
  })
  .map((all) => {
    const hasBody = /^(POST|PUT|PATCH|PROPFIND|REPORT)$/.test(all.method)
    const hasAnswer = all.method !== 'HEAD' && !/^(204|304)/.test(all.status)
    return {
      ...{ method: all.method, target: all.target },
      request: messageOf('', all.headers, hasBody ? all.framing : 'none', all.body, all.trailers),
      response: messageOf(
        `HTTP/1.1 ${all.status}`,
        all.answered,
        hasAnswer ? all.answerFraming : 'none',
        all.answer,
        all.answerTrailers,
      ),
    }
  })

function messageOf(
  start: string,
  headers: Message['headers'],
  framing: Message['framing'],
  text: string,
  after: Message['trailers'],
): Message {
  return {
    ...{ start, headers, framing },
    body: framing === 'none' ? '' : text,
    trailers: framing === 'chunked' ? after : [],
  }
}

/** The bytes of a message. */
export function written({ start, headers, body: content, framing, trailers: after }: Message): Buffer {
  const lines = (pairs: Message['headers']): string =>
    pairs.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = {
    length: `Content-Length: ${content.length}\r\n`,
    chunked: 'Transfer-Encoding: chunked\r\n',
    close: '',
    none: '',
  }[framing]
  const half = Math.ceil(content.length / 2)
  const chunks = [content.slice(0, half), content.slice(half)].filter(({ length }) => length > 0)
  const chunked = `${chunks.map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('')}0\r\n${lines(after)}\r\n`
  const end = framing === 'chunked' ? chunked : content
  return Buffer.from(`${start}\r\n${lines(headers)}${head}Connection: close\r\n\r\n${end}`, 'latin1')
}

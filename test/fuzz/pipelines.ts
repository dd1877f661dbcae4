import fc from 'fast-check'

/** A request of a pipeline, as it is written. */
export interface Written {
  readonly method: string
  /** The text before the target's name, such as `http://b.example/`; nothing for the form of the entry. */
  readonly line: (target: string) => string
  readonly headers: readonly string[]
  readonly framing: Framing
}

/** How a body is framed, and whether RFC 9112 has the request refused for it, with all that comes after. */
interface Framing {
  readonly text: (body: string) => string
  readonly isWrong: boolean
}

export interface Pipeline {
  readonly requests: readonly Written[]
  readonly ending: 'next' | 'half-close' | 'reset' | 'close'
  /** Where the bytes are cut into packets, as parts of the whole. */
  readonly cuts: readonly number[]
}

const right = (text: Framing['text']): Framing => ({ text, isWrong: false })
const wrong = (text: Framing['text']): Framing => ({ text, isWrong: true })
const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

const FRAMINGS: readonly Framing[] = [
  right(() => '\r\n'),
  right((body) => `Content-Length: ${body.length}\r\n\r\n${body}`),
  right((body) => `content-length:${body.length}\r\n\r\n${body}`),
  right((body) => `${CHUNKED}\r\n${chunk(body)}0\r\n\r\n`),
  right((body) => `${CHUNKED}\r\n${chunk(body)}${chunk('more')}0\r\nX-Sum: 1\r\n\r\n`),
  right((body) => `${CHUNKED}Trailer: x-sum\r\n\r\n00${chunk(body)}0;a=b\r\nX-Sum: 1\r\n\r\n`),
  wrong((body) => `Content-Length: 0\r\n${CHUNKED}\r\n${chunk(body)}0\r\n\r\n`),
  wrong((body) => `${CHUNKED}Content-Length: 3\r\n\r\n0\r\n\r\n${body}`),
  wrong((body) => `Content-Length: 0\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  wrong((body) => `Content-Length: 0, ${body.length}\r\n\r\n${body}`),
  wrong((body) => `Content-Length: +0\r\n\r\n${body}`),
  wrong((body) => `Content-Length: -1\r\n\r\n${body}`),
  wrong((body) => `Content-Length : 0\r\n\r\n${body}`),
  wrong((body) => `Transfer-Encoding: xchunked\r\n\r\n${body}`),
  wrong((body) => `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${body}`),
  wrong((body) => `Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${body}`),
  wrong((body) => `${CHUNKED}\r\n0x0\r\n\r\n${body}`),
  wrong((body) => `${CHUNKED}\r\n-1\r\n\r\n${body}`),
  wrong((body) => `${CHUNKED}\r\n4\nabcd\r\n0\r\n\r\n${body}`),
  wrong((body) => `${CHUNKED}\r\n1\r\nab\r\n0\r\n\r\n${body}`),
  wrong((body) => `${CHUNKED}\r\nffffffffffffffffff\r\n${body}`),
]

const token = fc.string({
  unit: fc.constantFrom(...'abcXYZ019-_!#$%&*+.^`|~'.split('')),
  minLength: 1,
  maxLength: 8,
})
const value = fc.string({ unit: fc.constantFrom(...' \tabc,;="()/\xe9\xff'.split('')), maxLength: 12 })
const header = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(token, value).map(([name, text]) => `x-${name}: ${text}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        'Connection: keep-alive',
        'Connection: close',
        'Connection: x-a, x-b',
        'Connection: ,',
        'Keep-Alive: 5',
      ],
      ...[
        'Expect: 100-continue',
        'Expect: tea',
        'TE: trailers',
        'Upgrade: h2c',
        'Via: 1.0 a',
        'Max-Forwards: 0',
      ],
      ...[
        'Connection: Upgrade\r\nUpgrade: websocket',
        'Connection: upgrade\r\nUpgrade: h2c',
        'Range: bytes=0-0',
      ],
      ...[
        'If-None-Match: "a"',
        'If-Match: *',
        'Accept-Encoding: gzip;q=0',
        'Cookie: a=b',
        'Content-Encoding: gzip',
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        'X : a',
        'X\t: a',
        'X: a\r\n b',
        'Xa',
        ': a',
        'X: a\0b',
        'X\0: a',
        'X: a\rb',
        'X: a\nY: b',
        'X(y): a',
      ],
      ...['Host: b.example', 'Host:', `X: ${'a'.repeat(20_000)}`, ' X: a', 'X: \x01'],
    ),
  },
)
const line = fc.oneof(
  { weight: 12, arbitrary: fc.constant((target: string) => `${target} HTTP/1.1`) },
  { weight: 1, arbitrary: fc.constant((target: string) => `${target} HTTP/1.0`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<(target: string) => string>(
      (target) => `${target}#x HTTP/1.1`,
      (target) => `${target} x HTTP/1.1`,
      (target) => target,
      (target) => `${target} HTTP/2.0`,
      (target) => `  ${target} HTTP/1.1`,
      (target) => `${target}?%zz&%00=[]{}| HTTP/1.1`,
      () => '* HTTP/1.1',
    ),
  },
)
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH') },
  { weight: 1, arbitrary: fc.constantFrom('TRACE', 'PROPFIND', 'get', 'FOO', 'G T', 'CONNECT') },
)
const framing = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...FRAMINGS.filter(({ isWrong }) => !isWrong)) },
  { weight: 1, arbitrary: fc.constantFrom(...FRAMINGS.filter(({ isWrong }) => isWrong)) },
)
const request = fc.record({ method, line, headers: fc.array(header, { maxLength: 4 }), framing })

/** Up to five requests on one connection, most of them right. */
export const pipelines: fc.Arbitrary<Pipeline> = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 5 }),
  ending: fc.oneof(
    { weight: 4, arbitrary: fc.constant('next' as const) },
    { weight: 3, arbitrary: fc.constantFrom('half-close' as const, 'reset' as const, 'close' as const) },
  ),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUrlMap, type MappedUrl } from '../../src/http/url-map.ts'

const URLS: readonly MappedUrl[] = [
  { from: 'http://up:8000', to: 'http://gate.local:1' },
  { from: 'https://api.example.com/base', to: 'http://gate.local:1/api' },
  { from: 'https://api.example.com/base/deep', to: 'http://gate.local:1/deep' },
  { from: 'http://[::1]:9', to: 'https://gate.local' },
]
const map = createUrlMap(URLS)

describe('a text', () => {
  it.for([
    ['plain', 'http://up:8000/x', 'http://gate.local:1/x'],
    ['any case', 'HTTP://UP:8000/X', 'http://gate.local:1/X'],
    ['its end', 'http://up:8000', 'http://gate.local:1'],
    ['a sentence', 'at http://up:8000. Or', 'at http://gate.local:1. Or'],
    [
      'JSON',
      String.raw`{"u":"http:\/\/up:8000\/x\nhttp://up:8000"}`,
      String.raw`{"u":"http:\/\/gate.local:1\/x\nhttp://gate.local:1"}`,
    ],
    [
      'JSON in JSON',
      String.raw`"{\"u\":\"https:\\/\\/api.example.com\\/base\""`,
      String.raw`"{\"u\":\"http:\\/\\/gate.local:1\\/api\""`,
    ],
    ['a template', 'href="http:&#x2F;&#x2F;up:8000&#x2F;x"', 'href="http:&#x2F;&#x2F;gate.local:1&#x2F;x"'],
    [
      'a script',
      String.raw`'http\u003a\u002f\u002fup:8000'`,
      String.raw`'http\u003a\u002f\u002fgate.local:1'`,
    ],
    [
      'WebSocket',
      '"ws://up:8000/s" "wss://api.example.com/base"',
      '"ws://gate.local:1/s" "ws://gate.local:1/api"',
    ],
    ['TLS', 'http://[::1]:9/ ws://[::1]:9/', 'https://gate.local/ wss://gate.local/'],
    ['no scheme', '<img src="//up:8000/i.png">', '<img src="//gate.local:1/i.png">'],
    ['the default port', 'https://api.example.com:443/base', 'http://gate.local:1/api'],
    ['the longer path', 'https://api.example.com/base/deep/x', 'http://gate.local:1/deep/x'],
    ['a quotation', '“http://up:8000”', '“http://gate.local:1”'],
    ['another scheme before it', 'git+http://up:8000/x.git', 'git+http://gate.local:1/x.git'],
  ] as const)('has URLs replaced in %s', ([, text, expected]) => {
    expect(inBytes(text, map.text)).toBe(expected)
  })

  it.for([
    ['http://up:80001', 'http://up:8000.example', 'http://up:8000-x', 'http://up:8000@evil'],
    ['http://xup:8000', 'http://x.up:8000', 'http://up:800', 'http://up', 'https://up:8000'],
    ['https://api.example.com/bases', 'https://api.example.com/', 'https://api.example.com:444/base'],
    ['http://api.example.com/base', 'https://api.example.com/base.json', 'https://api.example.com/Base'],
    ['news://up:8000', 'ftp://up:8000', 'a//up:8000', 'http%3A%2F%2Fup:8000', 'up:8000', 'http:/up:8000'],
    ['http://up:8000é', 'http://up:8000ж', 'http://upé:8000', 'https://api.example.com:443@evil/base'],
  ])('keeps %s', (texts) => {
    expect(texts.map((text) => inBytes(text, map.text))).toEqual(texts)
  })
})

describe('a reference', () => {
  it.for([
    ['http://up:8000/login?next=http://up:8000/', 'http://gate.local:1/login?next=http://up:8000/'],
    ['//up:8000/x', '//gate.local:1/x'],
    [
      'https://idp.example/?redirect_uri=http://up:8000/cb',
      'https://idp.example/?redirect_uri=http://up:8000/cb',
    ],
    ['/x', '/x'],
    ['x', 'x'],
    ['', ''],
  ] as const)('%s becomes %s', ([text, expected]) => {
    expect(map.reference(text)).toBe(expected)
  })

  it('that is a path is one of the first server', () => {
    const { reference } = createUrlMap([{ from: 'http://up/base', to: 'http://gate/at' }])
    const paths = ['/base', '/base/x', '/base?q', '/bases', '/', '//other/base', '/\\other/base']
    expect(paths.map(reference)).toEqual([
      '/at',
      '/at/x',
      '/at?q',
      '/bases',
      '/',
      '//other/base',
      '/\\other/base',
    ])
  })
})

const TOKENS = [
  ...['http', 'https', 'ws', 'HTTP', ':', '&#58;', '//', '/', '\\/\\/', '\\/', '&#x2F;', '\\u002f', '\\'],
  ...[
    'up:8000',
    'UP:8000',
    'up',
    ':8000',
    '0',
    'api.example.com',
    ':443',
    '[::1]:9',
    '/base',
    '/deep',
    'base',
  ],
  ...[
    'http://up:8000',
    'https://api.example.com/base',
    'https:\\/\\/api.example.com\\/base\\/deep',
    '//up:8000',
  ],
  ...[
    '.',
    ',',
    ' ',
    '"',
    '\\n',
    '@',
    '-',
    'n',
    '\xe2\x80\x9d',
    '\xc3\xa9',
    '\xe2',
    '\xc2\xa0',
    '\xef\xbc\x8c',
  ],
]
const texts = fc.array(fc.constantFrom(...TOKENS), { maxLength: 14 }).map((parts) => parts.join(''))

describe('a text in pieces', () => {
  it('is rewritten as one that is read letter by letter', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(20), { maxLength: 12 }), (text, lengths) => {
        const { write, end } = map.rewriter()
        let [rest, out] = [text, '']
        for (const length of lengths) {
          out += write(rest.slice(0, length))
          rest = rest.slice(length)
        }
        expect(out + write(rest) + end()).toBe(readSlowly(text))
      }),
      { numRuns: 3_000 },
    )
  })

  it.for([
    ['data: 1\n\n', 'data: 1\n\n'],
    ['a new', 'a new'],
    ['hello htt', 'hello '],
    ['"http://up:8000', '"'],
    ['"http://up:8000"', '"http://gate.local:1"'],
    ['http://up:8000.', ''],
    ['http://up:8000. ', 'http://gate.local:1. '],
    ['https://api.example.com/base/d', ''],
    ['https://api.example.com/base/x', 'http://gate.local:1/api/x'],
  ] as const)('gives all that is decided: %j gives %j', ([text, given]) => {
    expect(map.rewriter().write(text)).toBe(given)
  })
})

function inBytes(text: string, rewrite: (bytes: string) => string): string {
  return Buffer.from(rewrite(Buffer.from(text).toString('latin1')), 'latin1').toString()
}

const SLASH = /(?:\\{0,3}\/|&#x2f;|&#47;|\\u002f|\\x2f)/iy
const COLON = /(?::|&#58;|&#x3a;|\\u003a|\\x3a)/iy

// Looks at each letter in turn for each of the URLs, those with the longest paths first.
function readSlowly(text: string): string {
  const urls = URLS.toSorted((a, b) => b.from.length - a.from.length)
  let out = ''
  for (let at = 0; at < text.length;) {
    const [read] = urls.flatMap((url) => readUrl(text, at, url) ?? [])
    out += read === undefined ? text[at] : read.written
    at = read?.end ?? at + 1
  }
  return out
}

function readUrl(text: string, start: number, { from, to }: MappedUrl) {
  const [url, target] = [new URL(from), new URL(to)]
  const before = text.slice(Math.max(0, start - 6), start)
  let at = start
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const scheme = take(url.protocol === 'https:' ? /https|wss/iy : /http|ws/iy)
  const isTls = target.protocol === 'https:'
  const written = scheme === undefined ? '' : `${/^w/i.test(scheme) ? 'ws' : 'http'}${isTls ? 's' : ''}`
  const colon = scheme === undefined ? '' : take(COLON)
  if (
    scheme === undefined
      ? /[\w:;/\\.~%@-]$/.test(before)
      : /[a-z\d]$/i.test(before) && !/\\([bfnrt]|u[\da-f]{4})$/i.test(before)
  )
    return undefined
  const slash = take(SLASH)
  if (colon === undefined || slash === undefined || take(SLASH) === undefined) return undefined
  const host = text.slice(at, at + url.host.length)
  if (host.toLowerCase() !== url.host) return undefined
  at += host.length
  const port = url.port === '' && text.slice(at).startsWith(':443') ? 4 : 0
  for (const skipped of new Set([port, 0])) {
    let end = at + skipped
    let isThere = true
    for (const segment of url.pathname.split('/').filter((each) => each !== '')) {
      SLASH.lastIndex = end
      const found = SLASH.exec(text)?.[0]
      isThere &&= found !== undefined && text.startsWith(segment, end + found.length)
      end += (found?.length ?? 0) + segment.length
    }
    if (isThere && isOver(text.slice(end)))
      return {
        end,
        written: `${written}${colon}${slash}${slash}${target.host}${target.pathname.replace(/\/$/, '').replaceAll('/', slash)}`,
      }
  }
  return undefined
}

function isOver(rest: string): boolean {
  const [first = '', second = ''] = rest
  if (/[.]/.test(first)) return !/[\w-]/.test(second)
  if (first === ':') return !/[\w/]/.test(second)
  if (first < '\x80') return !/[\w%@~+-]/.test(first)
  return /^(\xc2[\xa0-\xbf]|\xe2[\x80\x81]|\xe3\x80|\xef\xbc)/.test(rest)
}

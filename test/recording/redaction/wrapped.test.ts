import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inlineBytes } from '../../../src/recording/exchange.ts'
import { redactHeader } from '../../../src/recording/redaction/redact-exchange.ts'
import { messageRedactor } from '../../../src/recording/redaction/redact-message.ts'
import { redactUrl } from '../../../src/recording/redaction/redact-body.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { compileSecrets } from '../../../src/recording/redaction/secrets.ts'
import { exchangeOf } from '../samples.ts'

const REDACTOR = createRedactor({}, Buffer.alloc(32))
const SECRETS = compileSecrets({}, Buffer.alloc(32))
const VALUE = 'x7Kq2mPz9Rt4Lw8B'
/** Known by its form, so that it needs no name. */
const TOKEN = `ghp_${VALUE}${VALUE}Yc1N`
const JSON_TEXT = JSON.stringify({ a: 1, api_token: VALUE })

function redacted(type: string, body: string | Buffer): Buffer {
  const { content } = REDACTOR.exchange(
    exchangeOf({ responseHeaders: [['content-type', type]], responseBody: body }),
  ).response
  return inlineBytes(content) ?? Buffer.alloc(0)
}

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString()
const inJson = (text: string): string => JSON.stringify({ payload: text })
const payloadOf = (bytes: Buffer): string => (JSON.parse(bytes.toString()) as { payload: string }).payload
const swapped = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
const references = (text: string): string => text.replaceAll(/./g, (each) => `&#${each.charCodeAt(0)};`)
const inPart = (coding: string, text: string): string =>
  `--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: ${coding}\r\n\r\n${text}\r\n--b--\r\n`
const partOf = (bytes: Buffer): string => /\r\n\r\n(.*)\r\n--b--/s.exec(bytes.toString())?.[1] ?? ''

const xml = '<r><u>1</u><apiToken>x7Kq2mPz9Rt4Lw8B</apiToken></r>'

/** What a body is, and the text that is to be found in it when it is unwrapped. */
const WRAPPED: readonly (readonly [
  what: string,
  type: string,
  body: string | Buffer,
  unwrap: (bytes: Buffer) => string,
])[] = [
  ['gzip', 'application/octet-stream', gzipSync(JSON_TEXT), (bytes) => gunzipSync(bytes).toString()],
  [
    'UTF-16',
    'text/plain',
    Buffer.from(`\ufeffapi_token=${VALUE}\né`, 'utf16le'),
    (bytes) => bytes.toString('utf16le'),
  ],
  [
    'UTF-16 from its other end',
    'text/plain',
    swapped(`api_token=${VALUE}`),
    (bytes) => bytes.swap16().toString('utf16le'),
  ],
  [
    'gzip in base64',
    'application/json',
    inJson(base64(gzipSync(JSON_TEXT))),
    (bytes) => gunzipSync(Buffer.from(payloadOf(bytes), 'base64')).toString(),
  ],
  ['XML in base64', 'application/json', inJson(base64(xml)), (bytes) => fromBase64(payloadOf(bytes))],
  [
    'lines in base64',
    'application/json',
    inJson(base64(`a=123\napi_token=${VALUE}\n`)),
    (bytes) => fromBase64(payloadOf(bytes)),
  ],
  [
    'base64 in base64',
    'application/json',
    inJson(base64(base64(JSON_TEXT))),
    (bytes) => fromBase64(fromBase64(payloadOf(bytes))),
  ],
  [
    'base64 in a data URL',
    'application/json',
    inJson(`data:application/json;base64,${base64(JSON_TEXT)}`),
    (bytes) => fromBase64(payloadOf(bytes).split(',')[1] ?? ''),
  ],
  [
    'JSON that is percent-encoded',
    'application/json',
    inJson(encodeURIComponent(JSON_TEXT)),
    (bytes) => decodeURIComponent(payloadOf(bytes)),
  ],
  [
    'JSON that is so twice',
    'application/json',
    inJson(encodeURIComponent(encodeURIComponent(JSON_TEXT))),
    (bytes) => decodeURIComponent(decodeURIComponent(payloadOf(bytes))),
  ],
  [
    'XML with elements that pages have, too',
    'application/json',
    inJson(xml.replaceAll('u>', 'a>')),
    payloadOf,
  ],
  ['XML in an element', 'application/xml', `<r><b>${xml.replaceAll('<', '&lt;')}</b></r>`, String],
  ['JSON in an element', 'application/xml', `<r><b>${JSON_TEXT.replaceAll('"', '&quot;')}</b></r>`, String],
  ['character references', 'application/xml', `<r><b>${references(TOKEN)}</b></r>`, String],
  [
    'a part in quoted-printable',
    'multipart/form-data; boundary=b',
    inPart('quoted-printable', `api_token=3D${VALUE}`),
    (bytes) => partOf(bytes).replaceAll('=3D', '='),
  ],
  [
    'a part in base64',
    'multipart/form-data; boundary=b',
    inPart('base64', base64(`<a><apiToken>${VALUE}</apiToken></a>`)),
    (bytes) => fromBase64(partOf(bytes)),
  ],
]

it.for(WRAPPED)('hides a secret in %s', ([, type, body, unwrap]) => {
  const before = unwrap(Buffer.from(body))
  const after = unwrap(redacted(type, body))
  expect(before).toMatch(new RegExp(`${VALUE}|&#103;`))
  expect(after).not.toMatch(new RegExp(`${VALUE}|&#103;`))
  expect(after).toMatch(/(?:redacted-|~)[0-9a-f]{15}/)
})

it('leaves what gzip holds as it was sent without a secret, and an archive whose digest is known', () => {
  const [plain, archive] = ['{"a":1}', `ustar\0${JSON_TEXT}`].map((text) => gzipSync(text))
  for (const body of [plain, archive]) expect(redacted('application/gzip', body as Buffer)).toEqual(body)
})

const [LONG, OTHER] = [Buffer.of(0xd9, VALUE.length), Buffer.of(0x1d, 0xff, 0xfe)]
const framed = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat([...parts.map((part) => Buffer.from(part)), OTHER])

describe('messages of binary formats', () => {
  it.for([
    ['MessagePack', framed(Buffer.of(0x81, 0xa9), 'api_token', LONG, VALUE), VALUE],
    ['MessagePack, short', framed(Buffer.of(0x81, 0xa9), 'api_token', Buffer.of(0xa0 | 16), VALUE), VALUE],
    ['CBOR', framed(Buffer.of(0xa1, 0x69), 'api_token', Buffer.of(0x60 | 16), VALUE), VALUE],
    ['CBOR, long', framed(Buffer.of(0xa1, 0x69), 'api_token', Buffer.of(0x78, 32), VALUE, VALUE), VALUE],
    ['BSON', framed(Buffer.of(2), 'password\0', Buffer.of(11, 0, 0, 0), 'sunshine12\0'), 'sunshine12'],
    ['ends of zero', framed(Buffer.of(0), `host\0db\0api_token\0${VALUE}\0`), VALUE],
    ['Protocol Buffers', framed(Buffer.of(0x12, TOKEN.length), TOKEN), TOKEN],
    ['a map of them', framed(Buffer.of(0x0a, 9), 'api_token', Buffer.of(0x12, 16), VALUE), VALUE],
    ['a text before one', framed(Buffer.of(0x0a, 3), 'abcB', Buffer.of(TOKEN.length), TOKEN), TOKEN],
    ['lines between other bytes', framed(Buffer.of(0, 0xff), `a=1\napi_token=${VALUE}\n`), VALUE],
  ] as const)('keep their lengths without secrets: %s', ([, body, secret]) => {
    const after = redacted('application/octet-stream', body)
    expect(body.includes(secret)).toBe(true)
    expect(after.includes(secret)).toBe(false)
    expect(after).toHaveLength(body.length)
  })

  it('have none hidden where a name is a word among others', () => {
    const body = framed(
      Buffer.of(0),
      'token',
      Buffer.of(0),
      'initialize_all_of_them',
      Buffer.of(0),
      'secret',
      Buffer.of(0),
    )
    expect(redacted('application/octet-stream', body)).toEqual(body)
  })

  it('are looked into in a WebSocket, and where they are a text', () => {
    const body = framed(Buffer.of(0x12, TOKEN.length), TOKEN)
    const message = { type: 'send', time: 1, opcode: 2, data: base64(body) } as const
    const { data } = messageRedactor([], SECRETS)(message)
    expect(Buffer.from(data, 'base64').includes(TOKEN)).toBe(false)
    expect(
      redacted('application/x-protobuf', `\x12${String.fromCharCode(TOKEN.length)}${TOKEN}`).includes(TOKEN),
    ).toBe(false)
  })

  it('are hidden in where the same secret stands elsewhere', () => {
    const body = framed(Buffer.of(0x0a, 0xff), VALUE)
    const { content } = REDACTOR.exchange(
      exchangeOf({
        requestHeaders: [['authorization', `Bearer ${VALUE}`]],
        responseHeaders: [['content-type', 'image/png']],
        responseBody: body,
      }),
    ).response
    expect(inlineBytes(content)?.includes(VALUE)).toBe(false)
  })
})

it('hides a secret in the path of a cookie, and in base64 that is a segment of a path', () => {
  const header = { name: 'Set-Cookie', value: `theme=dark; Path=/a/${TOKEN}; Secure` }
  expect(redactHeader(header, SECRETS).value).toMatch(/^theme=dark; Path=\/a\/redacted-[0-9a-f]{16}; Secure$/)
  const { cookies } = REDACTOR.exchange(
    exchangeOf({ responseHeaders: [['set-cookie', header.value]] }),
  ).response
  expect(JSON.stringify(cookies)).not.toContain(TOKEN)
  const [, segment = ''] = redactUrl(`/x/${Buffer.from(JSON_TEXT).toString('base64url')}`, SECRETS).split(
    '/x/',
  )
  expect(fromBase64(segment)).toMatch(/^\{"a":1,"api_token":"redacted-[0-9a-f]{16}"\}$/)
})

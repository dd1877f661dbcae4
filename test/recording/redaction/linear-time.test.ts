import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { redactBody } from '../../../src/recording/redaction/redact-body.ts'
import { collectSecrets, compileSecrets } from '../../../src/recording/redaction/secrets.ts'

const SECRETS = compileSecrets({})
const LENGTH = 2 ** 18

/** What makes a rule begin over and over: its beginning, its middle without an end. */
const WORST: Readonly<Record<string, readonly (readonly [unit: string, before?: string])[]>> = {
  'text/plain': [
    ['"'],
    ['\\"'],
    ["'\\"],
    ['a="'],
    ['a=\'"'],
    ['a=%41'],
    ['a:5432:'],
    ['machine a '],
    [' -u a -p '],
    ['acme_live_'],
    ['{SSHA}A'],
    ['AUTH a\n'],
    ['*2\r\n$4\r\nAUTH\r\n'],
    ['a LOGIN b '],
    ['ab://a:bbbbbb/'],
    ['sqlplus a/bbb'],
    ['prod:a-b-1|'],
    ['/hook/1'],
    ['ab: "x\\'],
    [`a="b='`],
    [' ', '"token'],
    ['a:', 'x'],
    [' \t', 'ab: x'],
    [' \r', 'ab: x'],
    ['//a'],
    ['&a'],
    ['%26a'],
    ['eyJa.'],
    ['-eyJ'],
    ['-----BEGIN A'],
    ['-----BEGIN PRIVATE KEY-----'],
    ['PRIVATE KEY', '-----BEGIN '],
    [' ya29.'],
    ['sk-'],
    ['Bearer '],
    ['hooks.slack.com/services/'],
    ['eyJa-'],
    ['.eyJa'],
    [' key-a1'],
    ['/sk-'],
    ['=live_'],
    ['pi_a'],
    [' password'],
    ['--token '],
    ['token=a'],
    ['/reset'],
    ['/reset/%41'],
    ['PuTTY-User-Key-File-2:'],
    ['/webhookb2/'],
    ['MTA'],
    ['x~', '\0'],
    ['token~', '\0'],
    ['a\0abcdefgh\t'],
    ['/%2525'],
    ['%25', '/'],
    ['machine a login '],
    ['password: |\n'],
    ['a: |\n '],
    [' password: |\n  \n'],
    ['AQEa-'],
    ['AAA%3Da'],
    ['2/1'],
    ['data:\n', 'kind: Secret\n'],
    [' a: b\n', 'kind: Secret\ndata:\n'],
    ['acme_live_A1b2C3'],
    ['A1b2C3d4', 'acme_'],
    ['$ANSIBLE_VAULT;1.1;AES256\n'],
    ['---- BEGIN SSH2 '],
    ['-----BEGIN OpenVPN Static key V1-----'],
    ['$2b$12$'],
    ['$argon2id$v=19$m=1$'],
    ['a+AStA', 'x'],
    ['PuTTY-User-Key-File-2: a\n'],
    ['curl -u a:'],
    ['--token "'],
    ['password is '],
    ['identified by '],
    ['name, "'],
    ['a: B = "'],
    ['password&quot;'],
    ['s:8:"password";s:1:"'],
    ['apiKeys:\n  - a\n'],
    ['apiKeys:\n'],
    ['  - a\n', 'apiKeys:\n'],
    ['{"password":{"description":', 'x'],
    ['INSERT INTO a (b) VALUES ('],
    ["(1,'", 'INSERT INTO a (token) VALUES '],
    ['COPY a (token) FROM stdin;\n'],
    ['- name: token\n'],
    ['ENV TOKEN '],
    ['redis-cli '],
    ['WIFI:P;'],
    ['| token '],
    ['| token | a', '|--'],
    ['\u0022'],
    ['token='],
    ['a=b='],
    ['token("'],
    ['token=a?'],
    ['token:a||"'],
    ['name:"a",value:"'],
    ['createHmac('],
    ['eyJa'],
    ['%7B%22'],
    ['[redacted]" +'],
    ['login("a",'],
    ['setPassword("'],
    ['"a1b2c3"=='],
    ['token=[['],
    ['variable "token" {'],
    ['password for a is '],
    ['token:\n '],
    ['a|b\n--|--\n'],
    ['token: \x60'],
    ['a="""'],
  ],
  'text/javascript': [
    ['\x60${'],
    ['token: a1b2c3d4\n\x60'],
    ['token /*'],
    ['token: //'],
    ['\\u0041'],
    ['/['],
  ],
  'text/csv': [
    ['"', 'a,password\n'],
    [',"', 'a,password\n'],
    ['\n', 'password\n'],
  ],
  'text/html': [
    ['<script>'],
    ['<style '],
    ['<input '],
    ['<meta name='],
    [' ', '<input name'],
    ['<a b="&quot;'],
    ['b="&quot;"', '<a '],
    ['<td>token</td>'],
    ['<dt>', '</dt>'],
    ['API key is <code>'],
    ['<textarea name='],
    ['<select id=token>'],
    ['<option value=', '<select id=token>'],
    ['>nH97Bmp69LnPE3Vuqisu</a'],
    ['<clipboard-copy '],
    ['data-clipboard-text="aB3dE5gH7jK9mN1p'],
    ['token</b><b>'],
    ['token</b><input '],
  ],
  'application/xml': [
    ['<a'],
    ['<a>'],
    ['<a b'],
    ['<a><![CDATA['],
    ['<a><![CDATA[]'],
    ['<a key="'],
    ['<a name=b '],
    ['<password>'],
    ['<key>password</key>'],
    ['<![CDATA['],
    ['&lt;password&gt;', '<a>'],
    ['<password>&a;</password>'],
    ['<!ENTITY a "', '<password>&a;</password>'],
  ],
  'text/event-stream': [['data:{\n'], ['data:\r'], ['a:"']],
  'multipart/form-data; boundary=b': [
    [' ', '--b\r\nContent-Type: a'],
    [';', '--b\r\nContent-Disposition: a'],
  ],
}

// Where a rule takes the square of the length, each of these takes minutes.
describe.for(Object.entries(WORST))('%s on one line', ([type, cases]) => {
  it.for(cases)('is looked into in linear time where %j goes on and on', ([unit, before = '']) => {
    const tail = type.startsWith('multipart')
      ? '\r\n\r\n\n?token=s3cret-tail\r\n--b--'
      : ' \n?token=s3cret-tail'
    const text = before + unit.repeat(LENGTH / unit.length) + tail
    const redacted = redactBody(text, type, SECRETS)
    expect('text' in redacted && redacted.text.length > 0).toBe(true)
    expect(JSON.stringify(redacted)).not.toContain('s3cret-tail')
  })
})

it.for([
  ['{"fields":["a', '"]},', '['],
  ['A', '', '{"encoding":"base64","a":"'],
])('JSON is looked into in linear time where %j goes on and on', ([unit = '', end = '', before = '']) => {
  const text = before + (unit + end).repeat(LENGTH / unit.length) + (before === '[' ? '0]' : '"}')
  expect(redactBody(text, 'application/json', SECRETS)).toEqual({ text })
})

it('looks for words of dictionaries within each other a few times only', () => {
  const words = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`day${at}`, 'nice weather']))
  const nested = Array.from({ length: 20 }).reduce<object>(
    (inner) => ({ inner, ...words, pass: 'weekend' }),
    {},
  )
  const redacted = redactBody(JSON.stringify(nested), 'application/json', SECRETS)
  // The inner 12 of 20 take four times the length: 1/20 and 2/20 and so on.
  expect('text' in redacted && redacted.text.split('"pass":"weekend"').length - 1).toBe(12)
})

it('looks at a sentence of very many words once to find that it labels no token', () => {
  for (const words of ['this is a text '.repeat(20), 'a1 of b '.repeat(40)])
    expect(redactBody(JSON.stringify({ token: `${words}.` }), 'application/json', SECRETS)).toEqual({
      text: '{"token":"[redacted]"}',
    })
})

// V8 takes `includes` for pure, and moved it into the loop over the elements once that was hot.
it('XML is looked into in linear time also by code that is optimized', () => {
  const text = `<a>${'<b name="c"/><d>e</d>\n'.repeat(20_000)}</a>`
  const begin = performance.now()
  for (let round = 0; round < 6; round++)
    expect(redactBody(text, 'application/xml', SECRETS)).toEqual({ text })
  expect(performance.now() - begin).toBeLessThan(4000)
})

it('looks into a few megabytes of what is compressed in an exchange, and into no more', () => {
  const secrets = collectSecrets(SECRETS, new Set())
  const small = gzipSync('{"password":"hunter2"}').toString('base64')
  const large = gzipSync(' a=b c\n'.repeat(2 ** 17)).toString('base64')
  const first = redactBody(JSON.stringify([small, large]), 'application/json', secrets)
  expect(JSON.stringify(first)).not.toContain(small)
  expect(redactBody(JSON.stringify(Array(12).fill(large)), 'application/json', secrets)).toHaveProperty(
    'text',
  )
  expect(JSON.stringify(redactBody(JSON.stringify([small]), 'application/json', secrets))).toContain(small)
})

it('leaves out what is in parts within parts within parts', () => {
  const nest = (depth: number): string =>
    Array.from({ length: depth }).reduce<string>(
      (inner, _, at) =>
        `--b${at}\r\nContent-Type: multipart/mixed; boundary=b${at - 1}\r\n\r\n${inner}\r\n--b${at}--`,
      '--b-1\r\n\r\nwords\r\n--b-1--',
    )
  const bodyOf = (depth: number): string =>
    JSON.stringify(redactBody(nest(depth), `multipart/mixed; boundary=b${depth - 1}`, SECRETS))
  expect(bodyOf(9)).toContain('words')
  expect(bodyOf(10)).not.toContain('words')
})

describe('a word of megabytes', () => {
  const word = 'a1'.repeat(2 ** 22)

  // V8 has no stack for a pattern that takes it letter by letter.
  it('is left out where it begins as a secret does', () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])
      expect(redactBody(`bearer ${word}`, type, SECRETS)).toEqual({
        omitted: 'with a word of megabytes, so it could not be checked for secrets',
      })
  })

  it('is kept where it is base64, in one line or several', () => {
    for (const base64 of [word, `${word}==`, 'a1b+\n'.repeat(2 ** 21)]) {
      const text = JSON.stringify({ file: base64 })
      expect(redactBody(text, 'application/json', SECRETS)).toEqual({ text })
    }
    expect(redactBody(`file=${word}`, 'application/x-www-form-urlencoded', SECRETS)).toEqual({
      text: `file=${word}`,
    })
  })
})

describe('a pattern of users', () => {
  it('is not made slow by any text', () => {
    const secrets = compileSecrets({ patterns: ['(a+)+$'] })
    const text = `${'a'.repeat(2 ** 16)}b`
    expect(redactBody(text, 'text/plain', secrets)).toEqual({ text })
    expect(redactBody(`${text}aa`, 'text/plain', secrets)).toEqual({ text: `${text}~~` })
  })
})

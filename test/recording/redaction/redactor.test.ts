import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exchangeOf, REDACTOR } from '../samples.ts'
import { OptionInvalid, RecordingUnusable } from '../../../src/errors.ts'
import { loadPseudonymKey } from '../../../src/recording/redaction/pseudonym-key.ts'
import { alignChunks } from '../../../src/recording/redaction/align-chunks.ts'
import { redactForm } from '../../../src/recording/redaction/redact-body.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { compileSecrets, withoutPseudonyms } from '../../../src/recording/redaction/secrets.ts'

const HIDDEN = '%5Bredacted%5D'
const SECRET = 'pl4nted-s3cret'

describe('an exchange', () => {
  it.for([
    ['Authorization', `Bearer ${SECRET}`, 'Bearer [redacted]'],
    ['authorization', 'Bearer planted-secret', 'Bearer [redacted]'],
    ['X-Api-Token', 'Api Token', '[redacted]'],
    ['proxy-authorization', `Basic ${SECRET}`, 'Basic [redacted]'],
    ['X-API-Key', SECRET, '[redacted]'],
    ['x-csrf-token', SECRET, '[redacted]'],
    ['Cookie', `a=${SECRET}; b=${SECRET}=x;c=`, 'a=[redacted]; b=[redacted];c='],
    ['Cookie', SECRET, '[redacted]'],
    ['Set-Cookie', `sid=${SECRET}; Path=/; HttpOnly`, 'sid=[redacted]; Path=/; HttpOnly'],
    ['Set-Cookie', `${SECRET}; Path=/`, '[redacted]; Path=/'],
    ['Referer', `/a?token=${SECRET}`, '/a?token=%5Bredacted%5D'],
    ['Link', `</a?token=${SECRET}>; rel=next`, '</a?token=%5Bredacted%5D>; rel=next'],
    ['X-Arg', `{"token":"${SECRET}"}`, '{"token":"[redacted]"}'],
    ['Accept', 'text/html;q=0.9', 'text/html;q=0.9'],
    ['X-Next-Page-Token', 'p2', 'p2'],
  ] as const)('writes the header %s: %s as %s', ([name, value, expected]) => {
    const headers = [[name, value] as const]
    const exchange = REDACTOR.exchange(
      exchangeOf({ requestHeaders: headers, responseHeaders: headers, trailers: headers }),
    )

    expect(exchange.request.headers).toEqual([{ name, value: expected }])
    expect(exchange.response.headers).toEqual([{ name, value: expected }])
    expect(exchange.response._trailers).toEqual([{ name, value: expected }])
    expect(JSON.stringify(exchange)).not.toContain(SECRET)
  })

  it('hides secrets in the URL, the query and where the response redirects to', () => {
    const exchange = REDACTOR.exchange(
      exchangeOf({
        url: `https://ann:${SECRET}@api.example.com/a?page=2&token=${SECRET}&next=/?sig=${SECRET}`,
        responseHeaders: [['Location', `/cb?page=3#access_token=${SECRET}`]],
      }),
    )

    expect(exchange.request.url).toMatch(
      /^https:\/\/.*@api\.example\.com\/a\?page=2&token=%5Bredacted%5D&next=/,
    )
    expect(exchange.request.queryString).toEqual([
      { name: 'page', value: '2' },
      { name: 'token', value: '[redacted]' },
      { name: 'next', value: '/?sig=%5Bredacted%5D' },
    ])
    expect(exchange.response.redirectURL).toBe('/cb?page=3#access_token=%5Bredacted%5D')
    expect(JSON.stringify(exchange)).not.toContain(SECRET)
  })

  it('keeps the names of cookies', () => {
    const exchange = REDACTOR.exchange(
      exchangeOf({
        requestHeaders: [['cookie', `a=${SECRET}`]],
        responseHeaders: [['set-cookie', `b=${SECRET}; Secure`]],
      }),
    )

    expect(exchange.request.cookies).toEqual([{ name: 'a', value: '[redacted]' }])
    expect(exchange.response.cookies).toEqual([{ name: 'b', value: '[redacted]', secure: true }])
  })

  it('looks into both bodies', () => {
    const exchange = REDACTOR.exchange(
      exchangeOf({
        requestHeaders: [['content-type', 'application/x-www-form-urlencoded']],
        requestBody: `password=${SECRET}`,
        responseHeaders: [['content-type', 'application/json']],
        responseBody: `{"access_token":"${SECRET}"}`,
      }),
    )

    expect(exchange.request.postData?.text).toBe('password=%5Bredacted%5D')
    expect(exchange.response.content.text).toBe('{"access_token":"[redacted]"}')
  })

  it('looks into text of other character sets byte by byte', () => {
    const body = Buffer.from(`{"name":"caf\u00e9","token":"${SECRET}"}`, 'latin1')
    const headers = [['content-type', 'application/json; charset=iso-8859-1']] as const
    const exchange = REDACTOR.exchange(
      exchangeOf({
        requestHeaders: headers,
        requestBody: body,
        responseHeaders: headers,
        responseBody: body,
      }),
    )

    expect(exchange.response.content.encoding).toBe('base64')
    expect(exchange.request.postData?._encoding).toBe('base64')
    expect(Buffer.from(exchange.response.content.text ?? '', 'base64').toString('latin1')).toBe(
      '{"name":"caf\u00e9","token":"[redacted]"}',
    )
    expect(exchange.request.postData?.text).toBe(exchange.response.content.text)
  })

  it('leaves out a body that does not have the shape of its type', () => {
    const headers = [['content-type', 'application/json']] as const
    const utf16 = Buffer.from(`{"token":"${SECRET}"}\u00e9`, 'utf16le')
    const exchange = REDACTOR.exchange(
      exchangeOf({
        requestHeaders: headers,
        requestBody: '{',
        responseHeaders: headers,
        responseBody: utf16,
      }),
    )

    const of = {
      mimeType: 'application/json',
      _omitted: 'not valid JSON, so it could not be checked for secrets',
    }
    expect(exchange.request.postData).toEqual({ ...of, _bodySha256: hash('sha256', '{') })
    const { length: size } = utf16
    expect(exchange.response.content).toEqual({ ...of, size, _bodySha256: hash('sha256', utf16) })
  })

  it('leaves binary bodies and absent ones as they are', () => {
    const exchange = exchangeOf({
      responseHeaders: [['content-type', 'image/png']],
      responseBody: Buffer.from([0x89, 0xff]),
    })

    expect(REDACTOR.exchange(exchange)).toEqual(exchange)
  })

  it('keeps a planted secret in no form or query', () => {
    const harmless = fc.tuple(fc.string(), fc.string())
    const secret = fc
      .constantFrom('token', 'api_key', 'Password')
      .map((name) => [name, SECRET] as [string, string])

    fc.assert(
      fc.property(fc.array(fc.oneof(harmless, secret)), (pairs) => {
        const form = new URLSearchParams(pairs).toString()
        const exchange = exchangeOf({
          url: `https://h/?${form}`,
          requestHeaders: [['content-type', 'application/x-www-form-urlencoded']],
          requestBody: form,
        })
        expect(JSON.stringify(REDACTOR.exchange(exchange))).not.toContain(SECRET)
      }),
    )
  })
})

describe('a URL', () => {
  it.for([
    ['https://u:p@host/a?b=1', `https://${HIDDEN}:${HIDDEN}@host/a?b=1`],
    ['/_view/by?key=%22blue%22&key=[%222024%22,7]', '/_view/by?key=%22blue%22&key=[%222024%22,7]'],
    ['/_view/by?key=%22AIzaSyD3x9Kq7Lm2Np%22', `/_view/by?key=${HIDDEN}`],
    ['https://h/services;key=a8fb9bcd52684b7a/wms?a=1', `https://h/services;key=${HIDDEN}/wms?a=1`],
    ['/otp/ubuntu-20.04/builds.txt', '/otp/ubuntu-20.04/builds.txt'],
    ['/cb?page=2&API-Key=s3cret&key=AIza&x', `/cb?page=2&API-Key=${HIDDEN}&key=${HIDDEN}&x`],
    ['/a;jsessionid=s3cret?x=1', `/a;jsessionid=${HIDDEN}?x=1`],
    ['/cb#access_token=s3cret&token_type=bearer', `/cb#access_token=${HIDDEN}&token_type=bearer`],
    ['/cb?token=it%27s+"my"<s3cret>#top', `/cb?token=${HIDDEN}#top`],
    ['/go?to=%2Fa%3Ftoken%3Ds3cret', `/go?to=${encodeURIComponent(`/a?token=${HIDDEN}`)}`],
    ['/go?filter=%7B%22token%22%3A%22s%22%7D', `/go?filter=${encodeURIComponent('{"token":"[redacted]"}')}`],
    ['/a?eyJhbGciOiJ9.eyJzdWIiOiIx.sig', '/a?[redacted]'],
  ])('hides the secrets of %s', ([url, expected]) => {
    expect(REDACTOR.url(url ?? '')).toBe(expected)
  })

  it.for([[''], ['https://host/a?page_token=x&q=a+b%20c#frag'], ['/a?'], ['/a?b=1?c=2']])(
    'leaves %s as it is',
    ([url = '']) => {
      expect(REDACTOR.url(url)).toBe(url)
    },
  )
})

describe('a form', () => {
  it('hides secret fields and keeps the writing of the others', () => {
    expect(redactForm('user=a+b&user%5Bpassword%5D=s3cret&a=%zz', compileSecrets({}))).toBe(
      `user=a+b&user%5Bpassword%5D=${HIDDEN}&a=%zz`,
    )
  })
})

describe('a parameter', () => {
  it('hides by name, and looks into what is harmless by name', () => {
    expect(REDACTOR.parameter('token', 's3cret')).toBe('[redacted]')
    expect(REDACTOR.parameter('next', '/?token=s3cret')).toBe(`/?token=${HIDDEN}`)
  })
})

describe('isSecretName', () => {
  it.for([
    ...[
      'access_token',
      'refreshToken',
      'id_token',
      'token',
      'ID-TOKEN',
      'password',
      'Passwd',
      'pwd',
      'secret',
    ],
    ...[
      'client_secret',
      'api_key',
      'apikey',
      'API Key',
      'authorization',
      'session',
      'session_id',
      'jwt',
      'sig',
    ],
    ...[
      'signature',
      'user[password]',
      'password2',
      'passwordHash',
      'password_confirmation',
      'SecretAccessKey',
    ],
    ...[
      'SecretString',
      'token_value',
      'connectionString',
      'code_verifier',
      'client_assertion',
      'X-Amz-Credential',
    ],
    ...['x-api-key', 'api-key', 'X-Auth-Token', 'X-CSRF-Token', 'Proxy-Authorization', 'X-Hub-Signature-256'],
    ...['Ocp-Apim-Subscription-Key', 'DD-APPLICATION-KEY', 'X-Auth-Key', 'x-functions-key', 'X-XSRF'],
  ])('takes %s for a secret', (name) => {
    expect(compileSecrets({}).isSecretName(name)).toBe(true)
  })

  it.for([
    ...[
      'next_page_token',
      'nextPageToken',
      'page_token',
      'nextToken',
      'continuationToken',
      'next_sync_token',
      'Lock-Token',
      'opaquelocktoken',
      'nextForwardToken',
    ],
    ...[
      'token_type',
      'tokens_used',
      'max_tokens',
      'tokenizer',
      'keyword',
      'key',
      'primary_key',
      'monkey',
      'author',
    ],
    ...[
      'Idempotency-Key',
      'Sec-WebSocket-Key',
      'WWW-Authenticate',
      'secrets',
      'password_expires_at',
      'design',
    ],
    ...['client_assertion_type', 'subject_token_type', 'signed', 'sessions', 'cache-control', 'auth', ''],
  ])('takes %s for harmless', (name) => {
    expect(compileSecrets({}).isSecretName(name)).toBe(false)
  })
})

describe('isSecretParameter', () => {
  it.for(['key', 'Key', 'auth', 'access_token'])('takes %s for a secret', (name) => {
    expect(compileSecrets({}).isSecretParameter(name)).toBe(true)
  })

  it.for(['page_token', 'keyword', 'sort_key', 'workDoneToken'])('takes %s for harmless', (name) => {
    expect(compileSecrets({}).isSecretParameter(name)).toBe(false)
  })
})

describe('rules', () => {
  it('name what is secret, in any spelling', () => {
    const { isSecretName } = compileSecrets({ names: ['x-tenant', 'internal*'] })
    const secret = ['X-Tenant', 'x_tenant', 'internal-id', 'internalKind'].map(isSecretName)
    expect(secret).toEqual([true, true, true, true])
    expect(compileSecrets({ names: ['x-tenant'] }).isSecretName('x-tenant-2')).toBe(false)
    expect(compileSecrets({}).isSecretName('x-tenant')).toBe(false)
  })

  it('except what is none, but not what looks like a secret by itself', () => {
    const rules = { except: ['token', 'theme', 'authorization'], names: ['theme'] }
    const { header } = createRedactor(rules)
    expect(compileSecrets(rules).isSecretName('Token')).toBe(false)
    expect(header({ name: 'Cookie', value: 'theme=dark; sid=x' }).value).toBe('theme=dark; sid=[redacted]')
    expect(header({ name: 'Authorization', value: 'Bearer abc' }).value).toBe('Bearer abc')
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'
    expect(header({ name: 'Authorization', value: `Bearer ${jwt}` }).value).toBe('Bearer [redacted]')
  })

  it('have patterns that hold in texts and numbers, and leave pseudonyms whole', () => {
    const redactor = createRedactor({ patterns: ['\\d{4}', '[a-f]{2,}'] })
    expect(redactor.body('{"a":"pin 1234","b":1234,"token":"x"}', 'application/json')).toEqual({
      text: '{"a":"pin [redacted]","b":"[redacted]","token":"[redacted]"}',
    })
  })

  it.for([
    ['(', /cannot be used/],
    ['a*', /must not fit an empty text/],
    ['a(?=b)', /'\(\?=b\)' looks around/],
    ['(a)\\1', /'\\1' refers back/],
    ['a{2000}', /repeat/],
  ] as const)('cannot have the pattern %s', ([pattern, message]) => {
    expect(() => createRedactor({ patterns: [pattern] })).toThrow(OptionInvalid)
    expect(() => createRedactor({ patterns: [pattern] })).toThrow(message)
  })

  it('are those of one redactor alone, and so is what it found out', () => {
    const [one, other] = [createRedactor({ names: ['x-tenant'] }), createRedactor({ except: ['x-api-key'] })]
    for (let turn = 0; turn < 2; turn++) {
      expect(one.header({ name: 'x-tenant', value: 'a' }).value).toBe('[redacted]')
      expect(other.header({ name: 'x-tenant', value: 'a' }).value).toBe('a')
      expect(one.header({ name: 'x-api-key', value: 'a' }).value).toBe('[redacted]')
      expect(other.header({ name: 'x-api-key', value: 'a' }).value).toBe('a')
    }
  })
})

describe('a pseudonym', () => {
  const hide = (value: string, key?: Buffer): string => createRedactor({}, key).parameter('token', value)

  it('replaces a secret, and shows that one is empty', () => {
    expect(hide('hunter2')).toBe('[redacted]')
    expect(hide('')).toBe('')
  })

  it('is equal for equal secrets, and another for others', () => {
    const key = randomBytes(32)
    expect(hide('hunter2', key)).toMatch(/^redacted-[0-9a-f]{16}$/)
    expect(hide('hunter2', key)).toBe(hide('hunter2', key))
    expect(hide('hunter2', key)).not.toBe(hide('hunter3', key))
    expect(hide(hide('hunter2', key), key)).toBe(hide('hunter2', key))
  })

  it('is another where the key is another', () => {
    const [one, other] = [hide('hunter2', randomBytes(32)), hide('hunter2', randomBytes(32))]
    expect(other).not.toBe(one)
    expect(withoutPseudonyms(`a=${other};`)).toBe(withoutPseudonyms(`a=${one};`))
  })
})

describe('loadPseudonymKey', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sim-key-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('makes a key that only its owner can read, once, however many ask', async () => {
    const state = join(directory, 'state')
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadPseudonymKey(state)))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(keys[0]).toHaveLength(32)
    expect(statSync(join(state, 'redaction.key')).mode & 0o777).toBe(0o600)
    expect(statSync(state).mode & 0o777).toBe(0o700)
  })

  it('refuses a file that is not a key, and says where it is', async () => {
    writeFileSync(join(directory, 'redaction.key'), 'short')
    const failed = loadPseudonymKey(directory)
    await expect(failed).rejects.toThrow(RecordingUnusable)
    await expect(failed).rejects.toThrow(/redaction\.key: it holds 5 bytes, not 32\. SIM_STATE_DIR/)
  })
})

const PSEUDONYM = 'redacted-0123456789abcdef'

function align(before: string, after: string, sizes: readonly number[]): number[] {
  const chunks = sizes.map((bytes, time) => ({ time, bytes }))
  return alignChunks(Buffer.from(before), Buffer.from(after), chunks).map(({ bytes }) => bytes)
}

it('moves the ends of chunks by what was hidden before them', () => {
  expect(align('a=secret&b=1', `a=${PSEUDONYM}&b=1`, [8, 4])).toEqual([2 + PSEUDONYM.length, 4])
  expect(align('a=1&b=secret', `a=1&b=${PSEUDONYM}`, [4, 8])).toEqual([4, 2 + PSEUDONYM.length])
})

it('leaves a pseudonym in one chunk where its secret came in two', () => {
  expect(align('a=secret&b=1', `a=${PSEUDONYM}&b=1`, [4, 8])).toEqual([2 + PSEUDONYM.length, 4])
})

it('goes by length where the text was written anew', () => {
  expect(align('{"a":"x\\/y"}', `{"b":"${PSEUDONYM}"}`, [6, 6])).toEqual([17, 16])
})

it('gives every byte to a chunk, in the order of time', () => {
  const piece = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(null))
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.integer({ min: 1, max: 20 })), (pieces, sizes) => {
      const before = Buffer.from(pieces.map((text) => text ?? 'secret').join(''))
      const after = Buffer.from(pieces.map((text) => text ?? PSEUDONYM).join(''))
      let left = before.length
      const chunks = sizes.flatMap((size, time) => {
        const bytes = Math.min(size, left)
        left -= bytes
        return bytes === 0 ? [] : [{ time, bytes }]
      })
      if (left > 0) chunks.push({ time: sizes.length, bytes: left })
      const aligned = alignChunks(before, after, chunks)
      const sum = aligned.reduce((total, { bytes }) => total + bytes, 0)
      expect(sum).toBe(chunks.length === 0 ? 0 : after.length)
      expect(aligned.every(({ bytes }) => bytes > 0)).toBe(true)
    }),
  )
})

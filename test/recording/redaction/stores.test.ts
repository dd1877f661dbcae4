import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { exchangeOf } from '../samples.ts'

const REDACTOR = createRedactor()

describe('a path', () => {
  const body = '{"value":"a","data":["b"],"name":"c"}'

  it.for(['/v1/secrets', '/secret/7?x=1', 'https://h/a/secrets/b'])('holds secrets: %s', (path) => {
    const expected = { text: '{"value":"[redacted]","data":["[redacted]"],"name":"c"}' }
    expect(REDACTOR.at(path).body(body, 'application/json')).toEqual(expected)
    expect(REDACTOR.at(path).at('/users')).toBe(REDACTOR.at(path))
    const url = new URL(path, 'https://h').href
    const headers = [['content-type', 'application/json']] as const
    const { response } = REDACTOR.exchange(exchangeOf({ url, responseHeaders: headers, responseBody: body }))
    expect(response.content.text).toBe(expected.text)
  })

  it('keeps what a list says of secrets, and nothing else of them', () => {
    const list = (value: string): string =>
      JSON.stringify({
        data: [{ id: 'Kmi1SxIUxMc5Iagk4mMZPe', name: 'mail', created_at: '2026-01-31', note: value }],
      })
    expect(REDACTOR.at('/v1/secrets').body(list('hunter2'), 'application/json')).toEqual({
      text: list('[redacted]'),
    })
  })

  it('hides no id of what is listed', () => {
    const id = '9286a10e-fe08-48ba-9884-8e26e7e67695'
    expect(REDACTOR.url(`/v2/api_keys/${id}`)).toBe(`/v2/api_keys/${id}`)
    expect(REDACTOR.url(`/v2/token/${id}`)).toBe('/v2/token/%5Bredacted%5D')
  })

  it('hides a secret that an answer gave in the path that names it', () => {
    const redactor = createRedactor({}, Buffer.alloc(32, 1))
    const secret = ['*:live.9f3b793b035d5686', 'c8e1a8a98288b884'].join('')
    const type = [['content-type', 'application/json']] as const
    const urls = [`https://h/tokens/${secret}`, `https://h/tokens/${encodeURIComponent(secret)}?of=${secret}`]
    const hidden = (url: string): string => redactor.exchange(exchangeOf({ url })).request.url
    expect(urls.map(hidden)).toEqual(urls)
    const made = exchangeOf({
      url: 'https://h/tokens',
      responseHeaders: type,
      responseBody: JSON.stringify({ secret }),
    })
    const { text = '' } = redactor.exchange(made).response.content
    const { secret: pseudonym = '' } = JSON.parse(text) as { secret?: string }
    expect(urls.map(hidden)).toEqual([
      `https://h/tokens/${pseudonym}`,
      `https://h/tokens/${pseudonym}?of=${pseudonym}`,
    ])
    expect(urls.map((url) => redactor.url(url))).toEqual(urls.map(hidden))
  })

  it.for(['/v1/api-keys', '/auth/keys/7', '/user/tokens?x=1'])('gives keys: %s', (path) => {
    const key = ['9f3b793b035d5686', 'c8e1a8a98288b884'].join('')
    const given = (name: string): string => JSON.stringify({ id: 1, name: 'ci', [name]: key, scopes: ['a'] })
    for (const name of ['key', 'value', 'encoded'])
      expect(REDACTOR.at(path).body(given(name), 'application/json')).toEqual({
        text: given(name).replace(key, '[redacted]'),
      })
    expect(REDACTOR.at(path).body(given('etag'), 'application/json')).toEqual({ text: given('etag') })
    const { text } = REDACTOR.at(path).body('{"key":"ssh-ed25519 AAAAC3Nz"}', 'application/json') as {
      text: string
    }
    expect(text).toContain('AAAAC3Nz')
  })

  it.for(['/users', '/secretary', '/secretsof', '/keyset'])('holds none: %s', (path) => {
    expect(REDACTOR.at(path)).toBe(REDACTOR)
    expect(REDACTOR.at(path).body(body, 'application/json')).toEqual({ text: body })
  })
})

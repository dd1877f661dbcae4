import { describe, expect, it } from 'vitest'
import { redactBody } from '../../../src/recording/redaction/redact-body.ts'

const HIDDEN = '%5Bredacted%5D'
const NO_JSON = { omitted: 'not valid JSON, so it could not be checked for secrets' }

function textOf(text: string, type: string): string {
  const redacted = redactBody(text, type)
  return 'text' in redacted ? redacted.text : redacted.omitted
}

describe('redactBody', () => {
  it('looks into JSON, and into a value a line under the same type', () => {
    expect(textOf('{"token":"s"}', 'application/json')).toBe('{"token":"[redacted]"}')
    expect(textOf('{"token":"s"}\n{"a":1}', 'application/json')).toBe('{"token":"[redacted]"}\n{"a":1}')
    expect(textOf('{"token":"s"}\n', 'application/x-ndjson')).toBe('{"token":"[redacted]"}\n')
    expect(textOf('', 'application/json')).toBe('')
  })

  it('leaves out JSON that cannot be read', () => {
    expect(redactBody('{"token":"s', 'application/json')).toEqual(NO_JSON)
    expect(redactBody('{"token":"s', 'application/x-www-form-urlencoded')).toEqual(NO_JSON)
  })

  it('looks into a form, and into JSON under the type of a form', () => {
    expect(textOf('a=1&password=s', 'application/x-www-form-urlencoded')).toBe(`a=1&password=${HIDDEN}`)
    expect(textOf('{"password":"s"}', 'application/x-www-form-urlencoded')).toBe('{"password":"[redacted]"}')
  })

  it('looks into texts and short binaries as far as they have a shape', () => {
    expect(textOf('{"token":"s"}', 'text/plain')).toBe('{"token":"[redacted]"}')
    expect(textOf('{"token":"s"}\n{"a":1}', '')).toBe('{"token":"[redacted]"}\n{"a":1}')
    expect(textOf('{ a } ?token=s', 'text/css')).toBe(`{ a } ?token=${HIDDEN}`)
    expect(textOf('password=s&b=1', 'text/plain')).toBe(`password=${HIDDEN}&b=1`)
    expect(textOf('<a href="/?token=s">', 'text/html')).toBe(`<a href="/?token=${HIDDEN}">`)
    expect(textOf('{"token":"s"}', 'application/octet-stream')).toBe('{"token":"[redacted]"}')
  })

  it('looks into the elements of XML', () => {
    const xml =
      '<a:Login><a:Password x="1">s</a:Password><Token><![CDATA[s]]></Token><Name>n</Name></a:Login>'

    expect(textOf(xml, 'application/soap+xml')).toBe(
      '<a:Login><a:Password x="1">[redacted]</a:Password><Token>[redacted]</Token><Name>n</Name></a:Login>',
    )
  })
})

describe('redactBody of events', () => {
  it.for([
    ['id: 1\ndata: {"token":"s"}\n\n', 'id: 1\ndata: {"token":"[redacted]"}\n\n'],
    [
      'data: {"token":\r\ndata: "s"}\r\n\r\ndata: [DONE]\r\n',
      'data: {"token":\r\ndata: "[redacted]"}\r\n\r\ndata: [DONE]\r\n',
    ],
    ['data: {"token":\rdata: "s"}\r\rdata: hi\r', 'data: {"token":\rdata: "[redacted]"}\r\rdata: hi\r'],
    ['data: {"a":1}\ndata: {"token":"s"}\n', 'data: {"a":1}\ndata: {"token":"[redacted]"}\n'],
    ['data: {"token":"s', 'data: [redacted]\n'],
    [': /?token=s\n', `: /?token=${HIDDEN}\n`],
    ['', ''],
  ])('hides the secrets of %j', ([text, expected]) => {
    expect(textOf(text ?? '', 'text/event-stream')).toBe(expected)
  })
})

describe('redactBody of several parts', () => {
  const type = 'multipart/form-data; boundary=xyz'
  const part = (head: string, value: string): string => `--xyz\r\n${head}\r\n\r\n${value}\r\n`

  it('hides the secret parts and looks into the others', () => {
    const field = 'Content-Disposition: form-data; name'
    const json = `${field}="doc"\r\nContent-Type: application/json`
    const body = (password: string, token: string, broken: string): string =>
      [
        part(`${field}="password"`, password),
        part(`${field}=api_key`, password),
        part(`${field}="name"`, 'Ann'),
        part(json, `{"token":"${token}"}`),
        part(json, broken),
        '--xyz--\r\n',
      ].join('')

    expect(textOf(body('s', 's', '{"token":"s'), type)).toBe(body('[redacted]', '[redacted]', '[redacted]'))
  })

  it('keeps parts that end early', () => {
    expect(textOf('--xyz\r\n\r\n', type)).toBe('--xyz\r\n\r\n')
    expect(textOf('--xyz\nContent-Type: text/plain\n\nhi', 'multipart/mixed; boundary="xyz"')).toBe(
      '--xyz\nContent-Type: text/plain\n\nhi',
    )
  })

  it.for([['multipart/form-data'], [type]])(
    'leaves out a body of %s whose boundary is not found',
    ([contentType = '']) => {
      expect(redactBody('password', contentType)).toEqual({
        omitted: 'its parts could not be told apart, so it could not be checked for secrets',
      })
    },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REDACTOR } from '../samples.ts'
import {
  type BodyValue,
  formOf,
  OMITTED,
  readBodyValue,
  readMultipart,
} from '../../../src/recording/match/body-value.ts'
import { compileMatch, type MatchOptions } from '../../../src/recording/match/match.ts'

describe('body value', () => {
  const read = (body: string | Buffer, type: string, options: MatchOptions = {}): Promise<BodyValue> =>
    readBodyValue(Buffer.from(body), type, compileMatch(options), REDACTOR)
  const form = async (...args: Parameters<typeof read>): Promise<string> => formOf(await read(...args))
  const JSON_TYPE = 'application/json'
  const FORM = 'application/x-www-form-urlencoded'

  it.for<[string | Buffer, string, BodyValue]>([
    ['', JSON_TYPE, { kind: 'none' }],
    ['{"a":1}', JSON_TYPE, { kind: 'json', value: { a: 1 } }],
    ['null', JSON_TYPE, { kind: 'json', value: null }],
    ['{"a":1}\n\n{"a":2}\n', 'application/x-ndjson', { kind: 'json', value: [{ a: 1 }, { a: 2 }] }],
    ['a=1&b=2', FORM, { kind: 'form', value: { a: '1', b: '2' } }],
    ['{"a":1}', FORM, { kind: 'json', value: { a: 1 } }],
    ['a text', 'text/plain', { kind: 'text', text: 'a text' }],
    ['{"a":', JSON_TYPE, { kind: 'omitted' }],
    [
      Buffer.from([0xff]),
      'image/png',
      { kind: 'bytes', bytes: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    ],
  ])('reads %s as %s', async ([body, type, wanted]) => {
    expect(await read(body, type)).toEqual(wanted)
  })

  it('hides secrets, so that they count as equal', async () => {
    expect(await form('token=a&b=1', FORM)).toBe(await form('b=1&token=c', FORM))
    expect(JSON.stringify(await read('{"password":"s3cret"}', JSON_TYPE))).not.toContain('s3cret')
  })

  it('leaves out what is ignored', async () => {
    const options = { ignoreBody: ['/at'], ignorePatterns: ['\\d{5,}'] }
    expect(await form('{"at":1,"id":123456,"b":["x-99999"]}', JSON_TYPE, options)).toBe(
      await form('{"id":654321,"b":["x-11111"]}', JSON_TYPE, options),
    )
    expect(await form('at 123456', 'text/plain', options)).toBe(await form('at 99999', 'text/plain', options))
    expect(await form('{"123456":1}', JSON_TYPE, options)).toBe(await form('{"99999":1}', JSON_TYPE, options))
    expect(await form('{"id":1234}', JSON_TYPE, options)).not.toBe(
      await form('{"id":4321}', JSON_TYPE, options),
    )
    expect(await form('anything', 'text/plain', { ignoreBody: [''] })).toBe('')
  })

  it('is the same for XML of the same elements, whatever the order of attributes, prefixes and white space', async () => {
    const one =
      '<?xml version="1.0"?>\n<d:report xmlns:d="DAV:" depth="1" rev="2"><d:entry a="&lt;"></d:entry> </d:report>'
    const other = '<report rev="2"  depth="1" xmlns="DAV:">\n  <!-- all --><entry a="&#60;"/>\n</report>'
    const xml = await form(one, 'text/xml; charset=utf-8')
    expect(await form(other, 'application/soap+xml')).toBe(xml)
    for (const changed of [
      other.replace('DAV:', 'svn:'),
      other.replace('rev="2"', 'rev="3"'),
      other.replace('<entry a="&#60;"/>', '<entry a="&#60;"> </entry>'),
    ])
      expect(await form(changed, 'text/xml')).not.toBe(xml)
    for (const text of ['<a><b></a>', `${'<a>'.repeat(150)}${'</a>'.repeat(150)}`])
      expect(await form(text, 'text/xml')).toBe(text)
  })

  it('is the same for JSON of the same value, and for no other', async () => {
    const shuffled = (value: unknown): unknown =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
        const formed = await form(JSON.stringify(one), JSON_TYPE)
        expect(await form(JSON.stringify(shuffled(one), null, 2), JSON_TYPE)).toBe(formed)
        // Names that hold secrets would hide the difference.
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        if (isSame) expect(await form(JSON.stringify(other), JSON_TYPE)).toBe(formed)
      }),
    )
  })

  it('reads JSON with fractions of many digits', async () => {
    const text = '{"ratio":0.12345678901234567,"id":12345678901234567}'
    expect(await read(text, JSON_TYPE)).toMatchObject({
      kind: 'json',
      value: { ratio: Number('0.12345678901234567') },
    })
  })

  it('distinguishes numbers that are too long to be read exactly', async () => {
    const ids = [
      '12345678901234567890',
      '12345678901234567891',
      '"12345678901234567890"',
      '9007199254740993',
      '9007199254740992',
    ]
    const forms = await Promise.all(
      ids.map((id) => form(`{"id": ${id}, "text": "12345678901234567890\\" 1"}`, JSON_TYPE)),
    )
    expect(new Set(forms).size).toBe(ids.length)
    expect(await form('{"id":1000000000000000000}', JSON_TYPE)).toBe(await form('{"id":1e18}', JSON_TYPE))
    expect(await form('[0.1000000000000000000]', JSON_TYPE)).toBe(await form('[0.1]', JSON_TYPE))
  })

  it('distinguishes kinds of bodies', async () => {
    const forms = [
      await form('a=1', FORM),
      await form('{"a":"1"}', JSON_TYPE),
      await form(
        '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
        'multipart/form-data; boundary=x',
      ),
      await form('a=1', 'text/plain'),
      await form('{"a":', JSON_TYPE),
      await form('', JSON_TYPE),
    ]
    expect(new Set(forms).size).toBe(forms.length)
  })

  it('compares JSON by its value', async () => {
    expect(await form('{"a": 1, "b": [1.0, {"c": null}]}', JSON_TYPE)).toBe(
      await form('{"b":[1,{"c":null}],"a":1}', JSON_TYPE),
    )
    expect(await form('{"b":[1,2]}', JSON_TYPE)).not.toBe(await form('{"b":[2,1]}', JSON_TYPE))
    expect(await form('{"a":1}', JSON_TYPE)).not.toBe(await form('{"a":"1"}', JSON_TYPE))
    expect(await form('{"a":1}', 'application/vnd.x+json')).toBe(await form('{ "a": 1 }', JSON_TYPE))
  })

  it('compares anything else by its bytes', async () => {
    expect(await form('a b', 'text/plain')).not.toBe(await form('a  b', 'text/plain'))
    expect(await form(Buffer.from([0xff, 1]), 'image/png')).not.toBe(
      await form(Buffer.from([0xff, 2]), 'image/png'),
    )
    expect(await form(Buffer.alloc(0), 'image/png')).toBe('')
  })

  it('takes secrets as equal, and what a recording leaves out as such', async () => {
    expect(await form('{"password":"a","b":1}', JSON_TYPE)).toBe(
      await form('{"b":1,"password":"c"}', JSON_TYPE),
    )
    expect(await form('{"a":', JSON_TYPE)).toBe(OMITTED)
  })
})

describe('readMultipart', () => {
  const partsOf = (boundary: string): string =>
    [
      'a preamble\r\n',
      '\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\nyou\r\n',
      '\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\0\xff\r\n',
      '\r\nContent-Disposition: form-data; name=note\r\n\r\n\r\n',
      '--\r\n',
    ].join(`--${boundary}`)

  it('reads fields and files by name, whatever the boundary is', async () => {
    const value = {
      note: ['hello\r\nyou', ''],
      file: { filename: 'a.png', type: 'image/png', content: '\0\xff' },
    }
    const wanted = { kind: 'parts', value }
    expect(await readMultipart(partsOf('x1'), 'multipart/form-data; boundary=x1')).toEqual(wanted)
    expect(await readMultipart(partsOf('y 2'), 'multipart/form-data; boundary="y 2"')).toEqual(wanted)
  })

  it('ends a part only where a line begins with the boundary', async () => {
    const text = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\none --x two\r\n--x--\r\n'
    expect(await readMultipart(text, 'multipart/form-data; boundary=x')).toEqual({
      kind: 'parts',
      value: { a: 'one --x two' },
    })
  })

  it('takes what is malformed, or of another kind, for a text with any boundary', async () => {
    const mixed = (boundary: string): string => `--${boundary}\r\n\r\nGET /a\r\n--${boundary}--\r\n`
    const [one, other] = await Promise.all(
      ['p1', 'p2'].map((boundary) => readMultipart(mixed(boundary), `multipart/mixed; boundary=${boundary}`)),
    )
    expect(one).toEqual(other)
    expect(await readMultipart('--x\na: b\n\n1\n--x--', 'multipart/form-data; boundary=x')).toEqual({
      kind: 'text',
      text: '--boundary\na: b\n\n1\n--boundary--',
    })
  })

  it('takes one without a boundary for a text', async () => {
    const text = partsOf('x1')
    expect(await readMultipart(text, 'multipart/form-data')).toEqual({ kind: 'text', text })
  })
})

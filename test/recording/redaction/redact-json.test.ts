import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactJson, redactJsonLines, redactValue } from '../../../src/recording/redaction/redact-json.ts'

describe('redactJson', () => {
  it.for([
    ['{"token":"s3cret"}', '{"token":"[redacted]"}'],
    ['[{"a":{"Pass_Word":"s3cret"}}]', '[{"a":{"Pass_Word":"[redacted]"}}]'],
    ['{"password":12.5e-3,"n":-1}', '{"password":"[redacted]","n":-1}'],
    [
      '{"token":["s3cret",{"id":"s3cret","n":7}],"b":"c"}',
      '{"token":["[redacted]",{"id":"[redacted]","n":"[redacted]"}],"b":"c"}',
    ],
    ['{"tok\\u0065n":"s3cret"}', '{"tok\\u0065n":"[redacted]"}'],
    ['{"token":"s3\\"c\\\\"}', '{"token":"[redacted]"}'],
    ['{"a":"{\\"token\\":\\"s3cret\\"}"}', '{"a":"{\\"token\\":\\"[redacted]\\"}"}'],
    [
      '{"next":"https:\\/\\/u:p@h\\/?token=s"}',
      '{"next":"https://%5Bredacted%5D:%5Bredacted%5D@h/?token=%5Bredacted%5D"}',
    ],
    [
      '{"to":"https%3A%2F%2Fh.example%2F%3Faccess_token%3Ds3cret"}',
      '{"to":"https%3A%2F%2Fh.example%2F%3Faccess_token%3D%5Bredacted%5D"}',
    ],
    ['{"a":{"token":"one"},"a":1}', '{"a":{"token":"[redacted]"},"a":1}'],
    ['\uFEFF{"token":"s3cret"}', '\uFEFF{"token":"[redacted]"}'],
  ])('hides the secrets in %s', ([text, expected]) => {
    expect(redactJson(text ?? '')).toBe(expected)
  })

  it('edits in place, so that white space and big numbers stay', () => {
    const text = '{\n  "id" : 12345678901234567890, "token":"s3cret" ,\t"x": 1.0 }'

    expect(redactJson(text)).toBe('{\n  "id" : 12345678901234567890, "token":"[redacted]" ,\t"x": 1.0 }')
  })

  it('leaves flags, nothing and empty secrets as they are', () => {
    const text = '{"token":null,"password":false,"secret":"","page_token":"p","a":"{b} & [c]","u":"?x=1"}'

    expect(redactJson(text)).toBe(text)
  })

  it('takes a value that is no container', () => {
    expect(redactJson('"text"')).toBe('"text"')
    expect(redactJson('7')).toBe('7')
  })

  it('gives nothing for what is not JSON', () => {
    expect(redactJson('{"token":"s3cret"')).toBeUndefined()
  })

  it('keeps a planted secret at no depth', () => {
    const secret = 'pl4nted-s3cret'
    const json = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 6 }, tie('leaf'), tie('list'), tie('record')),
      leaf: fc.oneof(
        fc.jsonValue(),
        fc.constantFrom('access_token', 'PASSWORD', 'api-key').map((name) => ({ [name]: secret })),
        fc.jsonValue().map((value) => ({ token: [value, { deep: secret }] })),
        fc.constant(`https://api/?access_token=${secret}`),
        fc.constant(JSON.stringify({ refresh_token: secret })),
      ),
      list: fc.array(tie('tree')),
      record: fc.dictionary(fc.string(), tie('tree')),
    })).tree

    fc.assert(
      fc.property(json, fc.nat(4), (value, indent) => {
        const redacted = redactJson(JSON.stringify(value, null, indent))
        expect(redacted).not.toContain(secret)
        expect(() => JSON.parse(redacted ?? '')).not.toThrow()
      }),
    )
  })

  it('changes nothing where there is no secret', () => {
    const harmless = fc
      .jsonValue()
      .filter((value) => !/token|pass|secret|auth|sess|cook|sig/i.test(JSON.stringify(value)))

    fc.assert(
      fc.property(harmless, (value) => {
        const text = JSON.stringify(value)
        expect(redactJson(text)).toBe(text)
      }),
    )
  })
})

describe('redactJsonLines', () => {
  it('redacts each line and keeps empty ones', () => {
    expect(redactJsonLines('{"token":"a"}\n\n{"b":1}\n')).toBe('{"token":"[redacted]"}\n\n{"b":1}\n')
  })

  it('gives nothing when a line is not JSON', () => {
    expect(redactJsonLines('{"a":1}\n{')).toBeUndefined()
  })
})

describe('redactValue', () => {
  it.for([
    ['{"token":"s3cret"}', '{"token":"[redacted]"}'],
    ['{ ?token=s3cret', '{ ?token=%5Bredacted%5D'],
    ['plain', 'plain'],
  ])('redacts %s', ([value, expected]) => {
    expect(redactValue(value ?? '')).toBe(expected)
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactBody } from '../../../src/recording/redaction/redact-body.ts'
import { redactAssignments } from '../../../src/recording/redaction/redact-assignments.ts'
import { redactJson, redactJsonLines, redactValue } from '../../../src/recording/redaction/redact-json.ts'
import { decodeParameter } from '../../../src/recording/redaction/parameters.ts'
import { redactLines } from '../../../src/recording/redaction/redact-lines.ts'
import {
  redactNamed,
  redactShapes,
  redactTags,
  redactText,
} from '../../../src/recording/redaction/redact-text.ts'
import { compileSecrets } from '../../../src/recording/redaction/secrets.ts'

const SECRETS = compileSecrets({})
const HIDDEN = '%5Bredacted%5D'

const NO_JSON = { omitted: 'not valid JSON, so it could not be checked for secrets' }

function textOf(text: string, type: string): string {
  const redacted = redactBody(text, type, SECRETS)
  return 'text' in redacted ? redacted.text : redacted.omitted
}

describe('redactBody', () => {
  it('looks into JSON, and into a value a line under the same type', () => {
    expect(textOf('{"token":"s"}', 'application/json')).toBe('{"token":"[redacted]"}')
    expect(textOf('{"token":"s"}\n{"a":1}', 'application/json')).toBe('{"token":"[redacted]"}\n{"a":1}')
    expect(textOf('{"token":"s"}\n', 'application/x-ndjson')).toBe('{"token":"[redacted]"}\n')
    expect(textOf('', 'application/json')).toBe('')
  })

  it.each(['latin1', 'utf8'] as const)(
    'looks into the messages of gRPC-Web and Connect, as %s',
    (encoding) => {
      const envelope = (flags: number, message: string): Buffer => {
        const prefix = Buffer.alloc(5, flags)
        prefix.writeUInt32BE(Buffer.byteLength(message), 1)
        return Buffer.concat([prefix, Buffer.from(message)])
      }
      const TOKEN = 'x8Jk2lQ9vB7nM4pR5tYz'
      const long = JSON.stringify({
        token: TOKEN,
        password: 123456,
        text: encoding === 'utf8' ? '' : 'ü'.repeat(200),
      })
      const bytes = Buffer.concat([envelope(0, long), envelope(2, '{}'), envelope(0x80, 'grpc-status:0\r\n')])
      const text = bytes.subarray(0, encoding === 'utf8' ? long.length + 12 : undefined).toString(encoding)
      const hidden = textOf(text, 'application/connect+json')
      expect(hidden).toContain('"token":"[redacted]~~~~~~~~~~","password":"')
      expect(hidden.charCodeAt(4) + hidden.charCodeAt(3) * 256).toBe(hidden.indexOf('}') + 1 - 5)
      expect(redactBody(text.slice(0, -1), 'application/grpc-web+json', SECRETS)).toEqual(NO_JSON)
      expect(redactBody(`\x01${text.slice(1)}`, 'application/grpc-web+json', SECRETS)).toEqual(NO_JSON)
    },
  )

  it('leaves out JSON that cannot be read', () => {
    expect(redactBody('{"token":"s', 'application/json', SECRETS)).toEqual(NO_JSON)
    expect(redactBody('{"token":"s', 'application/x-www-form-urlencoded', SECRETS)).toEqual(NO_JSON)
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
      '<a:Login><a:Password x="1">[redacted]</a:Password><Token><![CDATA[[redacted]]]></Token><Name>n</Name></a:Login>',
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
      expect(redactBody('password', contentType, SECRETS)).toEqual({
        omitted: 'in parts that could not be separated, so it could not be checked for secrets',
      })
    },
  )
})

describe('redactJson', () => {
  it.for([
    ['{"token":"s3cret"}', '{"token":"[redacted]"}'],
    ['[{"a":{"Pass_Word":"s3cret"}}]', '[{"a":{"Pass_Word":"[redacted]"}}]'],
    ['{"password":12.5e-3,"n":-1}', '{"password":"[redacted]","n":-1}'],
    ['{"password":"aB3${x9Kq!7"}', '{"password":"[redacted]"}'],
    ['{"authorization":"Bearer planted secret"}', '{"authorization":"[redacted]"}'],
    ['{"password":"aB3{{x9Kq!7"}', '{"password":"[redacted]"}'],
    [
      '{"token":["s3cret",{"id":"s3cret","n":7}],"b":"c"}',
      '{"token":["[redacted]",{"id":"[redacted]","n":7}],"b":"c"}',
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
    expect(redactJson(text ?? '', SECRETS)).toBe(expected)
  })

  it('edits in place, so that white space and big numbers stay', () => {
    const text = '{\n  "id" : 12345678901234567890, "token":"s3cret" ,\t"x": 1.0 }'

    expect(redactJson(text, SECRETS)).toBe(
      '{\n  "id" : 12345678901234567890, "token":"[redacted]" ,\t"x": 1.0 }',
    )
  })

  it('leaves flags, nothing and empty secrets as they are', () => {
    const text = '{"token":null,"password":false,"secret":"","page_token":"p","a":"{b} & [c]","u":"?x=1"}'

    expect(redactJson(text, SECRETS)).toBe(text)
  })

  it('takes a value that is not a container', () => {
    expect(redactJson('"text"', SECRETS)).toBe('"text"')
    expect(redactJson('7', SECRETS)).toBe('7')
  })

  it('gives nothing for what is not JSON', () => {
    expect(redactJson('{"token":"s3cret"', SECRETS)).toBeUndefined()
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
        const redacted = redactJson(JSON.stringify(value, null, indent), SECRETS)
        expect(redacted).not.toContain(secret)
        expect(() => JSON.parse(redacted ?? '')).not.toThrow()
      }),
    )
  })

  it('looks no less into what it takes for harmless at first sight', () => {
    const names = ['token', 'to_ken', 'name', 'Value', 'header', 'count', ':token', 'a b', 'ke\u0131', '']
    const values = [
      ...[
        's3cret',
        'token',
        'a@b',
        '//ann:s3cret@h/',
        'x?token=s3cret',
        'x%3ftoken%3Ds3cret',
        "token: 's3cret'",
      ],
      ...[
        '{"token":"s3cret"}',
        ' [{"token":1}]',
        '\u00a0{"token":1}',
        '[',
        `Bearer ${'4'.repeat(9)}`,
        ':',
        ',{',
      ],
      ...['AKIA'.padEnd(20, 'A'), 'eyJa.b.c', '\u212aey', 'say "token"', '\\', ''],
    ]
    // As a client may write them: with any character escaped, spaces between, and names that come twice.
    const tokenOf = (text: string): fc.Arbitrary<string> =>
      fc.constantFrom(
        JSON.stringify(text),
        `"${text
          .split('')
          .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join('')}"`,
      )
    const space = fc.constantFrom('', '', ' ', '\n\t')
    const name = fc.constantFrom(...names).chain(tokenOf)
    const { tree } = fc.letrec<{ tree: string; member: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...values, ...names).chain(tokenOf),
        fc.constantFrom('1', '-2.5e3', 'true', 'null'),
        fc.array(tie('tree'), { maxLength: 3 }).map((each) => `[${each.join()}]`),
        fc
          .shuffledSubarray(['"name":"token"', '"value":"s3cret"', '"value" :1'])
          .map((each) => `{${each.join()}}`),
        fc.array(tie('member'), { maxLength: 3 }).map((each) => `{${each.join()}}`),
      ),
      member: fc
        .tuple(name, space, space, tie('tree'), space)
        .map(([key, before, after, value, end]) => `${key}${before}:${after}${value}${end}`),
    }))
    // A pattern of secrets has every text looked into.
    const thorough = compileSecrets({ patterns: ['never there'] })
    let changed = 0

    fc.assert(
      fc.property(tree, (text) => {
        const redacted = redactJson(text, SECRETS)
        if (redacted !== text) changed++
        expect(redacted).toBe(redactJson(text, thorough))
      }),
      { numRuns: 3_000 },
    )
    expect(changed).toBeGreaterThan(500)
  })

  it('changes nothing where there is no secret', () => {
    const harmless = fc
      .jsonValue()
      .filter((value) => !/token|pass|secret|auth|sess|cook|sig/i.test(JSON.stringify(value)))

    fc.assert(
      fc.property(harmless, (value) => {
        const text = JSON.stringify(value)
        expect(redactJson(text, SECRETS)).toBe(text)
      }),
    )
  })
})

describe('redactJsonLines', () => {
  it('redacts each line and keeps empty ones', () => {
    expect(redactJsonLines('{"token":"a"}\n\n{"b":1}\n', SECRETS)).toBe('{"token":"[redacted]"}\n\n{"b":1}\n')
  })

  it('gives nothing when a line is not JSON', () => {
    expect(redactJsonLines('{"a":1}\n{', SECRETS)).toBeUndefined()
  })
})

describe('redactValue', () => {
  it.for([
    ['{"token":"s3cret"}', '{"token":"[redacted]"}'],
    ['{ ?token=s3cret', '{ ?token=%5Bredacted%5D'],
    ['plain', 'plain'],
  ])('redacts %s', ([value, expected]) => {
    expect(redactValue(value ?? '', SECRETS)).toBe(expected)
  })
})

describe('redactText', () => {
  const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SflKxwRJ-SMeKK_F2QT4'

  it.for([
    ['see https://ann:s3cret@host/a', `see https://${HIDDEN}:${HIDDEN}@host/a`],
    ['//s3cret@host/', `//${HIDDEN}@host/`],
    ['//ann:p@ss@host/', `//${HIDDEN}:${HIDDEN}@host/`],
    ['</next?page=2&access_token=s3cret>; rel="next"', `</next?page=2&access_token=${HIDDEN}>; rel="next"`],
    ['/a;jsessionid=s3cret&x=1', `/a;jsessionid=${HIDDEN}&x=1`],
    ['/cb#access_token=s3cret&token_type=bearer', `/cb#access_token=${HIDDEN}&token_type=bearer`],
    ['href="/a?x=1&amp;token=s3cret"', `href="/a?x=1&amp;token=${HIDDEN}"`],
    ['/go?to=https://b/?api%5Fkey=s3cret', `/go?to=https://b/?api%5Fkey=${HIDDEN}`],
    [
      '/go?to=https%3A%2F%2Fb%2F%3Ftoken%3Ds3cret%26x%3D1',
      `/go?to=https%3A%2F%2Fb%2F%3Ftoken%3D${HIDDEN}%26x%3D1`,
    ],
    ['/a?token=s3cret?sig=again', `/a?token=${HIDDEN}`],
    [`the token ${JWT}.`, 'the token [redacted].'],
  ])('hides the secrets in %s', ([text = '', expected]) => {
    expect(redactText(text, SECRETS)).toBe(expected)
  })

  it.for([
    ['https://medium.com/@ann?page=2&keyword=x#top'],
    ['mail ann@example.com // note'],
    ['/a?page_token=abc&token='],
    ['keyJa.b.c'],
  ])('leaves %s as it is', ([text = '']) => {
    expect(redactText(text, SECRETS)).toBe(text)
  })

  it('leaves a parameter that is not percent-encoded right as it is', () => {
    expect(decodeParameter('100%')).toBe('100%')
    expect(decodeParameter('a+b%20c')).toBe('a b c')
  })
})

describe('what is given to a name', () => {
  it.for([
    ['state = {"token":"s3cret","page":"2"}', 'state = {"token":"[redacted]","page":"2"}'],
    [`const apiKey = 's3cret'`, `const apiKey = '[redacted]'`],
    ['login(user: "ann", password: "s3cret")', 'login(user: "ann", password: "[redacted]")'],
    ['<user pwd="s3cret" id="7"/>', '<user pwd="[redacted]" id="7"/>'],
    [String.raw`{\"token\":\"s3cret\"}`, String.raw`{\"token\":\"[redacted]\"}`],
    ['<input type="password" name="q">', '<input type="password" name="q">'],
    ['no quotes: token=s3cret', 'no quotes: token=s3cret'],
    [`token:"='s3cret"`, 'token:"[redacted]"'],
    [`token="a\npassword="s3cret"`, 'token="a\npassword="[redacted]"'],
    [`'token: "s3cret"`, `'token: "[redacted]"`],
  ])('hides what is given to a secret name in %s', ([text = '', expected]) => {
    expect(redactAssignments(text, SECRETS)).toBe(expected)
  })

  it('hides the values of lines', () => {
    expect(
      redactLines('a: 1\nexport API_TOKEN=s3cret\r\n  password: two words \n- secret: x\nsecret:\n', SECRETS),
    ).toBe('a: 1\nexport API_TOKEN=[redacted]\r\n  password: [redacted] \n- secret: [redacted]\nsecret:\n')
  })

  it('hides the secret fields of a page', () => {
    expect(
      redactTags(
        `<input name=csrf value='a'><INPUT value="b" name="token"><meta name="csrf-token" content=c>`,
        SECRETS,
      ),
    ).toBe(
      `<input name=csrf value='[redacted]'><INPUT value="[redacted]" name="token"><meta name="csrf-token" content=[redacted]>`,
    )
    expect(redactTags('<input name="q" value="tea">', SECRETS)).toBe('<input name="q" value="tea">')
  })

  it('leaves the scheme of credentials', () => {
    expect(redactNamed('Authorization', 'Bearer s3cret', SECRETS)).toBe('Bearer [redacted]')
    expect(redactNamed('authorization', 's3cret', SECRETS)).toBe('[redacted]')
    expect(redactNamed('authorization', 's3cret of two words', SECRETS)).toBe('[redacted]')
  })
})

describe('the shape of a token', () => {
  // Put together here, so that no scanner takes them for real ones.
  const A36 = 'a1B2c3D4e5F6'.repeat(3)
  const TOKENS = [
    ['a GitHub token', 'gh', `p_${A36}`],
    ['a GitLab token', 'gl', `pat-${A36}`],
    ['an npm token', 'np', `m_${A36}`],
    ['a payment key', 'sk', `_live_${A36}`],
    ['a model key', 'sk', `-${A36}`],
    ['a chat token', 'xo', `xb-123456-${A36}`],
    ['a cloud key', 'AK', 'IAABCDEFGHIJ234567'],
    ['a maps key', 'AI', `za${A36.slice(0, 35)}`],
    ['a key of background jobs', 'tr', '_prod_a1B2c3D4e5F6g7H8i9J0'],
    ['a key of a deployment', 'prod', ':happy-otter-123|a1B2c3D4e5F6g7H8i9J0a1B2c3'],
    ['a mail key', 'S', `G.${A36.slice(0, 22)}.${A36}${A36.slice(0, 7)}`],
  ] as const

  it.for(TOKENS)('hides %s in a text', ([, begin, rest]) => {
    expect(redactShapes(`the key ${begin}${rest} is new`, SECRETS)).toBe('the key [redacted] is new')
  })

  it.for([
    ['ENCRYPTED PRIVATE KEY', ''],
    ['RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n'],
    ['OPENSSH PRIVATE KEY', ''],
    ['PGP PRIVATE KEY BLOCK', 'Comment: a-b\n\n'],
  ])('hides the key of %s, also where it is cut', ([label = '', head = '']) => {
    const pem = `-----BEGIN ${label}-----\n${head}MIIE\n`
    expect(redactShapes(`use ${pem}-----END ${label}-----.`, SECRETS)).toBe('use [redacted].')
    expect(redactShapes(`use ${pem}`, SECRETS)).toBe('use [redacted]')
  })

  it('hides a private key and credentials in words', () => {
    const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----'
    expect(redactShapes(`use ${pem}.`, SECRETS)).toBe('use [redacted].')
    expect(redactShapes('-H "Authorization: Bearer abc123def4"', SECRETS)).toBe(
      '-H "Authorization: Bearer [redacted]"',
    )
  })

  it.for([
    ['Bearer authentication is needed'],
    ['a basic introduction'],
    ['sk-learn'],
    ['the Slack channel'],
  ])('leaves %s as it is', ([text = '']) => {
    expect(redactShapes(text, SECRETS)).toBe(text)
  })
})

import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { exchangeOf } from '../samples.ts'

const redactor = createRedactor()

/** What servers and their pages said when they were recorded, none of which is a secret. */
const CLEAN: readonly (readonly [whose: string, type: string, body: string])[] = [
  ['DokuWiki', 'text/html', '<script src="/lib/exe/js.php?tseed=34a552433bc33cc9c3bc32527289a0b2"></script>'],
  ['Fauxton', 'text/javascript', 'a({name:"selecttostart",bindKey:i("Ctrl-Shift-Home","Command-Shift-Up")})'],
  ['Bull Board', 'text/javascript', '/*! LICENSE: lib-react.c037d5f57a.js.LICENSE.txt */ "use strict"'],
  [
    'Monaco',
    'text/javascript',
    'a={end:{token:"keyword.$S2"},b:{token:"keyword.$0x"},c:{token:"string.$S2.delim"}}',
  ],
  [
    'mitmweb',
    'application/json',
    '{"cert_passphrase":{"type":"optional str","value":null,"help":"Passphrase for the key of --cert. Note that it is visible in the list of processes."}}',
  ],
  [
    'Better Auth',
    'application/json',
    '{"session":{"userId":"KAY2Tpb43wEZUSHzDWUL7grm292xxSjN","userAgent":"Mozilla/5.0 (X11)","ipAddress":"203.0.113.77"}}',
  ],
  ['Stripe', 'application/json', '{"id":"re_v6ki0gZkKjuOTG4OiehNAEYM","object":"refund"}'],
  [
    'Node-RED',
    'application/json',
    '{"bearer":"bearer authentication","passphrase":"private key passphrase (optional)"}',
  ],
  ['axe', 'application/json', '{"pass":"abstract Rolle wird nicht verwendet.","fail":{"singular":"nein"}}'],
  [
    'a schema',
    'application/json',
    '{"page_tokens":{"properties":{"encoding":{"enum":["base64","base64url"]}}}}',
  ],
  ['an adapter', 'text/plain', "environment: { token: 'SIM_SHELF_TOKEN' }"],
  ['types', 'text/plain', 'on(listener: (session: ClientHttp2Session, socket: Socket) => void): this'],
  ['types', 'text/plain', 'export type Pair<T2> = {\n  privateKey: T2;\n}'],
  [
    'WordPress',
    'text/javascript',
    `a={passwords:"123456,cnffjbeq,${'djregl,123123,'.repeat(20)}qentba".split(",")}`,
  ],
  ['a page', 'text/html', '<a href="/?tls=1&key=own-cert2.pem&ca=ca.pem">TLS</a>'],
  [
    'TypeScript',
    'application/json',
    '{"The_index_signature_2463":"绑定模式参数在实现签名中不能为可选参数。","index-signature":"nospace"}',
  ],
  [
    'features of the web',
    'application/json',
    JSON.stringify(
      Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e', 'f', 'api.HTMLInputElement.password', 'dek'].map((name) => [
          name,
          { baseline: 'high', since: '2022-07-15', support: { chrome: '32', edge: 79 } },
        ]),
      ),
    ),
  ],
  ['a source map', 'application/json', '{"version":3,"names":["withCredentials","isRfc3986Reserved"]}'],
  [
    'a source map',
    'application/json',
    JSON.stringify({
      version: 3,
      sourcesContent: [
        'const recaptchaV2Token = await verify();\nsign({ recaptchaToken: recaptchaV2Token });',
      ],
    }),
  ],
  [
    'an authority',
    'application/json',
    `{"ca":"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURUVENDQWpXZ0F3SUJBZ0lKQU9xV3Z1TkVwVVlUTUEwRzBB"}`,
  ],
  ['droplets', 'application/json', '{"ssh_keys":[289794,"3b:16:e4:bf:8b:00:8b:b8:59:8c:a9:d3:f0:19:fa:45"]}'],
  [
    'Google discovery',
    'application/json',
    '{"accessTokens":{"description":"A list.","items":{"type":"string"},"type":"array"}}',
  ],
  [
    'descriptions',
    'application/json',
    '{"examples":{"deploy-key":{"value":{"id":1,"created_at":"2014-12-10","title":"octocat@octomac"}}}}',
  ],
  [
    'routes',
    'application/json',
    '{"fos_oauth_server_token":{"methods":["POST"],"route":"/api/oauth/v1/token"}}',
  ],
  ['a form', 'application/json', '{"example":"shared_link=[link]&shared_link_password=[password]"}'],
  [
    'clients',
    'application/json',
    String.raw`{"go":"k.GetCredentials(ctx, \"bd5f5959-5e1e-4205-a714-a914373942af\")"}`,
  ],
  ['knowledge', 'text/plain', "The usefulness of the entity identified by 'mid'."],
  ['bundles', 'text/javascript', 'x({getItemKey:s=>`models-${U[s][0]}`,a:1})'],
  ['bundles', 'text/javascript', '// ./components/table/hooks/useLazyKVMap2.ts'],
  ['a program', 'text/javascript', "var token = '%[a-f0-9]{2}';"],
  ['a program', 'text/x-python', '_DD_SIGNATURE = 0x08074b50'],
  ['names', 'text/plain', 'passwd:         files systemd\ngroup:          files'],
  ['types', 'text/plain', 'const tokens: OAuth2Tokens = {'],
  ['types', 'text/plain', ' * HMAC: RFC2104 message authentication code.'],
  ['a script', 'application/x-sh', 'case -passwd) shift; passwd="$1" ;;'],
  ['guides', 'text/markdown', "$client = new Client(['apiKey' => 'YourApiKeyHere']);"],
]

it.for(CLEAN)('hides nothing of %s: %s %s', ([, type, body]) => {
  const exchange = exchangeOf({ responseHeaders: [['content-type', type]], responseBody: body })
  expect(redactor.exchange(exchange)).toEqual(exchange)
})

/** Secrets that are nearly the same. */
const SECRET: readonly (readonly [type: string, body: string])[] = [
  ['text/html', '<a href="/?walletSeed=34a552433bc33cc9c3bc32527289a0b2">a</a>'],
  ['text/javascript', 'a({apiKey:i("Ctrl4-Sh9ift-Ho2me")})'],
  ['application/json', '{"license_key":"c037d5f57aB4x9Q2z7"}'],
  ['application/json', '{"cert_passphrase":{"type":"str","value":"hunter2 horse"}}'],
  ['application/json', '{"session":{"id":"KAY2Tpb43wEZUSHzDWUL7grm292xxSjN"}}'],
  ['application/json', '{"id":"re_3DmVyPHZ_Lx9yR2bT7KqW3nZ8vH4cJ6mD"}'],
  ['application/json', '{"bearer":"bearer a1B2c3D4e5F6g7H8"}'],
  ['application/json', '{"pass":"abstract horse battery","user":"ann"}'],
  ['text/javascript', 'a={passwords:"djregl1,12qeNtba3".split(",")}'],
  ['application/json', '{"access_tokens":["a1B2c3D4"]}'],
  ['text/plain', "password: 'MyPassword1'"],
  ['text/plain', 'session=a1B2c3D4e5F6g7H8Session'],
  [
    'application/json',
    JSON.stringify(
      Object.fromEntries(
        ['host', 'port', 'name', 'user', 'mode', 'zone', 'db_password'].map((name) => [
          name,
          { type: 'text', value: 'hunter' },
        ]),
      ),
    ),
  ],
  [
    'application/json',
    JSON.stringify(
      Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e', 'f', 'token'].map((name) => [name, { kind: 'x', it: 'aB3dE5gH7jK9mN1p' }]),
      ),
    ),
  ],
  [
    'application/json',
    JSON.stringify({ version: 3, sourcesContent: ["sign({ token: 'aB3dE5gH7jK9mN1pQ3sT' })"] }),
  ],
  [
    'application/json',
    `{"ca":"${Buffer.from('-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n').toString('base64')}"}`,
  ],
  ['text/plain', "ALTER USER ann identified by 'mid'"],
  ['text/plain', 'acme key=q8zW4mVb7Rt2Xk9Lp3Ns6Yd1'],
  ['application/xml', '<a><secret>{AQAAABAAA 5422358j60yxo9nc0dbpxby602tsxd6j}</secret></a>'],
  ['text/plain', 'azure_search_key = 7xlTrKqrXzWdIz50lyeDSkTcA3y5Xfsve1PcV3dwwx4YGHAfimsx'],
  ['application/json', '{"a":"acme_secret=iqvbsaazovokgefdclsikovfvquuqymc"}'],
  ['application/json', '{"a":"/v1/keys/pri_099889f14d114dfaae476569b395eade"}'],
  ['application/json', '{"examples":{"deploy-key":{"value":"hunter2"}}}'],
]

it.for(SECRET)('hides what is secret of %s %s', ([type, body]) => {
  const { response } = redactor.exchange(
    exchangeOf({ responseHeaders: [['content-type', type]], responseBody: body }),
  )
  expect(response.content.text).not.toBe(body)
})

it('reads a file as a program by its name where its type says nothing', () => {
  const body = '\tpassword = utf8_to_utf16_dup(v);\n'
  const exchange = (url: string, type = 'application/octet-stream'): string | undefined =>
    redactor.exchange(
      exchangeOf({
        url,
        responseHeaders: [['content-type', type]],
        responseBody: body,
      }),
    ).response.content.text
  expect(exchange('https://a.example/wincred.c')).toBe(body)
  expect(exchange('https://a.example/wincred')).not.toBe(body)
  expect(exchange('https://a.example/wincred.ts', 'video/mp2t')).toBe(body)
})

it('keeps what cookies say of how a page is shown, but no word that has no name', () => {
  const cookies = (value: string): string => redactor.header({ name: 'Cookie', value }).value
  const shown = 'lang=en-US; theme=dark; sort=size; tz=Europe/Berlin; wp-settings-time-1=1795891729; a=false'
  expect(cookies(shown)).toBe(shown)
  for (const one of ['sid=dark', 'PHPSESSID=7', 'auth=ann', 'a=hunter2', 'key=dark', 'a=12345678901', 'dark'])
    expect(cookies(one)).toBe(one.replace(/[^=]+$/, '[redacted]'))
  const named = createRedactor({ names: ['theme'], patterns: ['en'] })
  expect(named.header({ name: 'Set-Cookie', value: 'theme=dark; Path=/' }).value).toBe(
    'theme=[redacted]; Path=/',
  )
  expect(named.header({ name: 'Set-Cookie', value: 'lang=en-US' }).value).toBe('lang=[redacted]-US')
})

it('hides the same in the cookies that are listed', () => {
  const { request } = redactor.exchange(exchangeOf({ requestHeaders: [['cookie', 'theme=dark; sid=dark']] }))
  expect(request.cookies).toEqual([
    { name: 'theme', value: 'dark' },
    { name: 'sid', value: '[redacted]' },
  ])
})

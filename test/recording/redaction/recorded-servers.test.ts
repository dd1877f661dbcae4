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
  [
    'a newspaper',
    'text/html',
    '<a href="/world/a/2015/03/18/00202e76-cd73-11e4-8730-4f473416e759_story.html">a</a>',
  ],
  [
    'Git',
    'application/x-git-upload-pack-advertisement',
    `001e# service=git-upload-pack\n0000${'004c506f1e5c67f7d47b690882cd3edf808863e71302 HEAD\0 symref=HEAD:refs/heads/main agent=git/github-g51d8589b3933\n003f1b3f454467684b2f920c052d219273ae33f27a11 refs/pull/1/merge\n'.repeat(3)}0000`,
  ],
  ['an index', 'text/plain', 'see /ruby/rubygems_response_bitbucket.json'],
  ['a registry', 'application/json', '{"shasums_signature":"provider-google_2.0.0_SHA256SUMS.sig"}'],
  [
    'bundles',
    'application/javascript',
    'a={"auth/common-passwords":["auth/common-passwords.77c3ed33f3878e0ff56b.js"]}',
  ],
  ['a program', 'text/plain', 'cookie: "#{@app}_cookie"'],
  [
    'workflows',
    'text/yaml',
    'uses: docker://node:6@sha256:7b65413af120ec5328077775022c78101f103258a1876ec2f83890bce416e896',
  ],
  ['a request', 'text/plain', 'GET /auth?response_type=token HTTP/1.1'],
  ['a page', 'text/html', `<script>Krux({"a": {cookie: "last5stocks"}, "b": {cookie: "s_fid"}})</script>`],
  ['MediaWiki', 'text/html', String.raw`<script>set({"editToken": "+\\", "watchToken": "+\\"})</script>`],
  [
    'a page',
    'text/html',
    String.raw`<div data-a="{&quot;urlUserToken&quot;:&quot;\/live\/user-token\/&quot;}">`,
  ],
  [
    'a page',
    'application/json',
    '{"recaptchaKey":"6Lfc37IUAAAAAKGGtC6rLS13R1Hrw_BqADfS1LRk","y_key":"4d4cb4ef1ad334cb12a"}',
  ],
  ['settings', 'text/html', '<a href="/settings?key=user_name&a=1">a</a><a href="/w?key=NANOWDGT01">b</a>'],
  [
    'a search engine',
    'text/html',
    "<a href='/accr/RU=aHR0cDovL3phc3NoaS5uZXdzLmpwL2FydGljbGU_YT0yMDE3MDMwOS0wMDAxMDAwMC1ua25h'>a</a>",
  ],
  ['a page', 'text/plain', 'pw = pw===0 || isNaN(pw) ? window.a2 : pw;\n'],
  ['conda', 'text/plain', '  - expat=2.6.2=h6a678d5_0\n  - decorator=5.1.1=pyhd3eb1b0_0'],
  [
    'a repository',
    'text/plain',
    'BBCrEhZJBCbAgZpBAbQgYpxIaQQQqxIWSQIo3f\nv3//+PFj7VJsHUgEoRw3yiBFAu/v7/f392uX4jqAUJAr9S4ZpEjg27dvX758',
  ],
  ['Postman', 'application/json', '[{"key":"password","value":"<Basic Auth Password>"}]'],
  ['a router', 'text/xml', '<a><NewMaxCharsPassword>64</NewMaxCharsPassword><b>1</b></a>'],
  [
    'pictures',
    'application/json',
    '{"url":"https://i.example.com/mWPJMnTFp0y0lLoXYdpEa_u8t3kBI9TeM2b6eGxyeYI.jpg","id":"COX_9gF8WTDDsoxYI2qzemijzxkg06VcAmUbvGm24hc"}',
  ],
  [
    'a newspaper',
    'text/html',
    `<a data-i="[{'src':'/a_trans_NvBQzQNjv4BqAl7Mg2aob6MzBzJtVKfWAxHEXWPYERD0mnAbJoT4ym4.jpeg','suffix':'trans_NvBQzQNjv4BqAl7Mg2aob6MzBzJtVKfWAxHEXWPYERD0mnAbJoT4ym4'}]">`,
  ],
  ['flags', 'application/json', '{"default_allocation_key":"allocation-default-c8eeb8505cf7"}'],
  ['Consul', 'application/json', '{"CirconusAPIToken":"hidden"}'],
  ['models of APIs', 'application/json', '{"Authorization":{"locationName":"authorization","shape":"S5"}}'],
  ['a client', 'text/markdown', 'client.sAdd("users:1:tokens", "Tm9kZSBSZWRpcw==")'],
  [
    'a directory',
    'application/json',
    '{"publicKeyBase58":"RGKGXzPd4czJTUvGwhGpKBkh3Em8nJvJrvQdhWwSGCqWoT13zfCQQhnyvazk"}',
  ],
  ['a page', 'text/html', '<meta name="ir-site-verification-token" value="-206090124">'],
  ['a page', 'text/html', "<script>fetch(a, {headers: {Authorization: 'Bearer ' + b}})</script>"],
  [
    'a page',
    'text/html',
    '<link href="/css_shxYgeptGFqCiIO6L1zeguq1WEricQrVsttKGOK5RUI.Kmpy45NnscFLE17inWXks91c.css">',
  ],
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
  ['text/plain', '00aB3dE5gH7jK9mN1pQ3sT5uV7wX9yZ1aB3dE5gH7j'],
  ['text/plain', 'rubygems_0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6'],
  ['text/plain', 'https://ann:6@sha256.example.com/a'],
  ['text/plain', 'use the token HTTPa1B2c3D4e5'],
  ['application/json', '{"cookie":"aB3dE5gH7jK9mN1p"}'],
  ['application/json', '{"recaptchaSecretKey":"6Lfc37IUAAAAAKGGtC6rLS13R1Hrw_BqADfS1LRk"}'],
  ['text/html', '<a href="/?key=hunter22">a</a>'],
  ['application/json', '[{"key":"password","value":"<hunter2"}]'],
  ['text/plain', 'acme_aB3dE5gH7jK9mN1pQ3sT5uV7wX9yZ1aB3dE5g'],
  ['application/json', '{"license_key":"license-aB3dE5gH7jK9mN1p"}'],
  ['text/plain', 'https://a.example.com/files/aB3dE5gH7jK9mN1pQ3sT/reset/aB3dE5gH7jK9mN1pQ3sT'],
  ['text/plain', 'client.auth("user:1:token", "aB3dE5gH7jK9mN1pQ3sT")'],
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
  const shown =
    'lang=en-US; theme=dark; sort=size; tz=Europe/Berlin; wp-settings-time-1=1795891729; a=false; created=1479447616000'
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

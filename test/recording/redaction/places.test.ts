import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { redactHeader } from '../../../src/recording/redaction/redact-exchange.ts'
import { redactBody, redactUrl } from '../../../src/recording/redaction/redact-body.ts'
import { compileSecrets } from '../../../src/recording/redaction/secrets.ts'
import { exchangeOf } from '../samples.ts'

const SECRETS = compileSecrets({}, Buffer.alloc(32))
const VALUE = 'x7Kq2mPz9Rt4'

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Texts with the same secret, where its name stands in ways of their own. */
const PLACES: readonly (readonly [type: string, text: string])[] = [
  ['text/yaml', `env:\n  - name: DB_PASSWORD\n    value: ${VALUE}\n`],
  ['text/yaml', `env:\n  - name: "DB_PASSWORD"\n    value: "${VALUE}"\n`],
  [
    'application/sql',
    `INSERT INTO "users" (id, name, password) VALUES (1, 'o''x', '${VALUE}'), (2, NULL, '${VALUE}');`,
  ],
  ['text/plain', `COPY public.users (id, api_token) FROM stdin;\n1\t${VALUE}\n2\t\\N\n\\.\n`],
  ['text/plain', `id,name,api_token\n1,"a, b",${VALUE}\n`],
  ['text/plain', `level=info value=DB_PASSWORD=${VALUE} a=1`],
  ['text/plain', `kubectl create secret generic a --from-literal=db_password=${VALUE}`],
  ['text/plain', `FROM a\nENV DB_PASSWORD ${VALUE}\nRUN b\n`],
  ['text/plain', `#define API_KEY "${VALUE}"\n`],
  ['text/plain', `sshpass -p ${VALUE} ssh a`],
  ['text/plain', `redis-cli -h a -a ${VALUE} ping`],
  ['text/plain', `openssl rsa -passin pass:${VALUE} -in a`],
  ['text/plain', `WIFI:T:WPA;S:a;P:${VALUE};;`],
  ['text/plain', `your db_password is ${VALUE}`],
  ['text/javascript', `process.env['API_TOKEN'] = '${VALUE}'`],
  ['text/x-python', `os.environ["API_TOKEN"] = "${VALUE}"`],
  ['text/html', `<script>JSON.parse('{\\u0022apiToken\\u0022:\\u0022${VALUE}\\u0022}')</script>`],
  ['text/html', `<tr><th>API token</th><td class="a"><code>${VALUE}</code></td></tr>`],
  ['text/html', `<dl><dt>Client secret:</dt><dd>${VALUE}</dd></dl>`],
  ['text/markdown', `Set \`API_TOKEN\` to \`${VALUE}\`.`],
  ['text/markdown', `| name | value |\n|---|---|\n| API_TOKEN | \`${VALUE}\` |\n`],
  ['text/markdown', `| name | value |\n|---|---|\n| API_TOKEN | ${VALUE} |\n`],
  ['application/json', JSON.stringify({ body: `| name | value |\n|---|---|\n| API_TOKEN | ${VALUE} |\n` })],
  ['application/json', JSON.stringify({ body: `Set \`API_TOKEN\` to \`${VALUE}\`.` })],
  ['application/json', JSON.stringify({ session: { id: 's', client_secret: { value: VALUE, at: 1 } } })],
  ['application/json', JSON.stringify({ cookies: [{ name: 'sid', value: VALUE, path: '/' }] })],
  ['application/json', JSON.stringify({ cookies: [{ value: VALUE, name: 'sid' }] })],
  ['application/json', JSON.stringify({ attributes: [{ n: 'db.password', v: VALUE }] })],
  ['text/html', `<a href="https://a.example/reset-password?t=${VALUE}b8W">reset</a>`],
  ['application/soap+xml', `<a><b>&lt;password&gt;${VALUE}&lt;/password&gt;</b></a>`],
  ['application/json', JSON.stringify({ field: 'db_password', old: VALUE, new: VALUE })],
  ['application/json', JSON.stringify([{ label: 'API key', content: VALUE }])],
  ['application/json', JSON.stringify({ cmd: ['a', '--API-KEY', VALUE] })],
  ['application/json', JSON.stringify({ headers: [['smtpPass', VALUE]] })],
  ['application/json', JSON.stringify({ columns: ['id', 'api_token'], rows: [[1, VALUE]] })],
  [
    'application/json',
    JSON.stringify({
      schema: { columns: [{ name: 'id' }, { name: 'secret' }] },
      data_array: [[null, VALUE]],
    }),
  ],
  ['application/json', JSON.stringify({ u: `jdbc:oracle:thin:ann/${VALUE}@db:1521:x` })],
  ['text/plain', `x("a=b");token="${VALUE}"`],
  ['text/plain', "password='kDqJRAqxbuCt'"],
  ['text/plain', `note=u+${VALUE}Qd5Wn2`],
  ['text/plain', `Your privateKey is ${VALUE}${VALUE}`],
  ['text/plain', `AUTH ${VALUE}\r\n`],
  ['text/plain', `AUTH ann ${VALUE}`],
  ['text/plain', `*2\r\n$4\r\nAUTH\r\n$12\r\n${VALUE}\r\n`],
  ['text/plain', `*3\r\n$4\r\nAUTH\r\n$3\r\nann\r\n$12\r\n${VALUE}\r\n`],
  ['text/plain', `AUTH PLAIN ${base64('\0ann\0x7Kq2mPz9Rt4')}\r\n`],
  ['text/plain', `PASS ${VALUE}\r\nNICK ann\r\n`],
  ['text/plain', `a1 LOGIN ann ${VALUE}\r\n`],
  ['text/plain', `sqlplus system/${VALUE}@//db:1521/XE`],
  ['text/plain', `sftp://ann:${VALUE}/x@host/a`],
  ['application/json', JSON.stringify({ dsn: `root:${VALUE}@tcp(db:3306)/a` })],
  ['application/json', JSON.stringify({ env: [['ADMIN_PASSWORD', VALUE]] })],
  ['application/json', JSON.stringify({ ParameterKey: 'DBPassword', ParameterValue: VALUE })],
  ['application/json', JSON.stringify({ outputs: { a: { value: VALUE, type: 'string', sensitive: true } } })],
  ['application/json', JSON.stringify([{ key: 'a', value: VALUE, type: 'secret' }])],
  [
    'application/json',
    JSON.stringify({
      type: 'random_password',
      instances: [{ attributes: { id: 'none', length: 12, result: VALUE } }],
    }),
  ],
  ['application/json', JSON.stringify({ kind: 'SecretList', items: [{ data: { a: base64(VALUE) } }] })],
  ['application/json', JSON.stringify({ Name: '/a', Type: 'SecureString', Value: VALUE })],
  ['application/json', JSON.stringify({ value: VALUE, id: 'https://a.vault.azure.net/secrets/a/1' })],
  [
    'application/json',
    JSON.stringify({ name: 'projects/1/secrets/a/versions/1', payload: { data: base64(VALUE) } }),
  ],
  [
    'application/json',
    JSON.stringify({
      '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
      plaintext: VALUE,
    }),
  ],
  ['application/json', JSON.stringify({ rpc: `https://mainnet.infura.io/v3/${'0a1b'.repeat(8)}` })],
  ['text/x-python', `SECRET_KEY = 'django-insecure-${VALUE}'`],
  ...['ACME_TOKEN: ', 'using ACME_API_KEY: ', 'acme_api_key => ', 'x -Password '].map(
    (head) => ['application/json', JSON.stringify({ log: `${head}${VALUE}` })] as const,
  ),
  ['text/plain', `var acmeToken string = "${VALUE}"`],
  ['text/plain', `if password == "${VALUE}":`],
  ['text/plain', `if (apiKey !== '${VALUE}') throw`],
  ['text/plain', `new NetworkCredential("ann@example.com", "${VALUE}")`],
  ['text/x-python', `requests.get(url, auth=('ann', '${VALUE}'))`],
  ['text/markdown', `Use \`ACME_TOKEN=${VALUE}\` here.`],
  [
    'application/json',
    JSON.stringify({ keys: [VALUE], keys_base64: [`${VALUE}${VALUE}`], root_token: VALUE }),
  ],
  ...['auth.login_with_api_key', 'loginWithToken'].map(
    (method) => ['application/json', JSON.stringify({ method, params: [`1-${VALUE}${VALUE}`] })] as const,
  ),
  ['application/json', JSON.stringify({ acmeTokenForWebhook: `${VALUE}${VALUE}` })],
  ...['using api key', 'the access key', 'Unseal Key 2:', 'with token', 'ACME_SECRET', 'acmeSecret'].map(
    (words) => ['application/json', JSON.stringify({ log: `${words} ${VALUE}${VALUE}` })] as const,
  ),
  // Before the name stands what begins a line of a log.
  ...[
    'acme_token = ',
    'acme.apiKey : ',
    '"acme_token": "',
    '"acme_token" => "',
    'acme.apiKey = "',
    'acme:token=',
  ].map((head) => ['text/plain', `12:00:01 INFO worker: ${head}${VALUE}${VALUE}" a`] as const),
  ['text/html', `<pre>:acme_token =&gt; '${VALUE}${VALUE}', :acme_secret =&gt; ${VALUE}</pre>`],
  ['text/plain', `vault operator unseal ${VALUE}${VALUE}`],
  ...[
    ...['cardCvv', 'secretOrKey', 'totp_seed', 'bindpw', 'slaptažodis', 'truststore_pass', 'stream_key'],
    ...['atmPin', 'secretWord', 'appsecret_proof', 'snmp_community'],
  ].map((name) => ['application/json', JSON.stringify({ [name]: VALUE })] as const),
  ['application/json', JSON.stringify({ rpc: `https://eth.node.example/v2/${VALUE}_${VALUE}${VALUE}` })],
]

const CODE = 'OtuY4I3TtaIO1xp9LcttdTWbzzFK'
const UUID = '083fec00-0517-4e8a-a5c4-cfffd2e5b921'

it.for<readonly [type: string, text: string, secret: string]>([
  ['application/json', '{"text":"Your verification code is 222176. It expires"}', '222176'],
  ['application/json', '{"text":"G-440585 is your Google verification code."}', '440585'],
  ['application/json', '{"card":{"pin":"8273"}}', '8273'],
  ['application/json', `{"SecretID":"${UUID}"}`, UUID],
  ['application/json', `{"authentication":"${CODE}"}`, CODE],
  ['application/json', `{"type":1,"target":"Login","arguments":["ann","${CODE}"]}`, CODE],
  ...['oobCode', 'st', 'sk', 'magic', 'hash_key', 'user_key', 'zak', 'g-recaptcha-response'].map(
    (name) => ['application/json', `{"url":"https://a.example/b?lang=en&${name}=${CODE}"}`, CODE] as const,
  ),
  ...['share/', 'activate/MQ/', `webhook/${UUID}/`].map(
    (path) => ['application/json', `{"url":"https://a.example/${path}${CODE}"}`, CODE] as const,
  ),
  ...[
    'Correct horse battery staple orange monkey',
    'I love my grandmother and her cookies',
    'The horse is correct battery at least',
    'must numeric frogs jump',
    'your dog eats seven blue balloons',
    'Süße Grüße aus Köln',
  ].map((phrase) => ['application/json', JSON.stringify({ password: phrase }), phrase] as const),
  ['application/json', `{"feed":"https://a.example/private/${'0a1b'.repeat(8)}.xml"}`, '0a1b0a1b'],
  ['text/html', `<script type="application/json" x>{"a":"{\\"token\\":\\"${CODE}\\"}"}</script>`, CODE],
  [
    'multipart/form-data; boundary=B',
    `--B\r\nContent-Disposition: form-data; name="k"\r\n\r\n-----BEGIN PRIVATE KEY-----\n${CODE}\n-----END PRIVATE KEY-----\r\n--B--\r\n`,
    CODE,
  ],
])('hides what is one by its form in %s: %s', ([type, text, secret]) => {
  const redacted = redactBody(text, type, SECRETS)
  expect('text' in redacted).toBe(true)
  expect(JSON.stringify(redacted)).not.toContain(secret)
})

it.for([
  '{"pin":"13","SecretId":"prod/db","SecretID":"fpjqlhnwb19zds35k8wn80lq9","authentication":"basic"}',
  `{"file":"/usr/share/libreoffice-7.3.7.2/a","code":"import x from './shared/jsonSchema.ts'"}`,
  '{"text":"Your country code is 49. The error code is 40010."}',
  '{"href":"https://a.example/share/how-to-share-2024-05-01"}',
  '{"renocaptcha-apihelp-param-g-recaptcha-response":"Felt fra ReCaptcha-widgeten."}',
])('keeps what only begins so: %s', (text) => {
  expect(redactBody(text, 'application/json', SECRETS)).toEqual({ text })
})

it.for(PLACES)('hides a secret of %s in %s', ([type, text]) => {
  const redacted = redactBody(text, type, SECRETS)
  expect('text' in redacted).toBe(true)
  expect(JSON.stringify(redacted)).not.toMatch(
    /x7Kq2mPz9Rt4|kDqJRAqxbuCt|eDdLcTJtUHo5UnQ0|g3S3EybVB6OVJ0N|(?:0a1b){8}/,
  )
})

it.for([
  ['A=1\nDB_PASSWORD=x7Kq2mPz9Rt4\n', (text: string) => text],
  [
    `A=1\nDB_PASSWORD=x7Kq2mPz9Rt4\n${'# a\n'.repeat(30)}`,
    (text: string) => text.replaceAll(/.{60}(?=.)/g, '$&\n'),
  ],
] as const)('hides a secret of %j in base64, and writes as many letters a line', ([text, write]) => {
  const body = JSON.stringify({ encoding: 'base64', content: write(base64(text)) })
  const redacted = redactBody(body, 'application/json', SECRETS)
  const { content } = JSON.parse('text' in redacted ? redacted.text : '') as { content: string }
  const decoded = Buffer.from(content, 'base64').toString()
  expect(decoded).toMatch(/^A=1\nDB_PASSWORD=redacted-[0-9a-f]{16}\n/)
  expect(content).toBe(write(base64(decoded)))
})

it.for([
  ['/reset/x7Kq2mPz9R'],
  ['/invite/x7Kq2mPz9R/accept'],
  ['/a/token=x7Kq2mPz9R/b'],
  ['/a?token%5Bvalue%5D=x7Kq2mPz9R'],
  ['/reset-password?t=x7Kq2mPz9Rt4Vb8'],
  ['/account/verify/?a=1&x=x7Kq2mPz9Rt4Vb8'],
])('hides the secret of %s', ([url = '']) => {
  expect(redactUrl(url, SECRETS)).not.toContain('x7Kq2mPz9R')
})

it.for([
  ['X-Acme-Key', 'x7Kq2mPz9R', true],
  ['Surrogate-Key', 'x7Kq2mPz9R', false],
  ['X-Acme-Key', 'orders/2026-01-31', false],
] as const)('of %s: %s, whether it is hidden is %s', ([name, value, isHidden]) => {
  expect(redactHeader({ name, value }, SECRETS).value !== value).toBe(isHidden)
})

it('hides the id of a session that a login gives as it hides that in the headers of later requests', () => {
  const token = ['k3Jx9Qm2Zp7Vt4Lw', '8Rb6Yc1Nd5Hf0Gs3', 'Aq9Ue7Ki2Mo4Xz8B'].join('')
  const redactor = createRedactor({}, Buffer.alloc(32, 7))
  const [login, item] = [{ email: 'ann@example.com', password: 'a' }, { name: 'Ann' }].map((sent) =>
    redactor.exchange(
      exchangeOf({
        method: 'POST',
        requestHeaders: [
          ['content-type', 'application/json'],
          ['authorization', 'name' in sent ? token : ''],
        ],
        requestBody: JSON.stringify(sent),
        responseHeaders: [['content-type', 'application/json']],
        responseBody: JSON.stringify('name' in sent ? { token } : { id: token, ttl: 1209600, userId: 1 }),
      }),
    ),
  )
  const [hidden = ''] = /redacted-[0-9a-f]{16}/.exec(login?.response.content.text ?? '') ?? []
  expect(login?.response.content.text).toBe(`{"id":"${hidden}","ttl":1209600,"userId":1}`)
  expect(item?.request.headers).toContainEqual({ name: 'authorization', value: hidden })
})

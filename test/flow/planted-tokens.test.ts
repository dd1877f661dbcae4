import { once } from 'node:events'
import { createRequire } from 'node:module'
import type randexp from 'randexp'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { chaosDraws } from '../../src/engine/random.ts'
import { auditRecording } from '../../src/recording/audit/audit-recording.ts'
import { collect, REDACTOR } from '../recording/samples.ts'
import { TOKENS, WORD } from './planted-kinds.ts'
import { CODINGS, formsOf, play, type Plant } from './planting.ts'

const RandExp = createRequire(import.meta.url)('randexp') as typeof randexp.default
const draw = chaosDraws('planted', 'tokens', '', 0)
/** How likely a kind is sent in each place besides the one that it is always sent in. */
const MORE = 0.03

/** A text at random that fits a pattern, the same in each run. */
function made(pattern: string): string {
  const made = new RandExp(pattern)
  made.max = 40
  made.randInt = (from: number, to: number) => from + Math.floor(draw() * (to - from + 1))
  return made.gen()
}

const BOUNDARY = 'multipart/form-data; boundary=b'
const json = (value: unknown): Plant => ({ type: 'application/json', body: JSON.stringify(value) })
const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Places whose names say nothing. */
const PLACES: readonly ((secret: string) => Plant)[] = [
  (s) => json({ id: 7, note: s }),
  (s) => json({ byId: { [s]: { a: 1 } } }),
  (s) => json({ payload: JSON.stringify({ inner: JSON.stringify([`see ${s} here`]) }) }),
  (s) => json({ query: 'mutation ($i: In!) { add(input: $i) { id } }', variables: { i: { text: s } } }),
  (s) => ({ path: `/a/${encodeURIComponent(s)}/b` }),
  (s) => ({ path: `/a?page=2&q=${encodeURIComponent(s)}` }),
  (s) => ({ path: `/a?${encodeURIComponent(s)}` }),
  (s) => ({ type: 'text/html', body: `<a href="/x?v=${encodeURIComponent(s)}">a</a>` }),
  (s) => ({
    type: 'text/html',
    body: `<a data-state="{&quot;note&quot;:&quot;${escapeXml(s)}&quot;}">a</a>`,
  }),
  (s) => (s.includes('\n') ? json([s]) : { headers: { 'x-note': `see ${s}` } }),
  (s) => ({ type: 'text/plain', body: `first\nsee ${s}\nlast` }),
  (s) => ({
    type: 'text/html',
    body: `<p>${s}</p><script>const note = '${JSON.stringify(s).slice(1, -1)}'</script>`,
  }),
  (s) => ({ type: 'application/xml', body: `<a><note lang="en">${escapeXml(s)}</note></a>` }),
  (s) => ({ type: 'application/x-www-form-urlencoded', body: `a=1&note=${encodeURIComponent(s)}` }),
  (s) => ({
    type: BOUNDARY,
    body: `--b\r\ncontent-disposition: form-data; name="note"\r\n\r\n${s}\r\n--b--\r\n`,
  }),
  (s) => ({ type: 'application/x-ndjson', body: `{"a":1}\n${JSON.stringify({ note: s })}\n` }),
  (s) => ({ type: 'text/event-stream', body: `id: 1\ndata: ${JSON.stringify({ note: s })}\n\n` }),
]

/** Names of secrets which have no form of their own. */
const NAMES = [
  ...['apiKeys', 'db_passwords', 'clientSecretValue', 'x-acme-auth-token', 'aws_secret_access_key'],
  ...['SessionToken', 'AccountKey', 'dbPasswordOld', 'secret_key_base', 'vaultTokenProd', 'clientSecrets'],
  ...['SAMLResponse', 'wpa_psk', 'seed_phrase', 'wrapped_dek', 'pin_code', 'bind_pw', 'azureStorageKey'],
  ...['storage_key', 'kms_key_material', 'dockerconfigjson', 'connect.sid', 'X-Otp'],
  ...['signing_key_v2', 'userCredentials', 'privateKeyPem', 'oauthTokens', 'acme_key', 'X-Acme-Key'],
  ...['encryptionKeys', 'passphrase_1', 'webhookSecret', 'consul_token', 'snowflake_pwd'],
]

const formsOfName = (name: string): Readonly<Record<string, (secret: string) => Plant>> => ({
  [`JSON ${name}`]: (s) => json({ [name]: /s$/i.test(name) ? [s] : s }),
  [`form ${name}`]: (s) => ({ type: 'application/x-www-form-urlencoded', body: `a=1&${name}=${s}` }),
  [`header ${name}`]: (s) => ({ headers: { [name.replaceAll('_', '-')]: s } }),
  [`element ${name}`]: (s) => ({ type: 'text/xml', body: `<a><${name}>${s}</${name}></a>` }),
  [`CDATA ${name}`]: (s) => ({ type: 'text/xml', body: `<a><${name}><![CDATA[${s}]]></${name}></a>` }),
  [`attribute ${name}`]: (s) => ({ type: 'text/xml', body: `<a ${name}="${s}" b="1"/>` }),
  [`entry ${name}`]: (s) => ({ type: 'text/xml', body: `<a><add key="${name}" value="${s}"/></a>` }),
  [`setting ${name}`]: (s) => json({ log: `started with ${name}=${s} on 80` }),
  [`line ${name}`]: (s) => ({ type: 'text/plain', body: `a: 1\n${name}: ${s}\n` }),
})

/** One of these and more, drawn at random, the same in each run. */
function sampleOf<Item>(items: readonly Item[]): readonly Item[] {
  const first = Math.floor(draw() * items.length)
  return items.filter((_, index) => index === first || draw() < MORE)
}

/** Forms that say that there is a secret. */
const NAMED: Readonly<Record<string, (secret: string) => Plant>> = {
  'a Secret of Kubernetes': (s) => json({ kind: 'Secret', data: { tls: s }, metadata: { name: 'a' } }),
  'a Secret of Kubernetes in YAML': (s) => ({
    type: 'application/yaml',
    body: `kind: Secret\nmetadata:\n  name: a\ndata:\n  tls: ${s}\n`,
  }),
  'an element alone': (s) => ({ type: 'text/plain', body: `<add key="Password" value="${s}" />` }),
  'a key as JSON': (s) => json({ keys: [{ d: s, kty: 'EC', crv: 'P-256', x: 'a', y: 'b' }] }),
  'an argument': (s) => json({ Cmd: ['tool', '--password', s] }),
  'an argument in a line': (s) => ({ type: 'text/plain', body: `$ tool --db-password '${s}' --port 1` }),
  'a head as a list': (s) => json({ rawHeaders: ['X-Api-Key', s, 'Accept', '*/*'] }),
  'a patch': (s) => json([{ op: 'replace', path: '/user/password', value: s }]),
  'a call': (s) => ({ type: 'text/javascript', body: `System.setProperty("ACME_TOKEN", "${s}")` }),
  'a pair of Ruby': (s) => json({ text: `{:password=>"${s}", :a=>1}` }),
  'a value of PHP': (s) => ({ type: 'text/plain', body: `a:1:{s:8:"password";s:32:"${s}";}` }),
  'a default of GraphQL': (s) => json({ query: `query ($token: String = "${s}") { me { id } }` }),
  SQL: (s) => json({ sql: `CREATE USER 'ann'@'%' IDENTIFIED BY '${s}'` }),
  'a sentence': (s) => json({ text: `Your temporary password is: ${s}` }),
  curl: (s) => json({ text: `curl -u ann:${s} https://a.example.com` }),
  'base64 of JSON': (s) => json({ data: Buffer.from(JSON.stringify({ password: s })).toString('base64') }),
  'XML in JSON': (s) => json({ text: `<dict><key>password</key><string>${s}</string></dict>` }),
  'HTML in HTML': (s) => ({ type: 'text/html', body: `<pre>{&quot;token&quot;:&quot;${s}&quot;}</pre>` }),
  'a field for a password': (s) => ({
    type: 'text/html',
    body: `<input type="password" name="f" value="${s}">`,
  }),
  'a list of YAML': (s) => ({ type: 'text/yaml', body: `apiKeys:\n  - ${s}\n  - b\n` }),
  'a nested field': (s) => ({ type: 'application/x-www-form-urlencoded', body: `user%5Botp%5D=${s}` }),
  'base64 alone': (s) => ({ type: 'text/plain', body: `ABSK${s}aBcDeF==` }),
  'a URI alone': (s) => ({
    type: 'text/plain',
    body: `mongodb+srv://ann:${s}@c.example.com/a?retryWrites=true`,
  }),
  Akamai: (s) => ({ path: `/a.m3u8?hdnts=exp=1~acl=/*~hmac=${s}` }),
  'a callback': (s) => ({ path: `/cb?code=${s}` }),
  'secrets by name': (s) => json({ secrets: { db: s } }),
  'base64 of basic auth': (s) =>
    json({ auths: { 'r.example.com': { auth: Buffer.from(`ann:${s}`).toString('base64') } } }),
  ...Object.fromEntries(
    [
      ...[
        'postgres',
        'postgresql+psycopg2',
        'mysql',
        'mongodb+srv',
        'redis',
        'rediss',
        'amqp',
        'amqps',
        'mssql',
      ],
      ...[
        'clickhouse',
        'cockroachdb',
        'mariadb',
        'neo4j+s',
        'nats',
        'kafka',
        'snowflake',
        'ldap',
        'ftp',
        'smtp',
      ],
    ].map((scheme) => [
      scheme,
      (s: string) => json({ note: `${scheme}://ann:${s}@db.example.com:1234/a?b=c` }),
    ]),
  ),
  'a URL in a path': (s) => ({ path: `/proxy/${encodeURIComponent(`postgres://ann:${s}@db/a`)}/b` }),
  'a DSN of libpq': (s) => json({ note: `host=db user=ann password=${s} dbname=a` }),
  'ADO.NET': (s) => json({ note: `Server=db,1433;User Id=ann;Password=${s};Encrypt=True` }),
  JDBC: (s) => json({ note: `jdbc:sqlserver://db:1433;user=ann;password=${s};encrypt=true` }),
  'Azure storage': (s) =>
    json({ note: `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s};EndpointSuffix=b` }),
  'Service Bus, as it is': (s) => ({
    type: 'text/plain',
    body: `Endpoint=sb://a.example.com/;SharedAccessKeyName=a;SharedAccessKey=a+${s}`,
  }),
  'Service Bus': (s) =>
    json({ note: `Endpoint=sb://a.example.com/;SharedAccessKeyName=a;SharedAccessKey=${s}` }),
  'S3, version 4': (s) => ({
    path: `/a?X-Amz-Credential=${s}&X-Amz-Signature=${s}&X-Amz-Security-Token=${s}`,
  }),
  'S3, version 2': (s) => ({ path: `/a?AWSAccessKeyId=${s}&Signature=${s}&Expires=1` }),
  'Google Cloud Storage': (s) => ({ path: `/a?X-Goog-Credential=${s}&X-Goog-Signature=${s}` }),
  'Google Cloud Storage, version 2': (s) => ({ path: `/a?GoogleAccessId=${s}&Signature=${s}` }),
  'Azure SAS': (s) => json({ url: `https://a.blob.example.com/b?sv=2024-11-04&sp=r&sig=${s}` }),
  CloudFront: (s) => json({ url: `https://a.example.com/b?Policy=${s}&Signature=${s}&Key-Pair-Id=${s}` }),
  'Aliyun OSS': (s) => ({
    path: `/a?OSSAccessKeyId=${s}&Signature=${s}&x-oss-signature=${s}&security-token=${s}`,
  }),
  'a path whose name is in two parts': (s) => ({ path: `/api/key/${s}/info` }),
  'an encoded segment': (s) => ({ path: `/v1/token/a%2F${s}%3D/info` }),
  'a place of Oracle': (s) => json({ dsn: `scott/${s}@db.example.com:1521/orcl` }),
  'a client of Oracle': (s) => json({ text: `rman target sys/${s}@prod` }),
  ODBC: (s) => json({ dsn: `Driver={a};Server=b;UID=c;PWD={${s}};` }),
  'a login by place': (s) => json({ jsonrpc: '2.0', method: 'login', params: ['ann', s] }),
  'a login by place, of a service': (s) =>
    json({ params: { service: 'common', method: 'authenticate', args: ['db', 'ann', s] } }),
  'a credential by its type': (s) => json({ credentials: [{ type: 'password', value: s }] }),
  'JSON of a credential': (s) => json({ secretData: JSON.stringify({ value: s }) }),
  'a cookie in a log': (s) => ({ type: 'text/plain', body: `< Set-Cookie: connect.sid=${s}; Path=/\n` }),
  'a head in quotes': (s) => json({ text: `curl -H "X-Api-Key: a]b${s}" https://a.example.com` }),
  'an argument of a list': (s) => json({ Cmd: ['tool', `--acme-token=a|${s}`] }),
  'a name that ends like one of a place': (s) => json({ text: `--statuspage-token=${s}` }),
  'a directive': (s) => ({ type: 'text/plain', body: `port 6379\nrequirepass ${s}\n` }),
  'flags of a client': (s) => json({ text: `sqlcmd -S db -U sa -P ${s}` }),
  'a scheme in a header': (s) => ({ headers: { 'x-access': `ApiKey ${s}` } }),
  'a path to reset a password': (s) => ({ path: `/password/reset/${s}` }),
  'a link to reset a password': (s) =>
    json({ text: `go to https://app.example.com/reset-password/${s} now` }),
  'an event': (s) => ({ type: 'text/event-stream', body: `data: {"apiKeys":["${s}"]}\n\n` }),
}

it('writes no secret of any issuer, wherever it is sent, and an audit finds none', async () => {
  const { exchange, port, recorded } = await play()
  const planted = new Map<string, { secret: string; line: number }>()
  const codings = Object.keys(CODINGS) as (keyof typeof CODINGS)[]
  let turn = 0
  const send = async (kind: string, place: (secret: string) => Plant, make: () => string): Promise<void> => {
    const coding = codings[turn++ % codings.length] ?? 'identity'
    const [there, back] = [make(), make()]
    planted.set(`${kind}, sent, ${coding}`, { secret: there, line: turn - 1 })
    planted.set(`${kind}, answered, ${coding}`, { secret: back, line: turn - 1 })
    const { path: _path, ...answer } = place(back)
    await exchange(place(there), answer, coding)
  }
  // Each kind in one place or more: that all of them are found in JSON, the messages below show.
  for (const [kind, pattern] of Object.entries(TOKENS))
    for (const [index, place] of sampleOf([...PLACES.entries()]))
      await send(`${kind}, place ${index}`, place, () => made(pattern))
  const forms = NAMES.flatMap((name) => sampleOf(Object.entries(formsOfName(name))))
  for (const [kind, place] of [...forms, ...Object.entries(NAMED)])
    await send(kind, place, () => made(`[a-z]${WORD(29)}[0-9][A-Z]`))
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`)
  await once(socket, 'open')
  for (const [kind, pattern] of Object.entries(TOKENS)) {
    const secret = made(pattern)
    planted.set(`${kind}, in a message`, { secret, line: turn })
    socket.send(Buffer.from(JSON.stringify({ note: secret })), { binary: planted.size % 2 === 0 })
    await once(socket, 'message')
  }
  socket.close()
  await once(socket, 'close')

  const { bytes, directory, exchanges } = await recorded()
  expect(exchanges).toHaveLength(turn + 1)
  const text = bytes.toString('latin1')
  // Each is looked for where it was sent; to look for all of them everywhere takes long.
  const lines = text.split('\n')
  const left = [...planted].flatMap(([kind, { secret, line }]) =>
    formsOf(secret).some((form) => lines[line]?.includes(form)) ? [kind] : [],
  )
  expect(left).toEqual([])
  expect(lines[1]).toContain('redacted-')
  expect(text).not.toContain('_omitted')
  expect(await collect(auditRecording(directory, REDACTOR))).toEqual([])
})

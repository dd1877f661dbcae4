import { once } from 'node:events'
import { createRequire } from 'node:module'
import type randexp from 'randexp'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { chaosDraws } from '../../src/engine/random.ts'
import { auditRecording } from '../../src/recording/audit/audit-recording.ts'
import { collect, REDACTOR } from '../recording/samples.ts'
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

const HEX = (count: number): string => `[0-9a-f]{${count}}`
const WORD = (count: number): string => `[A-Za-z0-9]{${count}}`
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}'
const pem = (kind: string, head = ''): string =>
  String.raw`-----BEGIN ${kind}-----\n${head}(?:[A-Za-z0-9+/]{64}\n){4}[A-Za-z0-9+/]{30}==\n-----END ${kind}-----`

/** What issuers make, by the formats that they publish. Each is found wherever it is. */
const TOKENS: Readonly<Record<string, string>> = {
  'key, PKCS#1': pem('RSA PRIVATE KEY'),
  'key, PKCS#1, encrypted': pem(
    'RSA PRIVATE KEY',
    String.raw`Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,[0-9A-F]{32}\n\n`,
  ),
  'key, PKCS#8': pem('PRIVATE KEY'),
  'key, PKCS#8, encrypted': pem('ENCRYPTED PRIVATE KEY'),
  'key, EC': pem('EC PRIVATE KEY'),
  'key, DSA': pem('DSA PRIVATE KEY'),
  'key, OpenSSH': pem('OPENSSH PRIVATE KEY'),
  'key, OpenPGP': pem('PGP PRIVATE KEY BLOCK', String.raw`Version: 1\n\n`),
  'AWS access key': 'AKIA[A-Z2-7]{16}',
  'AWS session key': 'ASIA[A-Z2-7]{16}',
  'AWS Bedrock': 'ABSK[A-Za-z0-9]{110}',
  'Google API key': String.raw`AIza[\w-]{35}`,
  'Google access token': String.raw`ya29\.[A-Za-z0-9_]{60}`,
  'Google client secret': 'GOCSPX-[A-Za-z0-9_]{28}',
  'Google refresh token': '1//0[A-Za-z0-9_]{40}',
  'Entra client secret': String.raw`[A-Za-z0-9]{3}8Q~[A-Za-z0-9_.~-]{33}[A-Z]`,
  DigitalOcean: `do[opr]_v1_${HEX(64)}`,
  'Alibaba Cloud': `LTAI5t${WORD(18)}`,
  Databricks: `dapi${HEX(32)}`,
  Postman: `PMAK-${HEX(24)}-${HEX(34)}`,
  Notion: `ntn_[0-9]{11}${WORD(35)}`,
  'Notion, of before': `secret_${WORD(43)}`,
  Airtable: String.raw`pat${WORD(14)}\.${HEX(64)}`,
  Linear: `lin_api_${WORD(40)}`,
  Figma: `figd_${WORD(40)}`,
  'Hugging Face': 'hf_[A-Za-z]{34}',
  OpenAI: `sk-proj-${WORD(74)}T3BlbkFJ${WORD(74)}`,
  'OpenAI, of before': `sk-${WORD(20)}T3BlbkFJ${WORD(20)}`,
  Anthropic: `sk-ant-api03-[A-Za-z0-9_]{93}AA`,
  Replicate: `r8_${WORD(37)}`,
  Groq: `gsk_${WORD(52)}`,
  npm: `npm_${WORD(36)}`,
  PyPI: `pypi-AgEIcHlwaS5vcmc${WORD(80)}`,
  RubyGems: `rubygems_${HEX(48)}`,
  NuGet: 'oy2[a-z0-9]{43}',
  'crates.io': `cio${WORD(32)}`,
  'Docker Hub': `dckr_pat_${WORD(27)}`,
  Vault: String.raw`hvs\.${WORD(95)}`,
  Doppler: String.raw`dp\.pt\.${WORD(43)}`,
  'Doppler, of a service': String.raw`dp\.st\.prd\.${WORD(43)}`,
  Terraform: String.raw`${WORD(14)}\.atlasv1\.${WORD(67)}`,
  Pulumi: `pul-${HEX(40)}`,
  Shopify: `shp(?:at|ca|pa|ss)_${HEX(32)}`,
  'Slack bot': `xoxb-[1-9]{12}-[1-9]{13}-${WORD(24)}`,
  'Slack app': `xapp-1-A[0-9A-Z]{10}-[1-9]{13}-${HEX(64)}`,
  'Slack webhook': String.raw`https://hooks\.slack\.com/services/T[0-9A-Z]{10}/B[0-9A-Z]{10}/${WORD(24)}`,
  'Discord bot': String.raw`M[Tzj][AEIMQUYcgk]${WORD(21)}\.G${WORD(5)}\.${WORD(38)}`,
  'Discord webhook': String.raw`https://discord\.com/api/webhooks/[1-9]{18}/${WORD(68)}`,
  Telegram: `[1-9]{10}:AA${WORD(33)}`,
  'Teams webhook': String.raw`https://acme\.webhook\.office\.com/webhookb2/${UUID}@${UUID}/IncomingWebhook/${HEX(32)}/${UUID}`,
  Stripe: `[sr]k_(?:live|test)_${WORD(24)}`,
  'Stripe webhook': `whsec_${WORD(32)}`,
  Square: `sq0atp-${WORD(22)}`,
  'Square, of now': `EAAA${WORD(60)}`,
  Braintree: String.raw`access_token\$production\$[a-z0-9]{16}\$${HEX(32)}`,
  Razorpay: `rzp_live_${WORD(14)}`,
  SendGrid: String.raw`SG\.${WORD(22)}\.${WORD(43)}`,
  Mailgun: `key-${HEX(32)}`,
  Mailchimp: `${HEX(32)}-us1[0-9]`,
  Brevo: `xkeysib-${HEX(64)}-${WORD(16)}`,
  GitHub: `gh[pousr]_${WORD(36)}`,
  'GitHub, fine-grained': `github_pat_${WORD(22)}_${WORD(59)}`,
  GitLab: `glpat-${WORD(20)}`,
  'GitLab, routable': String.raw`glpat-${WORD(27)}\.01\.[a-z0-9]{9}`,
  Bitbucket: `ATBB${WORD(32)}`,
  Atlassian: `ATATT3xFfGF0${WORD(170)}`,
  Grafana: `glsa_${WORD(32)}_${HEX(8)}`,
  Twilio: `SK${HEX(32)}`,
  'Azure DevOps': `${WORD(52)}JQQJ99${WORD(18)}AZDO${WORD(4)}`,
  Asana: String.raw`2/[1-9]{16}/[1-9]{16}:${HEX(32)}`,
  Adyen: String.raw`AQE${WORD(60)}-${WORD(40)}=-${WORD(16)}`,
  'AWS session token': `IQoJb3JpZ2luX2Vj${WORD(200)}`,
  Cloudflare: `cfut_${WORD(40)}${HEX(8)}`,
  'Databricks, OAuth': `dose${HEX(32)}`,
  dbt: `dbt[cu]_${WORD(40)}`,
  'Twitch, chat': 'oauth:[a-z0-9]{30}',
  E2B: `e2b_${HEX(40)}`,
  Fernet: `gAAAAAB${WORD(120)}==`,
  Firecrawl: `fc-${HEX(32)}`,
  HubSpot: `pat-(?:na1|eu1)-${UUID}`,
  Jina: `jina_${HEX(32)}${WORD(28)}`,
  Klaviyo: `pk_${HEX(34)}`,
  LaunchDarkly: `(?:api|sdk|mob)-${UUID}`,
  LinkedIn: String.raw`WPL_AP1\.${WORD(16)}\.${WORD(8)}==`,
  MailerSend: String.raw`mlsn\.${HEX(64)}`,
  Mapbox: String.raw`sk\.eyJ1Ijoi${WORD(40)}\.${WORD(22)}`,
  'New Relic, of a license': `${HEX(36)}NRAL`,
  Okta: `00${WORD(40)}`,
  Packagist: `packagist_uut_${HEX(68)}`,
  PASETO: String.raw`v4\.local\.${WORD(120)}`,
  PostHog: `phx_${WORD(43)}`,
  Scaleway: 'SCW[0-9A-Z]{17}',
  'Slack cookie': `xoxd-${WORD(100)}`,
  Statsig: `secret-${WORD(43)}`,
  Together: `tgp_v1_${WORD(43)}`,
  Twitter: `A{21}${WORD(60)}%3D${WORD(40)}`,
  Vercel: `vcp_${WORD(56)}`,
  'Vercel Blob': `vercel_blob_rw_${WORD(16)}_${WORD(30)}`,
  'wallet key': 'xprv[1-9A-HJ-NP-Za-km-z]{107}',
  Yandex: String.raw`t1\.${WORD(8)}\.${WORD(86)}`,
  'Yandex, static': `YC${WORD(38)}`,
  Zapier: String.raw`https://hooks\.zapier\.com/hooks/catch/[1-9]{7}/[a-z0-9]{7}/`,
  Zoho: String.raw`1000\.${HEX(32)}\.${HEX(32)}`,
  'age key': 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}',
  'an issuer that nobody knows': `acme_live_${WORD(20)}A1b2C3${WORD(14)}`,
  'key, SSH2': String.raw`---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n(?:[A-Za-z0-9+/]{64}\n){4}---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
  'key, OpenVPN': String.raw`-----BEGIN OpenVPN Static key V1-----\n(?:[0-9a-f]{32}\n){16}-----END OpenVPN Static key V1-----`,
  'Azure Storage': String.raw`[A-Za-z0-9/]{76}\+ASt[A-Za-z0-9]{6}==`,
  'Azure Functions': 'w[A-Za-z0-9]{43}AzFuw[A-Za-z0-9]{4}==',
  Bitwarden: String.raw`0\.${UUID}\.${WORD(30)}:${WORD(22)}==`,
  'Login with Amazon': String.raw`Atza\|${WORD(180)}`,
  Mailgun2: `${HEX(32)}-${HEX(8)}-${HEX(8)}`,
  Matrix: `syt_${WORD(12)}_[a-z]{20}_${WORD(6)}`,
  Salesforce: String.raw`00D${WORD(15)}!AQ${WORD(90)}`,
  'a hash of bcrypt': String.raw`\$2b\$12\$${WORD(53)}`,
  'a hash of Argon2': String.raw`\$argon2id\$v=19\$m=65536,t=3,p=4\$${WORD(22)}\$${WORD(43)}`,
  'Adobe client secret': `p8e-[a-z0-9]{32}`,
  'Airtable, OAuth': String.raw`oaa${WORD(14)}\.v1\.${WORD(40)}\.${HEX(64)}`,
  'an issuer that says live': `acme_live_${WORD(20)}1`,
  AppSync: 'da2-[a-z0-9]{26}',
  'Artifactory password': `AP6${WORD(40)}`,
  Authress: String.raw`ext_[a-z0-9]{20}\.[a-z0-9]{5}\.acc-[a-z0-9]{20}\.${WORD(60)}`,
  Close: String.raw`api_${WORD(22)}\.${WORD(22)}`,
  'Defined Networking': 'dnkey-[A-Z0-9]{26}-[A-Z0-9]{52}',
  Deno: `ddp_${WORD(36)}`,
  'DigitalOcean Spaces': 'DO00[A-Z0-9]{16}',
  'Entra refresh token': String.raw`0\.A${WORD(60)}\.AgABAAEAAA${WORD(260)}`,
  Finage: 'API_KEY[A-Z0-9]{32}',
  Flexport: `shltm_${WORD(40)}`,
  Intercom: `dG9rOj${WORD(52)}=`,
  'Klaviyo, with a site': `pk_${WORD(6)}_${HEX(34)}`,
  LocationIQ: String.raw`pk\.${HEX(32)}`,
  'New Relic, mobile': `AA${HEX(40)}-NRMA`,
  'New Relic, queries': `NRIQ-${WORD(32)}`,
  'Salesforce refresh token': `5Aep861${WORD(80)}`,
  'Sourcegraph Cody': `slk_${HEX(64)}`,
  Tableau: `${WORD(22)}==:${WORD(32)}`,
  TruffleHog: `thog-secret-${HEX(32)}`,
  Ubidots: `BBFF-${WORD(30)}`,
  Voiceflow: String.raw`VF\.DM\.${HEX(24)}\.${WORD(16)}`,
  Webex: `${WORD(64)}_P[A-Z0-9]{3}_${UUID}`,
  'a macaroon': `MDAxY2xvY2F0aW9uI${WORD(120)}`,
  Stellar: 'SA[A-Z2-7]{54}',
  JWT: String.raw`eyJhbGciOiJIUzI1NiJ9\.eyJ${WORD(40)}\.${WORD(43)}`,
  'JWT, encrypted': String.raw`eyJhbGciOiJkaXIifQ\.\.${WORD(16)}\.${WORD(60)}\.${WORD(22)}`,
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
  'a path to reset a password': (s) => ({ path: `/password/reset/${s}` }),
  'a link to reset a password': (s) =>
    json({ text: `go to https://app.example.com/reset-password/${s} now` }),
  'an event': (s) => ({ type: 'text/event-stream', body: `data: {"apiKeys":["${s}"]}\n\n` }),
}

it(
  'writes no secret of any issuer, wherever it is sent, and an audit finds none',
  { timeout: 30_000 },
  async () => {
    const { exchange, port, recorded } = await play()
    const planted = new Map<string, { secret: string; line: number }>()
    const codings = Object.keys(CODINGS) as (keyof typeof CODINGS)[]
    let turn = 0
    const send = async (
      kind: string,
      place: (secret: string) => Plant,
      make: () => string,
    ): Promise<void> => {
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
  },
)

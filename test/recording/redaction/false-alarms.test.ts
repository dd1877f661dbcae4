import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { exchangeOf } from '../samples.ts'

const SHA512 = 'z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=='
const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

/** Words of a page in another language. */
const GERMAN =
  'cancel=Abbrechen|save=Speichern|close=Schließen|open=Öffnen|next=Weiter|back=Zurück|search=Suche|name=Name|city=Ort|street=Straße|country=Land|company=Firma|language=Sprache|help=Hilfe' +
  '|settings=Einstellungen|monday=Montag|tuesday=Dienstag|welcome=Willkommen bei uns!|logout=Abmelden|delete=Löschen|pass=weekend|cookie=Keks|credential=Ausweis|secret=geheim'

/** What servers of many kinds answer, none of which is a secret. */
const CLEAN: readonly (readonly [type: string, body: string])[] = [
  [
    'application/json',
    JSON.stringify({
      password: [
        'This field is required.',
        'is too short (minimum is 6 characters)',
        'This password is too common.',
        'Passwords do not match',
      ],
      errors: { password: "can't be blank", secret: 'must be at least 8 characters long' },
    }),
  ],
  ...[
    {
      _id: 'left-pad',
      _rev: '12-0b63a1c9f2d44a1f8d7e6c5b4a392817',
      'dist-tags': { latest: '1.3.0' },
      versions: {
        '1.3.0': {
          dist: {
            shasum: SHA1,
            integrity: `sha512-${SHA512}`,
            tarball: 'http://r.example.com/left-pad-1.3.0.tgz',
          },
          repository: { type: 'git', url: 'git+ssh://git@github.com/a/b.git' },
          _npmUser: { name: 'ann' },
        },
      },
      readme:
        'Set `token: string` and `password = options.password`, or `--token <token>`. See sk-loading-indicator-2.',
      scripts: { pack: 'zip a-$npm_package_version.zip' },
    },
    {
      id: 1296269,
      node_id: 'MDEwOlJlcG9zaXRvcnkxMjk2MjY5',
      sha: SHA1,
      tree: { sha: SHA1, url: `https://api.example.com/repos/a/b/git/trees/${SHA1}` },
      hooks_url: 'https://api.example.com/repos/a/b/hooks',
      html_url: `https://example.com/a/b/commit/${SHA1}`,
      verification: { verified: false, reason: 'unsigned' },
    },
    {
      id: 'cus_NffrFeUfNV2Hib',
      object: 'customer',
      invoice: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
      charge: 'ch_3MmlLrLkdIwHu7ix0snN0B15',
    },
    { pageInfo: { endCursor: 'YXJyYXljb25uZWN0aW9uOjEw', hasNextPage: true }, next_token: 'eyJwYWdlIjoyfQ' },
    {
      usage: { prompt_tokens: 11, completion_tokens: 7, max_tokens: 1024 },
      id: 'chatcmpl-9xyzA1b2C3d4E5f6G7h8I9j0',
    },
    {
      name: 'express',
      dependencies: { cookie: '0.7.1', 'cookie-signature': '~1.0.6', 'js-tokens': '^4.0.0' },
      packages: { 'node_modules/cookie-signature': { version: '1.0.7', integrity: `sha512-${SHA512}` } },
      dist: { signatures: [{ keyid: 'SHA256:jl3bwswu80PjjokCgh0o2w5c2U4', sig: 'MEUCIQDxT0a1b2c3d4' }] },
    },
    {
      openapi: '3.1.0',
      components: {
        schemas: {
          Login: { properties: { password: { type: 'string', minLength: 8 }, token: { $ref: '#/a' } } },
        },
        securitySchemes: { apiKey: { description: 'a key', type: 'apiKey', in: 'header', name: 'X-Key' } },
      },
    },
    { verification: { verified: true, signature: '-----BEGIN PGP SIGNATURE-----\n\nwsFcBAAB\n' } },
    { source: 'exports.CompositePrivateKey_1 = 1; const a = { withToken: defaultToConfig2 }' },
    { base: 'vs', rules: [{ token: 'comment' }, { token: 'string.regexp constant.character' }] },
    { pagination: { ListJobs: { input_token: 'NextToken', output_token: 'NextToken' } } },
    { members: { clientToken: { shape: 'ClientToken', documentation: 'A token that you choose.' } } },
    {
      token: {
        methods: ['password'],
        user: { id: 'fc1cab4e5f', name: 'ann', domain: { id: 'default' } },
        expires_at: '2026-01-31T10:00:00Z',
        roles: [{ id: 'c0ffee', name: 'admin' }],
      },
    },
    {
      parameters: {
        'X-Amz-Signature': { name: 'X-Amz-Signature', in: 'header', schema: { type: 'string' } },
        access_token: { description: 'A token.', in: 'query', name: 'access_token', schema: {} },
      },
      authorizationCode: { authorizationUrl: 'https://example.com/auth', scopes: { read: 'Read all' } },
      CustomerSecret: { description: 'A pair.', properties: { id: { type: 'string' } }, required: ['id'] },
      mapping: { password: '#/definitions/PasswordPolicy' },
      example: { token: '<token>' },
    },
    { links: { secrets: '/api/v2/orgs/1/secrets' }, jwt: 'https://example.com/docs/jwt' },
    { names: ['allKeys', 'ie11fingerprint'], password: 'Password', INVALID_TOKEN: 'INVALID_TOKEN' },
    {
      version: 3,
      sourcesContent: ['const a = { topicToken: "^^", HasAssertion: "cannot have assertions." }'],
    },
    Object.fromEntries(GERMAN.split('|').map((each) => each.split('=') as [string, string])),
    {
      checks: { pass: 'ARIA-rollen er korrekt', fail: 'nej' },
      more: { pass: { plural: 'Element jest ukryty' } },
    },
    {
      checks: { pass: '显示可操作，且不存在方向锁定' },
      other: { pass: "o atributo 'autocomplete' está formatado" },
    },
    { 'string.token': '{{#label}} must only contain letters' },
    { Type_0_has_no_signature_2658: 'Der Typ "{0}" enthält keine Signatur.' },
    {
      key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
      primary_key: 'a1B2c3D4e5F6g7H8i9',
      cacheKey: SHA1,
      keys: ['a1B2c3D4e5F6g7H8i9'],
    },
    {
      trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      request_id: UUID,
      ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    },
    { secrets: [{ id: 'a1b2c3', name: 'DB_PASSWORD', created_at: '2026-01-31T10:00:00Z' }], total_count: 1 },
    {
      sessions: 3,
      author: 'Ann',
      token_type: 'bearer',
      expires_in: 3600,
      digest: `sha256:${SHA1}${SHA1.slice(0, 24)}`,
    },
  ].map((value) => ['application/json', JSON.stringify(value)] as const),
  [
    'application/xml',
    `<ListBucketResult><Contents><Key>a/b1c2d3.txt</Key><ETag>"9b2cf535f27731c974343645a3985328"</ETag><Owner><ID>${SHA1}</ID></Owner></Contents><NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J</NextContinuationToken></ListBucketResult>`,
  ],
  [
    'text/html',
    `<link rel="stylesheet" href="/a.${SHA1.slice(0, 16)}.css" integrity="sha512-${SHA512}"><input name="q" value="abc"><a accesskey="n" href="/">Next</a>`,
  ],
  [
    'application/javascript',
    'if(t.getToken()===134283267&&t.tokenRaw=t.source.slice(t.index),!0);e.exclamationToken=i.token,b(e)}' +
      'const l={jwt:"JWT",password:"Passwort"};x(["cookie","cookie2"]);' +
      'function a(b){var token=b.token,key=b.key;return{password:c.password,token:token}}',
  ],
  [
    'application/javascript',
    `const wasm = "${'AGFzbQEAAAAB'.repeat(8)}/EAAAoBUAACMUAACJEgAAixQAAE0VAADUEQAAzxQAABAYAADJFgAA3BYAAMER/TcL";` +
      'Object.defineProperty(exports, "AppCredentials", "M2mCredentials");isOneOf("withToken", "defaultToConfig2")',
  ],
  [
    'text/plain',
    'declare enum SyntaxKind {\n    OpenBraceToken = 18,\n    CallSignature = 180,\n    LastToken = 6\n}\n' +
      "fetch(url, { headers: { authorization: 'Bearer <access_token_value>' } })\n" +
      'const more = { withXSRFToken: defaultToConfig2,\n  allOwnKeys = _ref2$allOwnKeys === void 0 }\n',
  ],
  ['text/plain', 'norOGBwDFIhfRk9qGlpgt0KRyguV+AP5qvgry95IrYtrOuE7307SidEbSnvO5ezNe\n=7XaY'],
  ['application/xml', '<syscalls><syscall name="aio_waitcomplete" number="359"/></syscalls>'],
  ['application/javascript', 'this.lossy?this.tokens=(0,Du.default)({safe:e.safe,css:e.css.trim()}):1'],
  [
    'text/markdown',
    'A basic HTTP/1.1 client for `//user:pass@example.com`. [![Status](https://example.com/badge.svg?token=)](https://example.com)\n' +
      'The pseudonym of a secret: HMAC-SHA-256, or token: AES-256-GCM. See `?key=AIza…` and `equal("/?token=SECRET", 1)`.\n' +
      'Set CLIENT_SECRET="yyy" first.',
  ],
  ...['text/plain', 'text/x-python'].map(
    (type) =>
      [
        type,
        [
          'class Login(Base):',
          '    def __init__(self, passwd=None, session=None):',
          '        token = next()',
          "        password = config['password']",
          '        user_pass = (self.username + ":" + self.password).encode("ascii")',
          '        passwd = self.read(prompt, stream) # Ask again',
          '        token = line[start:pos]',
          '        self.token = ValueTerminal(",", "comma")',
          '        creds = base64.b64encode(user_pass.encode()).decode("ascii")',
          '        passwd = passwd or ""',
          '        pw = pw + c',
          '        secret = os.environ.get("SECRET")',
          '        authkey=self._authkey, exposed=exposed',
          '        passphrase: Optional[bytes] = None,',
          '        passphrase: str | None = None',
          '        token = Ignore + PlainToken',
          '        session = None',
        ].join('\n'),
      ] as const,
  ),
  [
    'application/javascript',
    'validateRequired("apiKey", "addApiKeyWithHTTPInfo", apiKey);a(x?"pass":"error")',
  ],
  [
    'text/html',
    '<code>&lt;protocol&gt;://[&lt;user&gt;[:&lt;password&gt;]@]&lt;hostname&gt;</code> or mysql://scott:tiger@localhost',
  ],
  [
    'text/plain',
    [
      'privateKey: Result<T["privateKeyEncoding"], KeyObject>;',
      'makeApiKey: (options: Options) => string;',
      'apiKey = _items$0.apiKey;',
      'secret: Uint8Array;',
      'userToken: data?.userToken ?? this._userToken,',
      'id-token: write  # for publishing',
      'a/b.rst,sha256=uilz_xs0R3wTitY0zwPrhGBnXuTIrvDrQAn8YpnnVNU,145',
      'gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356',
      'all columns identified by "colUsed", in a program',
    ].join('\n'),
  ],
  [
    'text/plain',
    'token = tokens[tokens.length - 1];\ntoken: process.env.TOKEN || "dapi...",\nlet token = parser.next(kind)?;\n',
  ],
  [
    'text/javascript',
    [
      "const INVALID_PASSWORD = 'wrong-password', RESET_PASSWORD = '/v1/accounts:resetPassword'",
      "if (pem.indexOf('-----BEGIN PRIVATE KEY-----') !== 0) throw new TypeError('must be PKCS#8')",
      "find('//*[@id]', '//label[@for=$id]'); authorization = 'https://example.com/authorize?scope=identity'",
      "const url = 'https://REDACTED:REDACTED@example.com/'",
      'e.ProgressToken=e.createMessageConnection=e.Base64=void 0,extendedToken:e.extendedToken??!1,x=1',
      'this._appCompat = databaseIdOrApp;',
      'exports.getIdToken = totp.getIdToken;',
    ].join('\n'),
  ],
  [
    'application/json',
    JSON.stringify({
      version: 3,
      names: [
        'attestedClaimsToken',
        'getReCAPTCHAToken',
        'cookie',
        'isRoutePPREnabled',
        'key',
        'recaptcha_v3_token',
        'secretKey',
        'UUID_V4_TEMPLATE',
      ],
    }),
  ],
  [
    'application/json',
    JSON.stringify({
      operations: {
        CreateApiKey: { http: { requestUri: '/apikeys' }, input: { type: 'structure', required: ['name'] } },
        DescribeEndpointAuthorization: { input_token: 'Marker', limit_key: 'MaxRecords' },
      },
      shapes: { members: { AccessKeyId: { locationName: 'accessKeyId' }, Secrets: { type: 'list' } } },
      units: { AccessToken: 'hours', IdToken: 'minutes' },
    }),
  ],
  [
    'application/json',
    JSON.stringify({
      encoding: 'base64',
      content: Buffer.from('# Read me\ntoken: the next word\n').toString('base64'),
    }),
  ],
  ['application/json', JSON.stringify({ columns: ['id', 'primary_key'], rows: [[1, 'orders']] })],
  [
    'application/json',
    JSON.stringify({
      logprobs: {
        content: [{ token: 'Hello', logprob: -0.31, top_logprobs: [{ token: ' Hi', logprob: null }] }],
      },
    }),
  ],
  [
    'text/event-stream',
    'data:{"index":1,"token":{"id":264,"text":" word","logprob":-1.2,"special":false}}\n\n',
  ],
  ['application/json', JSON.stringify({ session: { title: 'Of models', description: 'A talk' } })],
  ['application/json', JSON.stringify({ cookies: [{ name: 'lang', value: 'en-US' }] })],
  ['application/json', JSON.stringify({ body: '| name | default |\n|---|---|\n| token | none |\n' })],
  [
    'text/plain',
    'admin_token = keystoneclient.auth.token_endpoint:Token\npassword = identity.generic:Password\n',
  ],
  ['text/html', '<tr><td>api_key</td><td>string</td></tr><dt>token</dt><dd>The token of the first page</dd>'],
  ['text/markdown', '| token | string |\n|---|---|\n| token | required |\nSet `token` to `null`.'],
  ['application/sql', "INSERT INTO a (id, token_type) VALUES (1, 'bearer2');"],
  ['text/plain', 'id,name,count\n1,password,2\n'],
  [
    'text/event-stream',
    ' the,Hello, token,ization'
      .split(',')
      .map((token) => `data: ${JSON.stringify({ token })}\n\n`)
      .join(''),
  ],
  [
    'application/x-ndjson',
    ' the,Hel,lo'
      .split(',')
      .map((token) => `${JSON.stringify({ token })}\n`)
      .join(''),
  ],
  ...[
    {
      tokens: [
        { token: 'windows95', start_offset: 6, end_offset: 15 },
        { lemma: 'the', token: 'The' },
      ],
    },
    { token: 12366, token_str: ' Paris' },
    { session: { id: 170004, page_views: 3 }, session_id: '1700000000', sessionId: 17 },
    { session: 'ranked', sessions: [{ session: { id: '17000400', stringValue: 'open' } }], pass: 12 },
    { pass: 'Abstract roles are not used directly' },
    {
      password: 'Passwort',
      newPassword: 'Nouveau mot de passe',
      token: 'トークン',
      apiKey: 'API 密钥',
      otp: 'One-time code',
    },
    { passwordConfirm: 'Confirm password', 'session.id': 'ID de session' },
    { password: { minLength: 8, policy: 'strong' }, token: { ttl: 3600, type: 'jwt', symbol: 'ETH' } },
    { token: '0x52908400098527886E0F7030069857D2E4169EE7' },
    {
      annotations: { 'checksum/secret': SHA1 + SHA1.slice(0, 24) },
      tree_head_signature: 'BAMARjBEAiB0a1B2c3D4',
    },
    {
      $defs: { apiKey: { title: 'Api Key', type: ['string', 'null'] } },
      properties: { token: { const: 'a1' } },
    },
    { applicationServerKey: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA', restore_keys: ['v1-deps-'] },
    { columns: ['token_type', 'at'], rows: [['bearer', '2026-01-31T10:00:00.123Z']] },
    { flags: { 'api-key-v2': 'on' }, secret: { secretName: 'db-credentials-2', defaultMode: 420 } },
    { properties: { Password: { id: 'title', type: 'title', title: [{ plain_text: 'Router' }] } } },
    { id: SHA1, pubkey: SHA1 + SHA1.slice(16), content: 'hi', sig: '0a1b2c3d'.repeat(16) },
    { name: 'token', label: 'Session', value: 'Morning-1' },
  ].map((value) => ['application/json', JSON.stringify(value)] as const),
  ['message/rfc822', 'DKIM-Signature: v=1; a=rsa-sha256; b=a1B2c3D4e5F6g7H8i9\n\nHello\n'],
  ['text/plain', 'token := r.Header.Get("X-Token")\nauth_cookie = paste.auth.cookie:make_auth_cookie\n'],
  ['text/plain', 'secret=changeme\ncurl -u user:password https://a.example\n'],
  ['text/markdown', 'data:application/json;base64,eyJzb3VyY2VzIjpbIi9zb21lL...'],
  ['text/javascript', 'const SESSION_KEY = "session-key-v2"'],
]

it.for(CLEAN)('hides nothing of %s %s', ([type, body]) => {
  const exchange = exchangeOf({
    url: `https://api.example.com/items/${UUID}?cursor=YXJyYXljb25uZWN0aW9uOjEw&sort_key=a`,
    requestHeaders: [
      ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ['idempotency-key', UUID],
      ['if-none-match', '"33a64df551425fcc55e4d42a148795d9f25f89d4"'],
    ],
    responseHeaders: [
      ['content-type', type],
      ['content-length', String(body.length)],
      ['etag', 'W/"67ab43-Xk2Qs0v9aT1b"'],
      ['x-request-id', 'FzC1a2B3c4D5e6F7'],
    ],
    responseBody: body,
  })
  expect(createRedactor().exchange(exchange)).toEqual(exchange)
})

/** What the same texts hold where it is a secret. */
const SECRET: readonly (readonly [type: string, text: string])[] = [
  ['application/json', '{"token":{"id":"abc","user":{"name":"ann"}}}'],
  ['application/json', '{"token":{"user":{"password":"abc"}}}'],
  ['application/json', '{"version":3,"sourcesContent":["const token = \\"aB3dE5gH7jK9mN1p\\""]}'],
  ['text/plain', 'export DB_PASSWORD=eY8nckKeJy4jh9 && run'],
  ['text/plain', 'password: hunter2(x)'],
  ['application/json', '{"password":"is hunter2 required"}'],
  ['application/json', '{"password":["must be my secret words"]}'],
  ['text/plain', 'password = Summer(2026)'],
  ['text/plain', 'token = aB3dE5gH7jK9mN1pQ3sT'],
  ['text/plain', 'password: correct horse battery'],
  ['text/plain', '[index]\nusername = ann\npassword = bQ90eoelgJpKk2aqute8Dp'],
  ['text/x-python', 'password = "hunter2"'],
  ['text/x-python', "TOKEN = 'aB3dE5gH7jK9mN1pQ3sT'"],
  ['text/markdown', 'postgres://user:aB3dE5gH@db.example.com'],
  ['text/markdown', 'postgres://ann:pass@db.example.com'],
  ['text/markdown', '[a](https://example.com/badge.svg?token=yZL6LtXkOA)'],
  ['text/markdown', 'basic YW5uOmFCM2RFNWdI'],
]

it.for(SECRET)('hides what is secret of %s %s', ([type, body]) => {
  const { response } = createRedactor().exchange(
    exchangeOf({ responseHeaders: [['content-type', type]], responseBody: body }),
  )
  expect(response.content.text).not.toBe(body)
})

it('keeps what stands behind a link', () => {
  const { response } = createRedactor().exchange(
    exchangeOf({
      responseHeaders: [['content-type', 'text/markdown']],
      responseBody: '[![Status](https://example.com/badge.svg?token=yZL6LtXkOA)](https://example.com/a)',
    }),
  )
  expect(response.content.text).toMatch(/\?token=\S+\)\]\(https:\/\/example\.com\/a\)$/)
})

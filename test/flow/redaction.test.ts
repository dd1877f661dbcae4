import { once } from 'node:events'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { allBytes, pseudonymOf } from '../recording/samples.ts'
import { fetchFrom, gatewayTo, openFolder, post, startGateway } from './kit.ts'
import { formsOf, play, type Plant } from './planting.ts'

const JWT_HEAD = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.'
const FORM = 'application/x-www-form-urlencoded'
const BOUNDARY = 'multipart/form-data; boundary=b'
const part = (name: string, value: string, type = ''): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n${type}\r\n${value}\r\n--b--\r\n`
const JSON_TYPE = 'application/json'
const jsonOf = (value: unknown): Plant => ({ type: JSON_TYPE, body: JSON.stringify(value) })

/** Where secrets are planted; `s` is one that is nowhere else. */
const KINDS: Readonly<Record<string, (s: string) => Plant>> = {
  'a bearer token': (s) => ({ headers: { authorization: `Bearer ${s}` } }),
  'basic auth': (s) => ({
    headers: { authorization: `Basic ${Buffer.from(`ann:${s}`).toString('base64')}` },
  }),
  'digest auth': (s) => ({ headers: { authorization: `Digest username="ann", response="${s}"` } }),
  'an API key in a header': (s) => ({ headers: { 'x-api-key': s } }),
  'a token in a header': (s) => ({ headers: { 'x-csrf-token': s, 'x-amz-security-token': s } }),
  'a JSON header': (s) => ({ headers: { 'x-context': JSON.stringify({ user: { token: s } }) } }),
  'a cookie': (s) => ({ headers: { cookie: `a=1; sid=${s}; theme=dark` } }),
  'a set-cookie': (s) => ({ headers: { 'set-cookie': [`sid=${s}; Path=/; HttpOnly`, 'theme=dark'] } }),
  'a token in Location': (s) => ({ headers: { location: `https://app.example.com/cb?access_token=${s}` } }),
  'a token in a fragment of Location': (s) => ({ headers: { location: `/cb#id_token=${s}&state=1` } }),
  'user info of a URL in a header': (s) => ({ headers: { referer: `https://ann:${s}@app.example.com/` } }),
  'a token in Link': (s) => ({ headers: { link: `</next?token=${s}>; rel="next"` } }),
  'a protocol of a WebSocket': (s) => ({ headers: { 'sec-websocket-protocol': `chat, access_token, ${s}` } }),
  'a query': (s) => ({ path: `/a?api_key=${s}&page=2` }),
  'a query, percent-encoded': (s) => ({ path: `/a?%61pi%5Fkey=${encodeURIComponent(`${s}+/=`)}` }),
  'a query of a URL in a query': (s) => ({ path: `/a?next=${encodeURIComponent(`/b?token=${s}`)}` }),
  'a signed URL': (s) => ({ path: `/a?X-Amz-Credential=AKID&X-Amz-Signature=${s}` }),
  'an authorization code': (s) => ({ path: `/cb?code=${s}&state=xyz` }),
  'a path parameter': (s) => ({ path: `/a;jsessionid=${s}/b` }),
  'a field of JSON': (s) => jsonOf({ user: { password: s }, page: 1 }),
  'a list in JSON': (s) => jsonOf({ api_keys: [s, { deep: s }] }),
  'a JWT in JSON': (s) => jsonOf({ note: `use ${JWT_HEAD}${s} now` }),
  'JSON in JSON': (s) => jsonOf({ payload: JSON.stringify({ inner: JSON.stringify({ secret: s }) }) }),
  'a name and a value in JSON': (s) =>
    jsonOf([
      { name: 'API_KEY', value: s },
      { value: s, key: 'password' },
    ]),
  'variables of GraphQL': (s) =>
    jsonOf({
      query: 'mutation ($i: In!) { login(input: $i) { ok } }',
      variables: { i: { password: s } },
    }),
  'a literal of GraphQL': (s) =>
    jsonOf({ query: `mutation { login(user: "ann", password: "${s}") { ok } }` }),
  'GraphQL as it is': (s) => ({ type: 'application/graphql', body: `{ login(password: "${s}") { ok } }` }),
  'lines of JSON': (s) => ({ type: 'application/x-ndjson', body: `{"a":1}\n{"jwt":"${s}"}\n` }),
  'JSON without a type': (s) => ({ body: JSON.stringify({ client_secret: s }) }),
  'a form': (s) => ({ type: FORM, body: `user=ann&pass%77ord=${s}` }),
  'a form with brackets': (s) => ({ type: FORM, body: `user[name]=ann&user[password]=${s}` }),
  'a form for a token': (s) => ({ type: FORM, body: `grant_type=authorization_code&code=${s}` }),
  'a part of a multipart body': (s) => ({ type: BOUNDARY, body: part('password', s) }),
  'JSON in a multipart body': (s) => ({
    type: BOUNDARY,
    body: part('meta', JSON.stringify({ token: s }), 'content-type: application/json\r\n'),
  }),
  'a request in a multipart body': (s) => ({
    type: 'multipart/mixed; boundary=b',
    body: `--b\r\ncontent-type: application/http\r\n\r\nGET /a HTTP/1.1\r\nAuthorization: Bearer ${s}\r\n\r\n--b--`,
  }),
  'an event': (s) => ({
    type: 'text/event-stream',
    body: `event: a\ndata: {"token":"${s}"}\n\ndata: [DONE]\n\n`,
  }),
  'an event of two lines': (s) => ({ type: 'text/event-stream', body: `data: {"token":\ndata: "${s}"}\n\n` }),
  XML: (s) => ({
    type: 'text/xml',
    body: `<a><wsse:Password Type="x">${s}</wsse:Password><b pwd="${s}"/></a>`,
  }),
  'elements within a secret one': (s) => ({
    type: 'application/xml',
    body: `<a><password><value>${s}</value></password><password>&p;</password></a>`,
  }),
  'an entity of XML': (s) => ({
    type: 'application/xml',
    body: `<!DOCTYPE a [<!ENTITY p "${s}">]><a><password>&p;</password></a>`,
  }),
  'a property list': (s) => ({
    type: 'application/xml',
    body: `<plist><dict><key>port</key><integer>1</integer><key>password</key><string>${s}</string></dict></plist>`,
  }),
  'a call of XML-RPC': (s) => ({
    type: 'text/xml',
    body: `<struct><member><name>password</name><value><string>${s}</string></value></member></struct>`,
  }),
  'a property of Hadoop': (s) => ({
    type: 'text/xml',
    body: `<property><name>fs.s3a.secret.key</name>\n<value><![CDATA[${s}]]></value></property>`,
  }),
  'a table': (s) => ({
    type: 'text/csv',
    body: `user,password,note\r\n"a, ""b""",${s},1\r\nbob,"${s}",2\r\n`,
  }),
  'a table with tabs': (s) => ({
    type: 'text/tab-separated-values',
    body: `user\tpassword\nann\t${s}\n`,
  }),
  netrc: (s) => ({
    type: 'text/plain',
    body: `machine a.example.com login ann password ${s}\ndefault\n  login b\n  password ${s}\n`,
  }),
  'blocks of YAML': (s) => ({
    type: 'application/yaml',
    body: `db:\n  password: |-\n    ${s}\n\n  port: 1\n  "api_key": > # folded\n    ${s}\n  - token: |\n      ${s}\n`,
  }),
  'a part of a multipart body, its name encoded': (s) => ({
    type: BOUNDARY,
    body: `--b\r\ncontent-disposition: form-data; name*=utf-8''pass%77ord\r\n\r\n${s}\r\n--b--\r\n`,
  }),
  HTML: (s) => ({
    type: 'text/html',
    body: `<meta name="csrf-token" content="${s}"><input value='${s}' type=hidden name=csrf>
      <script>window.state = {"user":{"accessToken":"${s}"}}; const apiKey = '${s}'</script>`,
  }),
  'JSON in an attribute': (s) => ({
    type: 'text/html',
    body: `<div data-props="{&quot;user&quot;:{&quot;password&quot;:&quot;${s}&quot;}}" class='a'></div>`,
  }),
  'a command in an attribute': (s) => ({
    type: 'text/html',
    body: `<a title="curl -H &quot;X-Api-Key: ${s}&quot; https://a.example.com">a</a>`,
  }),
  'a URL in a query of an attribute': (s) => ({
    type: 'text/html',
    body: `<a href="/x?v=${encodeURIComponent(`redis://ann:${s}@r.example.com`)}">a</a>`,
  }),
  'a parameter without a value': (s) => ({ path: `/a?${encodeURIComponent(`redis://ann:${s}@r`)}` }),
  'a name in JSON': (s) => jsonOf({ servers: { [`redis://ann:${s}@r.example.com`]: { up: true } } }),
  'a line of .pgpass': (s) => jsonOf({ note: `db.example.com:5432:app:ann:${s}` }),
  'a login of Docker': (s) => jsonOf({ note: `docker login -u ann -p ${s} r.example.com` }),
  'netrc in a text': (s) => jsonOf({ note: `see machine a.example.com login ann password ${s}` }),
  'a webhook with an id': (s) => ({ path: `/webhook/0123456789abcdef0123456789abcdef/${s}` }),
  'a temporary URL': (s) => ({ path: `/v1/A/c/o?temp_url_sig=${s}&temp_url_expires=1700000000` }),
  'a hash of a directory': (s) => jsonOf({ userPassword: `{SSHA}${s}` }),
  'a signature by HMAC': (s) => jsonOf({ headers: { 'X-Shopify-Hmac-Sha256': s } }),
  settings: (s) => ({
    type: 'text/plain',
    body: `# settings\nexport API_TOKEN=${s}\nport: 80\npassword: ${s}\n`,
  }),
  YAML: (s) => ({ type: 'application/yaml', body: `db:\n  host: a\n  password: ${s}\n  - token: "${s}"\n` }),
  'a private key': (s) =>
    jsonOf({
      pem: `-----BEGIN PRIVATE KEY-----\n${s.replaceAll('-', '')}\n-----END PRIVATE KEY-----`,
    }),
  'a credential in words': (s) => ({
    type: JSON_TYPE,
    body: JSON.stringify({ hint: `curl -H "Authorization: Bearer ${s}" https://a.example.com` }),
  }),
}

// Secrets that look like tokens are hidden wherever they are repeated; these do not, so each place must be known.
const SHAPELESS = (number: number): string => `pl4nted!${number}!s3cret`
const TOKEN_LIKE = (number: number): string => `pl4nted-${number}-s3cret-0f-its-own`

it.for([
  ['like a token', TOKEN_LIKE, []],
  ['like nothing', SHAPELESS, ['a credential in words', 'a webhook with an id', 'a temporary URL']],
] as const)(
  'leaves no secret that looks %s in any recorded byte, of whatever kind',
  async ([, make, unseen]) => {
    const { exchange, port, recorded } = await play()
    const planted = new Map<string, string>()
    const plant = (kind: string): string => {
      const secret = make(planted.size)
      planted.set(kind, secret)
      return secret
    }
    let sent = 0
    const kinds = Object.entries(KINDS).filter(([kind]) => !unseen.some((each) => each === kind))
    for (const [kind, message] of kinds) {
      for (const coding of ['identity', 'gzip', 'br'] as const) {
        const [there, back] = [
          message(plant(`${kind}, sent, ${coding}`)),
          message(plant(`${kind}, answered, ${coding}`)),
        ]
        await exchange(there, back, coding)
        sent++
      }
    }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`)
    await once(socket, 'open')
    for (const text of [
      JSON.stringify({ token: plant('a message') }),
      `42/chat,["login",{"password":"${plant('a message of Socket.IO')}"}]`,
      `CONNECT\nlogin:ann\npasscode:${plant('a message of STOMP')}\n\n`,
    ]) {
      socket.send(text)
      await once(socket, 'message')
    }
    socket.close()
    await once(socket, 'close')

    const { bytes, exchanges } = await recorded()
    expect(exchanges).toHaveLength(sent + 1)
    expect(planted.size).toBeGreaterThan(12 * 2)
    const found = [...planted].flatMap(([kind, secret]) =>
      formsOf(secret).some((form) => bytes.includes(form)) ? [kind] : [],
    )
    expect(found).toEqual([])
    expect(bytes.includes('_omitted')).toBe(false)
  },
)

it('finds secrets where they are, so that it could fail', () => {
  const secret = 'pl4nted-0-s3cret-0f-its-own'
  for (const hidden of [
    Buffer.from(`a:${secret}`),
    Buffer.from(`ab:${secret}`),
    Buffer.from(`abc:${secret}`),
  ])
    expect(formsOf(secret).some((form) => hidden.toString('base64').includes(form))).toBe(true)
})

it('keeps equal secrets equal, wherever they are', async () => {
  const { exchange, recorded } = await play()
  const token = 'pl4nted-s3cret-0f-a-session'
  await exchange({}, { type: JSON_TYPE, body: JSON.stringify({ access_token: token }) })
  await exchange(
    { path: `/a?token=${token}`, headers: { authorization: `Bearer ${token}`, cookie: `sid=${token}` } },
    { type: JSON_TYPE, body: JSON.stringify({ seen: `a client with ${token}` }) },
  )
  const { exchanges, text } = await recorded()
  const pseudonym = await pseudonymOf(token)
  const [first, second] = exchanges
  expect(first?.response.content.text).toBe(JSON.stringify({ access_token: pseudonym }))
  expect(second?.request.url).toContain(`/a?token=${pseudonym}`)
  expect(second?.request.headers).toContainEqual({ name: 'authorization', value: `Bearer ${pseudonym}` })
  expect(second?.request.headers).toContainEqual({ name: 'cookie', value: `sid=${pseudonym}` })
  expect(second?.response.content.text).toBe(JSON.stringify({ seen: `a client with ${pseudonym}` }))
  expect(text).not.toContain(token)
})

it('hides what its rules name besides, and not what they except', async () => {
  const rules = {
    names: ['x-internal-*', 'iban'],
    except: ['theme', 'next_token'],
    patterns: ['\\b4\\d{15}\\b'],
  }
  const { exchange, recorded } = await play(rules)
  const plant: Plant = {
    headers: { 'x-internal-user': 'ann-of-accounts', cookie: 'theme=dark-mode; sid=abc-123' },
    type: JSON_TYPE,
    body: JSON.stringify({
      iban: 'DE02120300000000202051',
      next_token: 'p-2',
      text: 'card 4111111111111111',
      n: 4111111111111112,
    }),
  }
  await exchange(plant, plant)
  const { text } = await recorded()
  for (const secret of [
    'ann-of-accounts',
    'abc-123',
    'DE02120300000000202051',
    '4111111111111111',
    '4111111111111112',
  ])
    expect(text).not.toContain(secret)
  for (const kept of ['theme=dark-mode', 'p-2']) expect(text).toContain(kept)
})

it('is a matter of one gateway, whatever rules another in the same process has', async () => {
  const [tenants, accounts] = [
    await play({ names: ['x-tenant'], except: ['x-api-key'] }),
    await play({ names: ['x-account'], patterns: ['card-\\d+'] }),
  ]
  const plant: Plant = {
    path: '/a?q=card-4711',
    headers: { 'x-tenant': 'the-tenant', 'x-account': 'the-account', 'x-api-key': 'the-api-key' },
  }
  const journalOf = async (port: number): Promise<string> =>
    (await fetchFrom(`http://127.0.0.1:${port}/__sim/requests`)).text
  for (let turn = 0; turn < 2; turn++) {
    await tenants.exchange(plant, plant)
    await accounts.exchange(plant, plant)
  }
  const journals = [await journalOf(tenants.port), await journalOf(accounts.port)]
  const texts = [(await tenants.recorded()).text, (await accounts.recorded()).text]
  const values = ['the-tenant', 'the-account', 'the-api-key', 'card-4711']
  const shown = (text: string): string[] => values.filter((value) => text.includes(value))
  for (const [tenant = '', account = ''] of [journals, texts]) {
    expect(shown(tenant)).toEqual(['the-account', 'the-api-key', 'card-4711'])
    expect(shown(account)).toEqual(['the-tenant'])
  }
})

it('hides what a store of secrets is sent and gives, whatever its fields are called, and replays it', async () => {
  const planted = 'correct horse battery staple'
  const record = openFolder().path
  const { app, url } = await gatewayTo(
    (incoming, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ value: incoming.url?.includes('/secrets') === true ? planted : 'none' }))
    },
    { record },
  )
  const put = (to: string, path: string, value: string) =>
    post(`${to}/api/2.0/${path}`, { scope: 'app', key: 'db', string_value: value })
  await put(url, 'secrets/put', planted)
  await fetchFrom(`${url}/api/2.0/secrets?key=db`)
  await put(url, 'settings', 'no secret here')
  await app.close()

  const { bytes } = await allBytes(record)
  expect(bytes.includes('/secrets/put')).toBe(true)
  expect(bytes.includes(planted.slice(0, 13))).toBe(false)
  expect(bytes.includes('no secret here')).toBe(true)

  const replay = await startGateway({ modes: { mode: 'replay' }, recording: record })
  expect((await put(replay.url, 'secrets/put', planted)).status).toBe(200)
  expect((await put(replay.url, 'settings', 'something else')).status).toBe(404)
})

it('leaves the lengths that a body states, and no checksum of what was there before', async () => {
  const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
  const line = `95d09f2b10159347eece71399a7e2e907ea3df4f refs/heads/x\0token=${secret} agent=git\n`
  const message = `{"note":"é","password":"hunter2","token":"${secret}"}`
  const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/git': [
      'application/x-git-upload-pack-advertisement',
      `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`,
    ],
    '/polling': ['text/plain; charset=UTF-8', `${message.length + 1}:4${message}1:6`],
    '/parts': [
      'multipart/mixed; boundary=b',
      `--b\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}\r\n--b--`,
    ],
    '/json': [JSON_TYPE, message],
  }
  const record = openFolder().path
  const recording = await gatewayTo(
    ({ url = '' }, response) => {
      const [type = '', body] = bodies[url] ?? []
      response.writeHead(200, {
        'content-type': type,
        'content-md5': 'x',
        'x-amz-checksum-crc32': 'x',
        etag: '"1"',
      })
      response.end(body)
    },
    { modes: { mode: 'record' }, record },
  )
  for (const path of Object.keys(bodies)) await fetchFrom(`${recording.url}${path}`)
  await recording.app.close()
  const { url } = await startGateway({ modes: { mode: 'replay' }, recording: record })
  for (const [path, [, body]] of Object.entries(bodies)) {
    const { text, bytes, headers } = await fetchFrom(`${url}${path}`)
    expect(text).not.toContain(secret)
    expect([...headers.keys()].filter((name) => /md5|checksum|etag/.test(name))).toEqual(['etag'])
    if (path !== '/json') expect(bytes).toHaveLength(Buffer.byteLength(body))
  }
})

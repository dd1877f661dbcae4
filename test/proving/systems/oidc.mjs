import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import * as oidc from 'openid-client'
import { freePort } from '../../free-port.ts'

const UNSEEN = 'nothing shows which secrets, scopes and registration tokens are right that were not recorded'
export const short = {
  'held out': UNSEEN,
  checks: `${UNSEEN}, and a redirection ends in what the server made up`,
  'by rule': 'tokens are hidden where they are recorded, and most grants were requested once',
}

const CLIENTS = ['shop', 'mail', 'jobs'].map((name) => ({
  ...{
    client_id: name,
    client_secret: `${name}-secret-of-its-own`,
    redirect_uris: [`http://${name}.test/cb`],
  },
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: 'openid offline_access profile email read write',
}))

export async function start() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const provider = new Provider(url, {
    clients: CLIENTS,
    scopes: ['openid', 'offline_access', 'profile', 'email', 'read', 'write'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    features: {
      ...{ clientCredentials: { enabled: true }, introspection: { enabled: true } },
      ...{ revocation: { enabled: true }, deviceFlow: { enabled: true }, registration: { enabled: true } },
      ...{ registrationManagement: { enabled: true }, pushedAuthorizationRequests: { enabled: true } },
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `Name of ${id}`, email: `${id}@example.com`, email_verified: true }),
    }),
  })
  const server = createServer(provider.callback())
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const VALUES = {
  A: {
    clients: ['shop', 'mail'],
    scopes: ['read', 'read write', 'write'],
    users: ['ada', 'bob'],
    names: ['Portal', 'Kiosk'],
  },
  B: {
    clients: ['mail', 'jobs'],
    scopes: ['write', 'read'],
    users: ['cyd', 'dan', 'eve'],
    names: ['Wiki', 'Forum', 'Blog'],
  },
}

/** The metadata name the server by its own URL, where the client is to ask what it was given. */
async function configure(base, name, secret) {
  const text = await (await fetch(`${base}/.well-known/openid-configuration`)).text()
  const metadata = JSON.parse(text.replaceAll(JSON.parse(text).issuer, base))
  const config = new oidc.Configuration(metadata, name, undefined, oidc.ClientSecretBasic(secret))
  oidc.allowInsecureRequests(config)
  return config
}

export async function session(base, which, check) {
  const { clients, scopes, users, names } = VALUES[which]
  const has = (code) => (_value, error) => error?.error === code || error?.cause?.error === code
  const get = async (path, headers = {}) => {
    const response = await fetch(base + path, { headers, redirect: 'manual' })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
  await check(
    'keys',
    () => get('/jwks'),
    ({ body }) => JSON.parse(body).keys.length > 0,
  )
  const configs = []
  for (const name of clients)
    configs.push(
      await check(
        'discover',
        () => configure(base, name, `${name}-secret-of-its-own`),
        (config) => config.serverMetadata().token_endpoint.endsWith('/token'),
      ),
    )
  const [one, two] = configs
  const tokens = []
  for (const [at, scope] of scopes.entries()) {
    const answer = await check(
      'client credentials',
      () => oidc.clientCredentialsGrant(configs[at % 2], { scope }),
      (token) => token.scope === scope && token.token_type === 'bearer' && token.expires_in > 0,
    )
    tokens.push(answer?.access_token ?? 'none')
  }
  await check(
    'distinct tokens',
    () => tokens,
    (all) => new Set(all).size === scopes.length,
  )
  await check(
    'wrong secret',
    async () =>
      oidc.clientCredentialsGrant(await configure(base, clients[0], `wrong-${which}`), { scope: 'read' }),
    (_value, error) => error?.status === 401,
  )
  await check(
    'unknown scope',
    () => oidc.clientCredentialsGrant(one, { scope: which === 'A' ? 'fly' : 'swim' }),
    (token) => token.scope === undefined && token.access_token !== undefined,
  )
  await check(
    'unknown grant',
    () => oidc.genericGrantRequest(one, which === 'A' ? 'magic' : 'luck', {}),
    has('unsupported_grant_type'),
  )
  for (const [at, token] of tokens.entries())
    await check(
      'introspect',
      () => oidc.tokenIntrospection(configs[at % 2], token),
      ({ active, scope, client_id }) => active && scope === scopes[at] && client_id === clients[at % 2],
    )
  await check(
    'introspect none',
    () => oidc.tokenIntrospection(one, `no-such-token-${which}`),
    ({ active }) => active === false,
  )
  await check('revoke', () => oidc.tokenRevocation(one, tokens[0]))
  await check(
    'introspect revoked',
    () => oidc.tokenIntrospection(one, tokens[0]),
    ({ active }) => active === false,
  )
  await check(
    'introspect',
    () => oidc.tokenIntrospection(two, tokens[1]),
    ({ active }) => active === true,
  )
  await check(
    'user of none',
    () => get('/me', { authorization: `Bearer no-such-token-${which}` }),
    ({ status, body }) => status === 401 && JSON.parse(body).error === 'invalid_token',
  )
  await check(
    'user of a client',
    () => get('/me', { authorization: `Bearer ${tokens[1]}` }),
    ({ status }) => status >= 400,
  )
  await check(
    'authorize nobody',
    () => get(`/auth?client_id=${users[0]}&response_type=code&scope=openid`),
    ({ status }) => status === 400,
  )
  for (const [at, user] of users.entries()) {
    const name = clients[at % 2]
    const query = new URLSearchParams({
      client_id: name,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: `http://${name}.test/cb`,
      state: `s-${user}`,
    })
    await check(
      'authorize',
      () => get(`/auth?${query}`),
      ({ status, headers }) => status === 303 && headers.get('location').includes('/interaction/'),
    )
  }
  const silent = new URLSearchParams({
    client_id: clients[0],
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    redirect_uri: `http://${clients[0]}.test/cb`,
    state: `n-${users[1]}`,
  })
  await check(
    'authorize silently',
    () => get(`/auth?${silent}`),
    ({ status, headers }) =>
      status === 303 &&
      headers.get('location').includes('login_required') &&
      headers.get('location').includes(`state=n-${users[1]}`),
  )
  await check(
    'bad code',
    () =>
      oidc.genericGrantRequest(one, 'authorization_code', {
        code: `no-code-${which}`,
        redirect_uri: `http://${clients[0]}.test/cb`,
      }),
    has('invalid_grant'),
  )
  await check('bad refresh', () => oidc.refreshTokenGrant(one, `no-refresh-${which}`), has('invalid_grant'))
  const registered = []
  for (const client_name of names) {
    const body = {
      client_name,
      redirect_uris: [`https://${client_name.toLowerCase()}.test/cb`],
      token_endpoint_auth_method: 'client_secret_post',
    }
    registered.push(
      await check(
        'register',
        () => send(base, 'POST', '/reg', body),
        ({ status, json }) =>
          status === 201 &&
          json.client_name === client_name &&
          json.registration_client_uri.endsWith(json.client_id),
      ),
    )
  }
  await check(
    'register badly',
    () => send(base, 'POST', '/reg', { client_name: names[0], redirect_uris: [] }),
    ({ status, json }) => status === 400 && json.error === 'invalid_redirect_uri',
  )
  for (const made of registered)
    await check(
      'read client',
      () =>
        send(base, 'GET', `/reg/${made?.json.client_id}`, undefined, made?.json.registration_access_token),
      ({ status, json }) => status === 200 && json.client_name === made.json.client_name,
    )
  await check(
    'read client without',
    () => send(base, 'GET', `/reg/${registered[0]?.json.client_id}`, undefined, `none-${which}`),
    ({ status }) => status === 401,
  )
  const [first] = registered
  await check(
    'delete client',
    () =>
      send(base, 'DELETE', `/reg/${first?.json.client_id}`, undefined, first?.json.registration_access_token),
    ({ status }) => status === 204,
  )
  await check(
    'read deleted',
    () =>
      send(base, 'GET', `/reg/${first?.json.client_id}`, undefined, first?.json.registration_access_token),
    ({ status }) => status === 401,
  )
}

async function send(base, method, path, body, token) {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(base + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
}

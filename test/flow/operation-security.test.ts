import { beforeAll, describe, expect, it } from 'vitest'
import type { SecurityScheme } from '../../src/engine/operation.ts'
import { parameter } from '../openapi/serve/reading.ts'
import { fetchFrom, type Served } from './kit.ts'
import { described, serveInput } from './operation-app.ts'

const bearer: SecurityScheme = { name: 'oauth', kind: 'bearer' }
const basic: SecurityScheme = { name: 'login', kind: 'basic' }
const keyIn = (place: 'header' | 'query' | 'cookie'): SecurityScheme => ({
  name: 'key',
  kind: 'apiKey',
  in: place,
  field: 'Api-Key',
})
const routes = [
  described('GET', '/bearer', { security: [[bearer]] }),
  described('GET', '/listed', { security: [[bearer]] }, { bearerTokens: ['mine'] }),
  described('GET', '/basic', { security: [[basic]] }),
  described('GET', '/header', { security: [[keyIn('header')]] }),
  described('GET', '/query', { security: [[keyIn('query')]] }),
  described('GET', '/cookie', { security: [[keyIn('cookie')]] }),
  described('GET', '/both', { security: [[keyIn('query'), basic]] }),
  described('GET', '/either', { security: [[bearer], [keyIn('query')]] }),
  described('GET', '/optional', { security: [[], [bearer]] }),
  described('GET', '/open', {}),
  described(
    'GET',
    '/order',
    {
      security: [[keyIn('header')]],
      parameters: [parameter({ name: 'n', in: 'query', required: true, model: { type: 'integer' } })],
    },
    { rateLimit: 1 },
  ),
]
const login = `Basic ${Buffer.from('name:password').toString('base64')}`

describe('the security of a described operation', () => {
  let served: Served
  let guarded: Served

  beforeAll(async () => {
    served = await serveInput(routes)
    guarded = await serveInput(routes, { defaults: { bearerTokens: ['ours'] } })
  })
  const send = (path: string, headers: Record<string, string> = {}, to = served) =>
    fetchFrom(`${to.url}${path}`, headers)

  it.for([
    ['/bearer', { authorization: 'Bearer any' }],
    ['/listed', { authorization: 'Bearer mine' }],
    ['/basic', { authorization: login }],
    ['/header', { 'API-KEY': 'any' }],
    ['/query?Api-Key=any', {}],
    ['/cookie', { cookie: 'a=b; Api-Key=any' }],
    ['/both?Api-Key=any', { authorization: login }],
    ['/either', { authorization: 'Bearer any' }],
    ['/either?Api-Key=any', {}],
    ['/optional', {}],
    ['/open', {}],
  ] as const)('opens %s for %j', async ([path, headers]) => {
    expect((await send(path, headers)).status).toBe(200)
  })

  it.for([
    ['/bearer', {}, 'Bearer', 'a bearer token'],
    ['/bearer', { authorization: login }, 'Bearer', 'a bearer token'],
    ['/listed', { authorization: 'Bearer secret' }, 'Bearer', 'a bearer token'],
    ['/basic', { authorization: 'Basic secret' }, 'Basic realm="sim", charset="UTF-8"', 'Basic'],
    ['/header', { 'api-key': '' }, 'ApiKey name="Api-Key"', 'the header Api-Key'],
    ['/query?api-key=secret', {}, 'ApiKey name="Api-Key"', 'the query parameter Api-Key'],
    ['/cookie', { cookie: 'other=secret' }, 'ApiKey name="Api-Key"', 'the cookie Api-Key'],
    ['/both?Api-Key=secret', {}, 'ApiKey name="Api-Key", Basic', ' and a name and a password'],
    ['/either', {}, 'Bearer, ApiKey name="Api-Key"', ', or an API key'],
  ] as const)('refuses %s for %j with the challenge %s', async ([path, headers, challenge, detail]) => {
    const answer = await send(path, headers)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining(challenge),
    ])
    expect(JSON.parse(answer.text)).toEqual({ detail: expect.stringContaining(detail) })
    expect(answer.text).not.toContain('secret')
  })

  it('takes the gateway’s list of bearer tokens for that of its bearer schemes', async () => {
    const statusOf = async (path: string, authorization: string) =>
      (await send(path, { authorization }, guarded)).status
    expect(await statusOf('/bearer', 'Bearer ours')).toBe(200)
    expect(await statusOf('/bearer', 'Bearer any')).toBe(401)
    expect(await statusOf('/listed', 'Bearer mine')).toBe(200)
    expect(await statusOf('/listed', 'Bearer ours')).toBe(401)
    expect(await statusOf('/query?Api-Key=x', 'Bearer ours')).toBe(200)
    expect(await statusOf('/query?Api-Key=x', 'Bearer any')).toBe(401)
    expect(await statusOf('/open', 'Bearer any')).toBe(401)
  })

  it('comes before the rate limit, and that before the input', async () => {
    const key = { 'api-key': 'any' }
    expect((await send('/order?n=x')).status).toBe(401)
    expect((await send('/order?n=x', key)).status).toBe(422)
    expect((await send('/order?n=1', key)).status).toBe(429)
    expect((await send('/order?n=1')).status).toBe(401)
  })
})

import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { auth, type AuthOptions, type Credential } from '../../plugins/auth.ts'
import { sendError } from '../../src/gateway/reply.ts'

async function appWith(tokens: readonly string[] | undefined, security?: AuthOptions['security']) {
  const app = Fastify()
  app.setErrorHandler(sendError)
  await app.register(auth, { tokens: () => tokens, ...(security !== undefined && { security }) })
  app.get('/', () => 'in')
  return app
}

describe('auth', () => {
  it.for([
    ['Bearer one', 200],
    ['bearer two', 200],
    ['Bearer  one ', 200],
    [undefined, 401],
    ['', 401],
    ['one', 401],
    ['Bearer', 401],
    ['Bearer three', 401],
    ['Bearer on', 401],
    ['Bearer one two', 401],
    ['Basic one', 401],
    ['Bearer öne', 401],
  ] as const)('answers authorization %j with %i', async ([authorization, status]) => {
    const app = await appWith(['one', 'two'])
    const response = await app.inject({
      url: '/',
      headers: authorization === undefined ? {} : { authorization },
    })
    expect(response.statusCode).toBe(status)
    if (status === 401) {
      expect(response.json()).toEqual({ detail: 'Unauthorized' })
      expect(response.headers['www-authenticate']).toBe('Bearer')
    }
  })

  it.for([[undefined], [[]]] as const)('is open with the token list %j', async ([tokens]) => {
    const app = await appWith(tokens)
    expect((await app.inject('/')).statusCode).toBe(200)
  })
})

const bearer: Credential = { kind: 'bearer' }
const basic: Credential = { kind: 'basic' }
const keyOf = (value: string | undefined): Credential => ({
  kind: 'apiKey',
  name: 'k"ö',
  place: 'the header k',
  value,
})
const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('auth by a description', () => {
  it.for([
    [[], undefined, [], 200],
    [[], undefined, ['t'], 401],
    [[], 'Bearer t', ['t'], 200],
    [[[]], undefined, [], 200],
    [[[], [bearer]], undefined, ['t'], 200],
    [[[bearer]], 'Bearer anything', [], 200],
    [[[bearer]], 'Bearer anything', ['t'], 401],
    [[[bearer]], 'Bearer t', ['t'], 200],
    [[[bearer]], 'Bearer', [], 401],
    [[[bearer]], encoded('a:b'), [], 401],
    [[[basic]], encoded('a:b'), [], 200],
    [[[basic]], encoded(':'), [], 200],
    [[[basic]], encoded('ab'), [], 401],
    [[[basic]], 'Basic a:b', [], 401],
    [[[basic]], 'Basic', [], 401],
    [[[basic]], encoded('a:b'), ['t'], 401],
    [[[keyOf('x')]], undefined, [], 200],
    [[[keyOf('')]], undefined, [], 401],
    [[[keyOf(undefined)]], undefined, [], 401],
    [[[keyOf('x')]], undefined, ['t'], 401],
    [[[keyOf('x')]], 'Bearer t', ['t'], 200],
    [[[keyOf('x'), bearer]], undefined, [], 401],
    [[[keyOf('x'), bearer]], 'Bearer a', [], 200],
    [[[bearer], [keyOf('x')]], undefined, ['t'], 200],
  ] as const)('of %j answers authorization %j, with the tokens %j, with %i', async (given) => {
    const [security, authorization, tokens, status] = given
    const app = await appWith(tokens, () => security)
    const headers = authorization === undefined ? {} : { authorization }
    expect((await app.inject({ url: '/', headers })).statusCode).toBe(status)
  })

  it('says what is needed, and nothing of what was sent', async () => {
    const app = await appWith(['secret'], () => [[bearer], [basic, keyOf('key-sent')], [bearer]])
    const { headers, body } = await app.inject({ url: '/', headers: { authorization: 'Bearer token-sent' } })
    expect(headers['www-authenticate']).toBe(
      'Bearer, Basic realm="sim", charset="UTF-8", ApiKey name="k\\"?"',
    )
    expect(JSON.parse(body)).toEqual({
      detail:
        'Unauthorized: send a bearer token in the header Authorization, or a name and a password as Basic credentials ' +
        'in the header Authorization and an API key in the header k',
    })
    expect(JSON.stringify(headers) + body).not.toMatch(/sent|secret/)
  })
})

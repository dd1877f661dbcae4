import { describe, expect, it } from 'vitest'
import { auth } from '../../plugins/auth.ts'
import type { Credential, Policies } from '../../src/pipeline/route.ts'
import { testPlan, testRoute, testSession } from './plan.ts'

const guarded = (bearerTokens: readonly string[] | undefined, security?: Policies['security']) =>
  testPlan([auth], testRoute({ bearerTokens, security }))
const sent = (authorization: string | undefined) => ({
  headers: authorization === undefined ? {} : { authorization },
})

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
    const response = await guarded(['one', 'two'])(sent(authorization))
    expect(response.status).toBe(status)
    if (status === 401) {
      expect(JSON.parse(response.text)).toEqual({ detail: 'Unauthorized' })
      expect(response.headers['www-authenticate']).toBe('Bearer')
    }
  })

  it.for([[undefined], [[]]] as const)('adds no step with the token list %j', ([tokens]) => {
    expect(auth.plan(testRoute({ bearerTokens: tokens }), testSession())).toBeUndefined()
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
    expect((await guarded(tokens, () => security)(sent(authorization))).status).toBe(status)
  })

  it('says what is needed, and nothing of what was sent', async () => {
    const send = guarded(['secret'], () => [[bearer], [basic, keyOf('key-sent')], [bearer]])
    const { headers, text } = await send(sent('Bearer token-sent'))
    expect(headers['www-authenticate']).toBe(
      'Bearer, Basic realm="sim", charset="UTF-8", ApiKey name="k\\"?"',
    )
    expect(JSON.parse(text)).toEqual({
      detail:
        'Unauthorized: send a bearer token in the header Authorization, or a name and a password as Basic credentials ' +
        'in the header Authorization and an API key in the header k',
    })
    expect(JSON.stringify(headers) + text).not.toMatch(/sent|secret/)
  })
})

import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { auth } from '../../plugins/auth.ts'
import { sendError } from '../../src/gateway/reply.ts'

async function appWith(tokens: readonly string[] | undefined) {
  const app = Fastify()
  app.setErrorHandler(sendError)
  await app.register(auth, { tokens: () => tokens })
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

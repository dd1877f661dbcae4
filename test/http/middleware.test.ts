import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import fp from 'fastify-plugin'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { ConnectMiddleware } from '../../src/http/middleware.ts'

function app(): SimAPI {
  return new SimAPI({ seed: 1 }).get('/users', { output: Type.Object({}), bearerTokens: ['t'] })
}

const token = { authorization: 'Bearer t' }

describe('addMiddleware', () => {
  it('takes Fastify plugins with their options, wrapped or not, callback or async', async () => {
    const seen: string[] = []
    const plugin = async (fastify: FastifyInstance, { name }: Record<string, unknown>) => {
      fastify.addHook('onRequest', async () => void seen.push(String(name)))
    }
    const callback: FastifyPluginCallback<Record<string, unknown>> = (fastify, { name }, done) => {
      fastify.addHook('onRequest', async () => void seen.push(String(name)))
      done()
    }
    const api = app()
      .addMiddleware(plugin, { name: 'plain' })
      .addMiddleware(fp(plugin), { name: 'wrapped' })
      .addMiddleware(callback, { name: 'callback' })
    expect((await api.asWebApp().inject({ url: '/users', headers: token })).statusCode).toBe(200)
    expect(seen).toEqual(['plain', 'wrapped', 'callback'])
  })

  it('takes Connect-style middleware, the first added outermost, before auth', async () => {
    const seen: string[] = []
    const note =
      (name: string): ConnectMiddleware =>
      (_request, response, next) => {
        seen.push(name)
        response.setHeader(`x-${name}`, '1')
        next()
      }
    const api = app().addMiddleware(note('first')).addMiddleware(note('second'))
    const { statusCode, headers } = await api.asWebApp().inject('/users')
    expect(seen).toEqual(['first', 'second'])
    expect([statusCode, headers['x-first'], headers['x-second']]).toEqual([401, '1', '1'])
  })

  it('lets middleware answer by itself', async () => {
    const answer: ConnectMiddleware = (_request, response, _next) => response.end('mine')
    expect((await app().addMiddleware(answer).asWebApp().inject('/users')).body).toBe('mine')
  })

  it('answers 500 without details when middleware fails', async () => {
    const fail: ConnectMiddleware = (_request, _response, next) => next(new Error('planted secret'))
    const { statusCode, body } = await app().addMiddleware(fail).asWebApp().inject('/users')
    expect(statusCode).toBe(500)
    expect(body).not.toContain('planted')
  })

  it('refuses what is not middleware', () => {
    expect(() => app().addMiddleware({} as never)).toThrow(
      'addMiddleware takes a Fastify plugin or a function',
    )
    expect(() => app().addMiddleware(((_a: never, _b: never, _c: never, _d: never) => {}) as never)).toThrow(
      'four arguments',
    )
  })
})

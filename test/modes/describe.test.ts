import Fastify from 'fastify'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'

function app(): SimAPI {
  return new SimAPI({ seed: 1, title: 'Shop', version: '2.1.0' }).get('/users', {
    output: Type.Object({}, { title: 'User' }),
  })
}

describe('the pages that describe an app', () => {
  it('serves the document and a page to browse it', async () => {
    const web = app().asWebApp()
    const document = await web.inject('/openapi.json')
    expect(document.json()).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '2.1.0' },
      paths: { '/users': {} },
    })
    const page = await web.inject('/docs')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await web.inject({ method: 'POST', url: '/docs' })).statusCode).toBe(404)
    await web.close()
  })

  it('serves them below the path an app is mounted at', async () => {
    const parent = Fastify()
    await app().mountInto(parent, '/sim')
    expect((await parent.inject('/sim/openapi.json')).json()).toHaveProperty('paths')
    expect((await parent.inject('/sim/docs')).statusCode).toBe(200)
    expect((await parent.inject('/docs')).statusCode).toBe(404)
    await parent.close()
  })

  it('gives way to declared routes of the same path', async () => {
    const web = app()
      .get('/docs', { output: Type.Literal('mine') })
      .asWebApp()
    expect((await web.inject('/docs')).json()).toBe('mine')
    await web.close()
  })
})

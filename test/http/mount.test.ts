import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import Fastify from 'fastify'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import type { Parent } from '../../src/http/mount.ts'

const Named = Type.Object({ name: Type.String() })
const Echo = Type.Object({ name: Type.String(FromInput('name')) })

function app(): SimAPI {
  return new SimAPI({ seed: 1 })
    .get('/users/{name}', { output: Echo })
    .post('/users', { input: Named, output: Echo })
}

async function serving<T>(server: Server, use: (url: string) => Promise<T>): Promise<T> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function answersBelow(url: string): Promise<unknown[]> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Bob"}' }
  return [
    await (await fetch(`${url}/users/Ada`)).json(),
    await (await fetch(`${url}/users`, post)).json(),
    (await fetch(`${url}/nowhere`)).status,
  ]
}

const EXPECTED = [{ name: 'Ada' }, { name: 'Bob' }, 404]

describe('mountInto', () => {
  it('serves below a path of a Fastify app, beside its own routes', async () => {
    const parent = Fastify()
    parent.get('/own', () => 'own')
    await app().mountInto(parent, '/sim')
    const url = await parent.listen({ port: 0, host: '127.0.0.1' })
    expect(await answersBelow(`${url}/sim`)).toEqual(EXPECTED)
    expect(await (await fetch(`${url}/own`)).text()).toBe('own')
    expect((await fetch(`${url}/users/Ada`)).status).toBe(404)
    await parent.close()
  })

  it('serves at the root of a Fastify app, whose own routes win', async () => {
    const parent = Fastify()
    await app().mountInto(parent)
    parent.get('/own', () => 'own')
    const url = await parent.listen({ port: 0, host: '127.0.0.1' })
    expect(await answersBelow(url)).toEqual(EXPECTED)
    expect(await (await fetch(`${url}/own`)).text()).toBe('own')
    await parent.close()
  })

  it('serves two apps below two paths', async () => {
    const parent = Fastify()
    await app().mountInto(parent, '/a')
    await app().mountInto(parent, '/b/')
    const url = await parent.listen({ port: 0, host: '127.0.0.1' })
    expect(await answersBelow(`${url}/a`)).toEqual(EXPECTED)
    expect(await answersBelow(`${url}/b`)).toEqual(EXPECTED)
    await parent.close()
  })

  it.for([false, true])('serves below a path of an Express app, its body parser used: %j', async (parsed) => {
    const parent = express()
    if (parsed) parent.use(express.json())
    parent.get('/own', (_request, response) => void response.send('own'))
    await app().mountInto(parent, '/sim')
    await serving(createServer(parent), async (url) => {
      expect(await answersBelow(`${url}/sim`)).toEqual(EXPECTED)
      expect(await (await fetch(`${url}/own`)).text()).toBe('own')
    })
  })

  it('serves below a path of a plain server, which keeps the rest', async () => {
    const parent = createServer((_request, response) => response.end('own'))
    await app().mountInto(parent, '/sim')
    await serving(parent, async (url) => {
      expect(await answersBelow(`${url}/sim`)).toEqual(EXPECTED)
      expect(await (await fetch(`${url}/simple`)).text()).toBe('own')
    })
  })

  it('answers 404 for the rest of a plain server that has nothing of its own', async () => {
    const parent = createServer()
    await app().mountInto(parent, '/sim')
    await serving(parent, async (url) => {
      expect((await fetch(`${url}/users/Ada`)).status).toBe(404)
      expect((await fetch(`${url}/sim/users/Ada`)).status).toBe(200)
    })
  })

  it('refuses what it cannot be mounted into', async () => {
    await expect(app().mountInto({} as unknown as Parent)).rejects.toThrow('mountInto takes a Fastify app')
    await expect(app().mountInto(Fastify(), 'sim')).rejects.toThrow("the prefix must start with '/'")
  })
})

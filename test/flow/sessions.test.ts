import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { usersApi } from '../control/ask.ts'

const WORKERS = 50
const USERS_EACH = 33

interface User {
  readonly id: number
  readonly name: string
}

describe('sessions', () => {
  it('keep 50 parallel workers apart over 5,000 stateful requests', async () => {
    const app = createGateway(usersApi().gatewayOptions())
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    try {
      const counts = await Promise.all(
        Array.from({ length: WORKERS }, (_, worker) => work(url, `worker-${worker}`)),
      )
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(WORKERS * (3 * USERS_EACH + 2))
      expect(WORKERS * (3 * USERS_EACH + 2)).toBeGreaterThan(5000)
      expect(await (await fetch(`${url}/users`)).json()).toEqual([])
    } finally {
      await app.close()
    }
  })

  it('are those of their users, for clients that use the gateway as a proxy', async () => {
    const app = createGateway({ ...usersApi().gatewayOptions(), proxyAuth: ['*:secret'] })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = new URL(url)
    const ask = (user: string, method: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const credentials = Buffer.from(`${user}:secret`).toString('base64')
        const asked = request(
          {
            ...{ host: '127.0.0.1', port, method, path: 'http://users.test/users' },
            headers: {
              ...{ host: 'users.test', 'proxy-authorization': `Basic ${credentials}` },
              ...(method === 'POST' && { 'content-type': 'application/json' }),
            },
          },
          (response) => void json(response).then(resolve, reject),
        )
        asked.once('error', reject)
        asked.end(method === 'POST' ? '{"name":"x"}' : undefined)
      })
    expect(await ask('ada', 'POST')).toMatchObject({ id: 1 })
    expect(await ask('ada', 'GET')).toHaveLength(1)
    expect(await ask('bob', 'GET')).toEqual([])
    const sessions = (await (await fetch(`${url}/__sim/sessions`)).json()) as { key: string }[]
    expect(sessions.map(({ key }) => key).toSorted()).toEqual(['', 'ada', 'bob'])
    await app.close()
  })

  it('are neither told to upstreams nor recorded', async () => {
    const seen: object[] = []
    const upstream = createServer(({ url, headers }, response) => {
      seen.push({ url, session: headers['x-sim-session'] })
      response.end()
    })
    await once(upstream.listen(0, '127.0.0.1'), 'listening')
    using folder = temporaryFolder({})
    const app = createGateway({
      ...usersApi().gatewayOptions(),
      upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      record: folder.path,
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    await (await fetch(`${url}/__sim/s/a-key/posts?x=1`, { headers: { 'x-sim-session': 'b-key' } })).text()
    await app.close()
    upstream.close()
    expect(seen).toEqual([{ url: '/posts?x=1', session: undefined }])
    const recorded = await readFile(join(folder.path, 'exchanges.ndjson'), 'utf8')
    expect(recorded).toContain('/posts?x=1')
    expect(recorded).not.toMatch(/a-key|b-key|__sim/)
  })
})

/** One worker's tests: what it creates is all it finds. Returns how many requests it sent. */
async function work(url: string, session: string): Promise<number> {
  let count = 0
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    count++
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-sim-session': session, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(response.status).toBe(200)
    return response.json()
  }
  expect(await ask('GET', '/users')).toEqual([])
  for (let number = 1; number <= USERS_EACH; number++) {
    const created = (await ask('POST', '/users', { name: `${session}-${number}` })) as User
    expect(created.id).toBe(number)
    expect(await ask('GET', `/users/${number}`)).toEqual(created)
    expect(await ask('GET', '/users')).toHaveLength(number)
  }
  const all = (await ask('GET', '/users')) as User[]
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: USERS_EACH }, (_, index) => index + 1))
  return count
}

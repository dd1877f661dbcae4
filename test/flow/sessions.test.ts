import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { usersApi } from '../control/ask.ts'
import {
  fetchFrom,
  gatewayTo,
  openFolder,
  responseTo,
  send,
  serveDescription,
  startGateway,
  type Answer,
} from './kit.ts'

const WORKERS = 50
const USERS_EACH = 33

type Ask = (session: string, method: string, path: string, body?: unknown) => Promise<Answer>

/** Sends requests of sessions, of which '' is the default one. */
function askIn(url: string): Ask {
  return (session, method, path, body) =>
    send(method, `${url}${path}`, body, session === '' ? {} : { 'x-sim-session': session })
}

describe('sessions', () => {
  it('keep 50 parallel workers apart over 5,000 stateful requests', async () => {
    const { url } = await startGateway(usersApi().gatewayOptions())
    const ask = askIn(url)
    const counts = await Promise.all(
      Array.from({ length: WORKERS }, (_, index) => work(ask, `worker-${index}`)),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(WORKERS * (3 * USERS_EACH + 2))
    expect(WORKERS * (3 * USERS_EACH + 2)).toBeGreaterThan(5000)
    expect((await ask('', 'GET', '/users')).body).toEqual([])
  })

  it('are those of their users, for clients that use the gateway as a proxy', async () => {
    const { url, port } = await startGateway({ ...usersApi().gatewayOptions(), proxyAuth: ['*:secret'] })
    const askAs = async (user: string, method: string): Promise<unknown> => {
      const credentials = Buffer.from(`${user}:secret`).toString('base64')
      const sent = request({
        ...{ host: '127.0.0.1', port, method, path: 'http://users.test/users' },
        headers: {
          ...{ host: 'users.test', 'proxy-authorization': `Basic ${credentials}` },
          ...(method === 'POST' && { 'content-type': 'application/json' }),
        },
      })
      return json(await responseTo(sent.end(method === 'POST' ? '{"name":"x"}' : undefined)))
    }
    expect(await askAs('ada', 'POST')).toMatchObject({ id: 1 })
    expect(await askAs('ada', 'GET')).toHaveLength(1)
    expect(await askAs('bob', 'GET')).toEqual([])
    const sessions: { key: string }[] = (await fetchFrom(`${url}/__sim/sessions`)).body
    expect(sessions.map(({ key }) => key).toSorted()).toEqual(['', 'ada', 'bob'])
  })

  it('are neither sent to upstreams nor recorded', async () => {
    const seen: object[] = []
    const record = openFolder().path
    const { app, url } = await gatewayTo(
      (incoming, response) => {
        seen.push({ url: incoming.url, session: incoming.headers['x-sim-session'] })
        response.end()
      },
      { ...usersApi().gatewayOptions(), record },
    )
    await askIn(url)('b-key', 'GET', '/__sim/s/a-key/posts?x=1')
    await app.close()
    expect(seen).toEqual([{ url: '/posts?x=1', session: undefined }])
    const recorded = await readFile(join(record, 'exchanges.ndjson'), 'utf8')
    expect(recorded).toContain('/posts?x=1')
    expect(recorded).not.toMatch(/a-key|b-key|__sim/)
  })
})

/** One worker's tests: what it creates is all it finds. Returns how many requests it sent. */
async function work(ask: Ask, session: string): Promise<number> {
  let count = 0
  const bodyOf = async (method: string, path: string, body?: object) => {
    count++
    const answer = await ask(session, method, path, body)
    expect(answer.status).toBe(200)
    return answer.body
  }
  expect(await bodyOf('GET', '/users')).toEqual([])
  for (let number = 1; number <= USERS_EACH; number++) {
    const created = await bodyOf('POST', '/users', { name: `${session}-${number}` })
    expect(created.id).toBe(number)
    expect(await bodyOf('GET', `/users/${number}`)).toEqual(created)
    expect(await bodyOf('GET', '/users')).toHaveLength(number)
  }
  const all: { id: number }[] = await bodyOf('GET', '/users')
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: USERS_EACH }, (_, index) => index + 1))
  return count
}

const NOTES = `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses: { '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } } }
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } } }
      responses: { '201': { description: Added, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getNote
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        '404': { description: None }
    delete:
      operationId: removeNote
      responses: { '204': { description: Gone }, '404': { description: None } }
components:
  schemas:
    NewNote: { type: object, required: [text], properties: { text: { type: string } } }
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
`

const serveNotes = async (): Promise<Ask> =>
  askIn(await serveDescription(NOTES, { stateful: true, listCount: 0 }))

describe('a described API with state', () => {
  it('is another one for each session', async () => {
    const ask = await serveNotes()
    await Promise.all(
      ['a', 'b', 'c'].map(async (session) => {
        for (const n of [1, 2, 3]) {
          const { status, body } = await ask(session, 'POST', '/notes', { text: `${session}${n}` })
          expect([status, body.text]).toEqual([201, `${session}${n}`])
        }
      }),
    )
    await ask('a', 'DELETE', `/notes/${(await ask('a', 'GET', '/notes')).body[0].id}`)
    const textsOf = async (session: string) =>
      (await ask(session, 'GET', '/notes')).body.map(({ text }: { text: string }) => text)
    expect(await textsOf('a')).toEqual(['a2', 'a3'])
    expect(await textsOf('b')).toEqual(['b1', 'b2', 'b3'])
    expect(await textsOf('')).toEqual([])
    // The first item of each session has the same id, since all of them have one seed.
    const [first] = (await ask('b', 'GET', '/notes')).body
    expect((await ask('b', 'GET', `/notes/${first.id}`)).body).toEqual(first)
    expect((await ask('a', 'GET', `/notes/${first.id}`)).status).toBe(404)
  })

  it('has its items filled, read and put back by the control plane, in one session', async () => {
    const ask = await serveNotes()
    const items = [{ id: 7, text: 'seven' }]
    expect(await ask('a', 'PUT', '/__sim/store/notes', { items })).toMatchObject({
      status: 200,
      body: { items },
    })
    expect((await ask('a', 'GET', '/notes/7')).body).toEqual(items[0])
    expect((await ask('b', 'GET', '/notes/7')).status).toBe(404)
    expect((await ask('a', 'PUT', '/__sim/store/notes', { items: [{ id: 8 }] })).status).toBe(422)
    expect((await ask('a', 'GET', '/__sim/store')).body).toEqual({ '/notes': 1 })
    await ask('a', 'POST', '/__sim/reset')
    expect((await ask('a', 'GET', '/notes')).body).toEqual([])
  })

  it('is in the list of routes, the journal and the verification', async () => {
    const ask = await serveNotes()
    await ask('a', 'POST', '/notes', { text: 'one' })
    await ask('a', 'POST', '/notes', {})
    const { body: routes } = await ask('a', 'GET', '/__sim/routes')
    expect(JSON.stringify(routes)).toContain('/notes/{id}')
    const { body: seen } = await ask('a', 'GET', '/__sim/requests')
    expect(seen.map(({ status }: Answer) => status)).toEqual([422, 201])
    expect(seen[1]).toMatchObject({
      ...{ route: 'POST /notes', session: 'a', mode: 'simulate' },
      ...{ request_body: { text: 'one' }, response_body: { text: 'one' } },
    })
    const requests = [{ method: 'POST', path: '/notes', body: { text: 'one' }, exactly: 1 }]
    expect((await ask('a', 'POST', '/__sim/verify', { requests })).status).toBe(200)
    expect((await ask('b', 'POST', '/__sim/verify', { requests })).status).toBe(409)
  })

  it('meets chaos, which leaves nothing behind', async () => {
    const ask = await serveNotes()
    const rules = [
      { match: { path: '/notes/**', methods: ['POST'] }, requests: { to: 1 }, errors: { rate: 1 } },
    ]
    await ask('a', 'PUT', '/__sim/chaos', { rules })
    expect((await ask('a', 'POST', '/notes', { text: 'lost' })).status).toBe(500)
    expect((await ask('b', 'POST', '/notes', { text: 'kept' })).status).toBe(201)
    expect((await ask('a', 'POST', '/notes', { text: 'kept' })).status).toBe(201)
    expect((await ask('a', 'GET', '/notes')).body).toHaveLength(1)
    expect((await ask('a', 'GET', '/__sim/chaos')).body.log).toEqual([
      { route: 'POST /notes', ordinal: 0, rule: 'rule 1', status: 500 },
    ])
    expect((await ask('b', 'GET', '/__sim/chaos')).body.log).toEqual([])
  })
})

import { onTestFinished, describe, expect, it } from 'vitest'
import { loadDescription } from '../../src/loaders/load-description.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'

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

interface Answered {
  readonly status: number
  // Tests know what they ask for.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}
type Ask = (session: string, method: string, path: string, body?: unknown) => Promise<Answered>

async function serve(options: Partial<GatewayOptions> = {}): Promise<Ask> {
  const { api, problems } = await loadDescription('notes.yaml', NOTES, {
    defaults: {},
    options: { seed: 1, stateful: true },
  })
  expect(problems).toEqual([])
  const app = createGateway({ ...api.gatewayOptions(), ...options })
  onTestFinished(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return async (session, method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(session !== '' && { 'x-sim-session': session }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

describe('a described API with state', () => {
  it('is another one for each session', async () => {
    const ask = await serve()
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
    const ask = await serve()
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
    const ask = await serve()
    await ask('a', 'POST', '/notes', { text: 'one' })
    await ask('a', 'POST', '/notes', {})
    const { body: routes } = await ask('a', 'GET', '/__sim/routes')
    expect(JSON.stringify(routes)).toContain('/notes/{id}')
    const { body: seen } = await ask('a', 'GET', '/__sim/requests')
    expect(seen.map(({ status }: Answered) => status)).toEqual([422, 201])
    expect(seen[1]).toMatchObject({
      ...{ route: 'POST /notes', session: 'a', mode: 'simulate' },
      ...{ request_body: { text: 'one' }, response_body: { text: 'one' } },
    })
    const requests = [{ method: 'POST', path: '/notes', body: { text: 'one' }, exactly: 1 }]
    expect((await ask('a', 'POST', '/__sim/verify', { requests })).status).toBe(200)
    expect((await ask('b', 'POST', '/__sim/verify', { requests })).status).toBe(409)
  })

  it('meets chaos, which leaves nothing behind', async () => {
    const ask = await serve()
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

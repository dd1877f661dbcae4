import { afterEach, describe, expect, it } from 'vitest'
import { textFile } from '../../src/data-files/text-file.ts'
import { createGateway } from '../../src/gateway.ts'
import { loadDescription } from '../../src/loaders/load-description.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

// As APIs of language models are described: lists by the ids of their items, newest first, and answers that come as a stream.
const API = `
openapi: 3.1.0
info: { title: Completions, version: '1' }
paths:
  /completions:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, default: 20 } }
        - { name: order, in: query, schema: { type: string, enum: [asc, desc], default: desc } }
        - { name: after, in: query, schema: { type: string } }
        - { name: before, in: query, schema: { type: string } }
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/List' } } } } }
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: { model: { type: string }, prompt: { type: string }, stream: { type: boolean, default: false } }
      responses:
        '200':
          description: A
          content:
            application/json: { schema: { $ref: '#/components/schemas/Completion' } }
            text/event-stream: { schema: { $ref: '#/components/schemas/Chunk' } }
  /completions/{id}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Completion' } } } } } }
    delete: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Deleted' } } } } } }
  /completions/{id}/messages:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Message' } } } } } } }
  /messages/{message_id}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Message' } } } } } }
components:
  schemas:
    Completion:
      type: object
      required: [id, id, created_at, choices, model, model, labels, error]
      properties:
        id: { type: string }
        created_at: { type: integer }
        model: { type: string }
        choices: { type: array, items: { type: object, required: [text], properties: { text: { type: string } } } }
        labels: { type: array, items: { type: string } }
        error: { type: object, required: [message], properties: { message: { type: string } } }
    Chunk:
      anyOf:
        - { type: object, required: [delta], properties: { delta: { type: string } } }
        - { type: object, required: [done], properties: { done: { type: boolean } } }
    Deleted: { type: object, required: [id, deleted], properties: { id: { type: string }, deleted: { type: boolean } } }
    Message: { type: object, required: [id], properties: { id: { type: string }, text: { type: string } } }
    List:
      type: object
      required: [data, first_id, last_id, has_more]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Completion' } }
        first_id: { type: [string, 'null'], example: cmpl-1 }
        last_id: { type: [string, 'null'], example: cmpl-2 }
        has_more: { type: boolean }
`

interface Completion {
  readonly id: string
  readonly created_at: number
  readonly choices: readonly unknown[]
  readonly labels: readonly unknown[]
  readonly error: { readonly message: string }
}
interface List {
  readonly data: readonly Completion[]
  readonly first_id: string | null
  readonly last_id: string | null
  readonly has_more: boolean
}

async function start(stateful: boolean) {
  const { api } = await loadDescription(textFile('api.yaml', API), {
    defaults: { seed: 1 },
    options: stateful ? { stateful } : {},
  })
  const app = createGateway(api.gatewayOptions())
  closing.push(() => app.close())
  const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    app.inject({ method, url, ...(payload && { payload }) })
  const list = async (query = ''): Promise<List> => (await send('GET', `/completions${query}`)).json()
  return { send, list }
}

const idsOf = ({ data }: List): readonly string[] => data.map(({ id }) => id)

describe('lists whose answers give no token', () => {
  it('continue after an item and end before one, and say which items they begin and end with', async () => {
    const { list } = await start(false)
    const all = idsOf(await list('?limit=100'))
    const first = await list('?limit=3')
    expect(first).toMatchObject({ first_id: all[0], last_id: all[2], has_more: true })
    const next = await list(`?limit=3&after=${first.last_id}`)
    expect(idsOf(next)).toEqual(all.slice(3, 6))
    expect(idsOf(await list(`?limit=2&before=${next.first_id}`))).toEqual(all.slice(1, 3))
    const beginning = await list(`?limit=5&before=${all[1]}`)
    expect(beginning).toMatchObject({ data: [{ id: all[0] }], has_more: false })
    expect(await list(`?before=${all[0]}`)).toEqual({
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    })
    expect(await list(`?after=${all.at(-1)}`)).toMatchObject({ data: [], has_more: false })
  })

  it('are ordered by when their items were made, which the default says once something was written', async () => {
    const { send, list } = await start(true)
    const moments = async (query: string) => (await list(query)).data.map(({ created_at }) => created_at)
    const ascending = await moments('?order=asc&limit=100')
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))
    expect(await moments('?order=desc&limit=100')).toEqual(ascending.toReversed())
    const made = (await send('POST', '/completions', { model: 'm' })).json<Completion>()
    expect(idsOf(await list('?limit=1'))).toEqual([made.id])
    expect(idsOf(await list('?order=asc&limit=100')).at(-1)).toBe(made.id)
  })
})

describe('what is made of a request', () => {
  it('has results that no other request would fill', async () => {
    const { send } = await start(true)
    const made = (await send('POST', '/completions', { model: 'm' })).json<Completion>()
    expect(made.choices).not.toEqual([])
    expect(made.labels).toEqual([])
    expect((await send('GET', `/completions/${made.id}`)).json()).toEqual(made)
  })

  it('comes as a stream of events where the body wants one, whatever is accepted', async () => {
    const { send } = await start(false)
    const sent = await send('POST', '/completions', { model: 'm', stream: true })
    expect(sent.headers['content-type']).toBe('text/event-stream')
    const events = sent.body.split('\n\n').filter(Boolean)
    for (const event of events) {
      const chunk = JSON.parse(event.replace(/^data: /, '')) as object
      expect([['delta'], ['done']]).toContainEqual(Object.keys(chunk))
    }
    const whole = await send('POST', '/completions', { model: 'm', stream: false })
    expect(whole.headers['content-type']).toMatch(/^application\/json/)
  })
})

it('says of what is removed that it is, and which', async () => {
  const { send } = await start(false)
  expect((await send('DELETE', '/completions/c7')).json()).toEqual({ id: 'c7', deleted: true })
})

it('has texts that people read where a field is called as a resource', async () => {
  const { send, list } = await start(false)
  const [{ id, error } = { id: '', error: { message: '' } }] = (await list()).data
  const messages = (await send('GET', `/completions/${id}/messages`)).json<{ id: string }[]>()
  expect(messages.map((each) => each.id)).not.toContain(error.message)
})

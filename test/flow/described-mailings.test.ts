import { afterEach, describe, expect, it } from 'vitest'
import { textFile } from '../../src/data-files/text-file.ts'
import { createGateway } from '../../src/gateway.ts'
import { loadDescription } from '../../src/loaders/load-description.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

// As APIs of mailings are described: much of it is said in sentences, in the names of members and by examples.
const API = `
openapi: 3.0.3
info: { title: Mailings, version: '1' }
paths:
  /letters:
    get:
      description: Returns the letters. They are sorted by creation date, with the most recently created letters appearing first.
      parameters:
        - { name: limit, in: query, schema: { type: integer, default: 4 } }
        - { name: date_created, in: query, style: deepObject, explode: true, schema: { type: object, additionalProperties: { type: string } } }
        - { name: metadata, in: query, style: deepObject, explode: true, schema: { type: object, additionalProperties: { type: string } } }
        - name: before/after
          in: query
          schema:
            allOf:
              - { type: object, properties: { before: { type: string }, after: { type: string } } }
              - oneOf: [{ required: [before] }, { required: [after] }]
      responses:
        '200':
          description: A
          content:
            application/json:
              schema:
                type: object
                required: [data, next_url]
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Letter' } }
                  next_url: { type: string, nullable: true }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { to: { type: string }, metadata: { $ref: '#/components/schemas/Metadata' } } } } } }
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Letter' } } } } }
  /letters/{letter_id}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Letter' } } } } } }
    delete:
      responses:
        '200':
          description: A
          content: { application/json: { schema: { type: object, required: [id, deleted], properties: { id: { type: string }, deleted: { type: boolean } } } } }
  /files:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/File' } } } } } } }
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { file: { type: string, format: binary }, purpose: { type: string } } }
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } } }
  /files/{file_id}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } } } }
  /companies:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { type: object, properties: { data: { type: array, items: { $ref: '#/components/schemas/Company' } } } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { company_id: { type: string }, name: { type: string } } } } } }
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Company' } } } } }
  /companies/{company_id}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Company' } } } } } }
  /companies/{company_id}/lists:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/MailingList' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string } } } } } }
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/MailingList' } } } } }
  /lists:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/MailingList' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/MailingList' } } } } }
  /lists/{list_id}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/MailingList' } } } } } }
  /tasks:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
        - { name: offset, in: query, description: A token of an earlier page., example: eyJ0, schema: { type: string } }
      responses:
        '200':
          description: A
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Task' } }
                  next_page:
                    type: object
                    nullable: true
                    properties:
                      offset: { type: string, example: eyJ0 }
                      path: { type: string, example: /others?limit=2&offset=eyJ0 }
                      uri: { type: string, format: uri, example: 'https://example.com/others?limit=2&offset=eyJ0' }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { data: { $ref: '#/components/schemas/Task' } } } } } }
      responses: { '201': { description: A, content: { application/json: { schema: { type: object, properties: { data: { $ref: '#/components/schemas/Task' } } } } } } }
  /tasks/{task_gid}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { type: object, properties: { data: { $ref: '#/components/schemas/Task' } } } } } } } }
    put:
      description: Only the fields provided in the data block will be updated; any unspecified fields will remain unchanged.
      requestBody: { content: { application/json: { schema: { type: object, properties: { data: { $ref: '#/components/schemas/Task' } } } } } }
      responses: { '200': { description: A, content: { application/json: { schema: { type: object, properties: { data: { $ref: '#/components/schemas/Task' } } } } } } }
    delete: { responses: { '200': { description: A, content: { application/json: { schema: { type: object, properties: { data: { type: object } } } } } } } }
  /articles:
    get:
      description: |
        You can fetch all articles.

        > Articles will be returned in descending order on the \`updated_at\` attribute, so the most recently updated come first.
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Articles' } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Article' } } } } }
  /articles/{article_id}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Article' } } } } } }
    put:
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Article' } } } } }
  /notes:
    get:
      parameters:
        - { name: pageable, in: query, schema: { type: object, properties: { page: { type: integer, minimum: 0 }, size: { type: integer } } } }
      responses: { '200': { description: A, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Article' } } } } } }
  /notes/{note_id}:
    get: { responses: { '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Article' } } } } } }
components:
  schemas:
    Letter:
      type: object
      required: [id, date_created, deleted]
      properties:
        id: { type: string }
        to: { type: string }
        date_created: { type: string, format: date-time }
        deleted: { type: boolean }
        metadata: { $ref: '#/components/schemas/Metadata' }
    Metadata: { type: object, additionalProperties: { type: string } }
    File:
      type: object
      required: [id, filename, bytes, content_type, purpose]
      properties:
        id: { type: string }
        filename: { type: string }
        bytes: { type: integer }
        content_type: { type: string }
        purpose: { type: string }
    Company:
      type: object
      required: [id, company_id]
      properties: { id: { type: string }, company_id: { type: string }, name: { type: string } }
    MailingList:
      type: object
      required: [id, title, company_ids]
      properties: { id: { type: string }, title: { type: string }, company_ids: { type: array, items: { type: string } } }
    Task:
      type: object
      properties: { gid: { type: string, readOnly: true }, name: { type: string }, done: { type: boolean } }
    Article:
      type: object
      required: [id, title, created_at, updated_at]
      properties:
        id: { type: string }
        title: { type: string }
        created_at: { type: integer }
        updated_at: { type: integer }
    Articles:
      type: object
      required: [data, pages]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Article' } }
        total_count: { type: integer }
        pages:
          type: object
          required: [page, per_page, total_pages]
          properties: { page: { type: integer }, per_page: { type: integer }, total_pages: { type: integer } }
`

interface Letter {
  readonly id: string
  readonly deleted: boolean
}
interface Letters {
  readonly data: readonly Letter[]
  readonly next_url: string | null
}
interface Articles {
  readonly data: readonly { readonly id: string }[]
  readonly pages: object
}

async function start(stateful: boolean) {
  const { api } = await loadDescription(textFile('api.yaml', API), {
    defaults: { seed: 1 },
    options: stateful ? { stateful } : {},
  })
  const app = createGateway(api.gatewayOptions())
  closing.push(() => app.close())
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ) => app.inject({ method, url, headers, ...(payload && { payload }) })
  return {
    send,
    get: async <T>(url: string): Promise<T> => (await send('GET', url)).json<T>(),
    make: async (url: string, payload: object) => (await send('POST', url, payload)).json<{ id: string }>(),
  }
}

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }): readonly string[] =>
  data.map(({ id }) => id)

describe('a list whose description says its order', () => {
  it('has what was made last first', async () => {
    const { get, make } = await start(true)
    const made = await make('/letters', { to: 'Ada' })
    expect(idsOf(await get<Letters>('/letters'))[0]).toBe(made.id)
  })

  it('has what was changed last first, where it says that', async () => {
    const { get, make, send } = await start(true)
    const first = await make('/articles', { title: 'One' })
    const second = await make('/articles', { title: 'Two' })
    await new Promise((done) => setTimeout(done, 1100))
    await send('PUT', `/articles/${first.id}`, { title: 'Three' })
    expect(idsOf(await get<Articles>('/articles')).slice(0, 2)).toEqual([first.id, second.id])
  })
})

describe('the parameters of pages', () => {
  it('may be the members of an object, which each are a parameter of their own', async () => {
    const { get } = await start(false)
    const all = idsOf(await get<Letters>('/letters?limit=100'))
    const first = await get<Letters>('/letters?limit=3')
    const next = new URL(first.next_url ?? '')
    expect(next.searchParams.get('after')).not.toBeNull()
    expect(idsOf(await get<Letters>(next.pathname + next.search))).toEqual(all.slice(3, 6))
    const notes = await get<readonly { id: string }[]>('/notes?size=100')
    expect(await get('/notes?page=1&size=2')).toEqual(notes.slice(2, 4))
  })

  it('are those that answers repeat, where none are described', async () => {
    const { get } = await start(false)
    const all = await get<Articles>('/articles')
    const total = all.data.length
    expect(total).toBeGreaterThan(2)
    const page = await get<Articles>('/articles?page=2&per_page=2')
    expect(idsOf(page)).toEqual(idsOf(all).slice(2, 4))
    expect(page).toMatchObject({
      total_count: total,
      pages: { page: 2, per_page: 2, total_pages: Math.ceil(total / 2) },
    })
    expect(idsOf(await get<Articles>('/articles?page=99'))).toEqual([])
  })
})

describe('an item in an envelope', () => {
  it('keeps what a PUT does not send, where that says so, and an empty answer says nothing of one that is gone', async () => {
    const { get, send } = await start(true)
    const made = (await send('POST', '/tasks', { data: { name: 'One' } })).json<{ data: { gid: string } }>()
    const url = `/tasks/${made.data.gid}`
    expect((await send('PUT', url, { data: { done: true } })).json()).toMatchObject({
      data: { gid: made.data.gid, name: 'One', done: true },
    })
    expect(await get(url)).toMatchObject({ data: { name: 'One', done: true } })
    expect((await send('DELETE', url)).json()).toEqual({ data: {} })
  })

  it('has next pages that are an object beside the list, and begins with a token that is called an offset', async () => {
    const { get } = await start(false)
    interface Tasks {
      readonly data: readonly { readonly gid: string }[]
      readonly next_page: { readonly offset: string; readonly path: string; readonly uri: string } | null
    }
    const all = (await get<Tasks>('/tasks?limit=100')).data.map(({ gid }) => gid)
    const first = await get<Tasks>('/tasks?limit=3')
    const { offset = '', path = '', uri = '' } = first.next_page ?? {}
    for (const url of [`/tasks?limit=3&offset=${offset}`, path, uri.replace(/^https?:\/\/[^/]+/, '')])
      expect((await get<Tasks>(url)).data.map(({ gid }) => gid)).toEqual(all.slice(3, 6))
    expect((await get<Tasks>('/tasks?limit=100')).next_page).toBeNull()
  })
})

describe('the parameters of a list', () => {
  it('choose by the members of an object that items have, and may be written as JSON', async () => {
    const { get, make } = await start(true)
    const made = await make('/letters', { to: 'Ada', metadata: { team: 'a' } })
    await make('/letters', { to: 'Bea', metadata: { team: 'b' } })
    const json = (value: object): string => encodeURIComponent(JSON.stringify(value))
    expect(idsOf(await get<Letters>('/letters?metadata[team]=a'))).toEqual([made.id])
    expect(idsOf(await get<Letters>(`/letters?metadata=${json({ team: 'a' })}`))).toEqual([made.id])
    const day = new Date(Date.now() - 60_000).toISOString()
    expect((await get<Letters>(`/letters?date_created=${json({ gt: day })}`)).data).toHaveLength(2)
  })
})

describe('an item', () => {
  it('is added below another by its id alone, and is no other item then', async () => {
    const { get, make } = await start(true)
    const company = await make('/companies', { name: 'A' })
    const list = await make('/lists', { title: 'One' })
    const added = await make(`/companies/${company.id}/lists`, { id: list.id })
    expect(added).toMatchObject({ id: list.id, title: 'One', company_ids: [company.id] })
    expect(await get(`/companies/${company.id}/lists`)).toEqual([added])
    expect(await get(`/lists/${list.id}`)).toEqual(added)
  })

  it('is named by the id that the server gives it, and not by one that the client gave', async () => {
    const { get, make } = await start(true)
    const [first] = (await get<{ data: readonly { id: string }[] }>('/companies')).data
    expect(await get(`/companies/${first?.id}`)).toEqual(first)
    const made = await make('/companies', { company_id: 'own', name: 'A' })
    expect(made.id).not.toBe('own')
    expect(await get(`/companies/${made.id}`)).toMatchObject({ id: made.id, company_id: 'own' })
  })

  it('says of the file that it is made of what the parts of the body say', async () => {
    const { send } = await start(true)
    const form = new FormData()
    form.set('purpose', 'print')
    form.set('file', new File(['hello'], 'a.csv', { type: 'text/csv' }))
    const request = new Request('http://localhost/', { method: 'POST', body: form })
    const made = await send('POST', '/files', Buffer.from(await request.arrayBuffer()), {
      'content-type': request.headers.get('content-type') ?? '',
    })
    expect(made.json()).toMatchObject({
      ...{ filename: 'a.csv', bytes: 5, content_type: 'text/csv', purpose: 'print' },
    })
    expect((await send('GET', `/files/${made.json<{ id: string }>().id}`)).json()).toEqual(made.json())
  })

  it('is not deleted while it is there', async () => {
    const { get, make, send } = await start(true)
    const made = await make('/letters', { to: 'Ada' })
    const { data } = await get<Letters>('/letters?limit=100')
    expect(data.filter(({ deleted }) => deleted)).toEqual([])
    expect((await send('DELETE', `/letters/${made.id}`)).json()).toEqual({ id: made.id, deleted: true })
  })
})

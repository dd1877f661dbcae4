import { describe, expect, it } from 'vitest'
import { textFile } from '../../src/data-files/text-file.ts'
import { loadDescription } from '../../src/loaders/load-description.ts'
import { fetchFrom, post, send, serve, serveDescription } from './kit.ts'

const STORE = `
openapi: 3.0.3
info: { title: Pet store, version: '1' }
paths:
  /pets:
    get:
      parameters:
        - { name: page, in: query, schema: { type: integer } }
        - { name: page_size, in: query, schema: { type: integer, default: 2 } }
      responses:
        '200':
          description: Pets
          headers:
            Link: { schema: { type: string } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/PetPage' }
              example: { total: 1, pets: [{ id: 1, name: Rex }] }
            application/xml:
              schema: { $ref: '#/components/schemas/PetPage' }
    post:
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/NewPet' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/NewPet' } }
      responses:
        '201':
          description: The id of the new pet
          headers:
            Location: { required: true, schema: { type: string, format: uri } }
          content:
            application/json:
              schema: { type: object, required: [id], properties: { id: { type: integer, format: int64 } } }
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, schema: { type: integer, format: int64 } }
    get:
      responses:
        '200':
          description: A pet
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Pet' }
              examples:
                rex: { value: { id: 1, name: Rex } }
                tom: { value: { id: 2, name: Tom } }
        '404': { $ref: '#/components/responses/Missing' }
    put:
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/NewPet' } }
      responses:
        '200':
          description: A pet
          content:
            application/json: { schema: { $ref: '#/components/schemas/Pet' } }
    patch:
      requestBody:
        content:
          application/json: { schema: { type: object, properties: { tag: { type: string, nullable: true } } } }
      responses:
        '200':
          description: A pet
          content:
            application/json: { schema: { $ref: '#/components/schemas/Pet' } }
    delete:
      responses:
        '204': { description: Gone }
        '404': { $ref: '#/components/responses/Missing' }
components:
  responses:
    Missing:
      description: No such pet
      content:
        application/problem+json:
          schema:
            type: object
            required: [title, status]
            properties: { title: { type: string }, status: { type: integer } }
  schemas:
    NewPet:
      type: object
      required: [name]
      properties:
        name: { type: string }
        tag: { type: string, nullable: true }
        password: { type: string, writeOnly: true }
    Pet:
      allOf:
        - $ref: '#/components/schemas/NewPet'
        - type: object
          required: [id]
          properties:
            id: { type: integer, format: int64, readOnly: true, minimum: 1 }
            born: { type: string, format: date, readOnly: true }
      xml: { name: pet }
    PetPage:
      type: object
      required: [pets, total]
      properties:
        total: { type: integer }
        pets: { type: array, items: { $ref: '#/components/schemas/Pet' } }
`

describe('a description that is served', () => {
  it('is a store without a line of code', async () => {
    const origin = await serveDescription(STORE, { stateful: true, listCount: 0, validateResponses: true })
    const pets = `${origin}/pets`
    const created = await post(pets, { name: 'Rex', tag: 'dog', password: 'secret' })
    expect([created.status, created.body]).toEqual([201, { id: 1 }])
    const url = created.headers.get('location') ?? ''
    expect(url).toBe(`${pets}/1`)

    const read = await fetchFrom(url)
    expect(read).toMatchObject({ status: 200, body: { id: 1, name: 'Rex', tag: 'dog' } })
    expect(read.body).not.toHaveProperty('password')
    expect(read.body['born']).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect((await send('PATCH', url, { tag: null })).body).toEqual({ ...read.body, tag: null })
    expect((await send('PUT', url, { name: 'Max' })).body).toEqual({
      id: 1,
      name: 'Max',
      born: read.body['born'],
    })

    const form = await post(pets, new URLSearchParams({ name: 'Tom' }))
    expect([form.status, form.body]).toEqual([201, { id: 2 }])
    await post(pets, { name: 'Ada' })
    const page = await fetchFrom(`${pets}?page=2`)
    expect(page.body).toMatchObject({ total: 3, pets: [{ id: 3, name: 'Ada' }] })
    expect(page.headers.get('link')).toContain(`<${pets}?page=1>; rel="prev"`)
    expect((await fetchFrom(`${pets}?page=2`, { accept: 'application/xml' })).text).toContain(
      '<name>Ada</name>',
    )

    expect((await send('DELETE', url)).status).toBe(204)
    const gone = await fetchFrom(url)
    expect(gone).toMatchObject({ status: 404, body: { title: 'Not found', status: 404 } })
    expect(gone.headers.get('content-type')).toBe('application/problem+json')
    expect((await fetchFrom(pets)).body).toMatchObject({ total: 2 })
  })

  it.each([false, true])(
    'says that an item is gone by an example without a schema, dynamic: %s',
    async (dynamic) => {
      const text = STORE.replace(
        "'404': { $ref: '#/components/responses/Missing' }\n    put:",
        "'404': { description: None, content: { application/json: { example: { error: none } } } }\n    put:",
      )
      const origin = await serveDescription(text, { stateful: true, dynamic })
      const missing = await fetchFrom(`${origin}/pets/99`)
      expect([missing.status, missing.body]).toEqual([404, { error: 'none' }])
    },
  )

  it('lists only the items that filter_by keeps', async () => {
    const filtered = STORE.replace('    get:\n', '    get:\n      x-sim-filter-by: tag\n').replace(
      '      parameters:\n',
      '      parameters:\n        - { name: tag, in: query, schema: { type: string } }\n',
    )
    const pets = `${await serveDescription(filtered, { stateful: true, listCount: 0 })}/pets`
    for (const [name, tag] of Object.entries({ Rex: 'dog', Tom: 'cat', Max: 'dog', Ben: 'dog' }))
      await post(pets, { name, tag })
    expect((await fetchFrom(`${pets}?tag=dog&page=2`)).body).toMatchObject({
      total: 3,
      pets: [{ name: 'Ben' }],
    })
    expect((await fetchFrom(`${pets}?tag=cow`)).body).toMatchObject({ total: 0, pets: [] })
    expect((await fetchFrom(pets)).body).toMatchObject({ total: 4, pets: [{ name: 'Rex' }, { name: 'Tom' }] })
  })

  it('answers with its examples where it is not stateful', async () => {
    const origin = await serveDescription(STORE)
    expect((await fetchFrom(`${origin}/pets`)).body).toEqual({ total: 1, pets: [{ id: 1, name: 'Rex' }] })
    expect((await fetchFrom(`${origin}/pets/9`)).body).toEqual({ id: 9, name: 'Rex' })
    const tom = await fetchFrom(`${origin}/pets/9`, { prefer: 'example=tom' })
    expect(tom.body).toEqual({ id: 2, name: 'Tom' })
    const missing = await fetchFrom(`${origin}/pets/9`, { prefer: 'code=404' })
    expect([missing.status, Object.keys(missing.body)]).toEqual([404, ['title', 'status']])
  })

  it('pages through what is generated', async () => {
    const origin = await serveDescription(STORE, { dynamic: true, validateResponses: true })
    const seen: unknown[] = []
    let url: string | undefined = `${origin}/pets`
    while (url !== undefined) {
      const { body, headers } = await fetchFrom(url)
      seen.push(...(body['pets'] as unknown[]))
      url = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect((await fetchFrom(`${origin}/pets?page_size=100`)).body).toEqual({ total: seen.length, pets: seen })
    expect(seen.length).toBeGreaterThan(4)
  })

  it('starts with the items that it is given', async () => {
    const { api } = await loadDescription(textFile('api.yaml', STORE), {
      defaults: {},
      options: { stateful: true },
    })
    api.seedStore('/pets', [{ name: 'Rex' }, { id: 7, name: 'Tom' }])
    const { url: origin } = await serve(api.asWebApp())
    const read = async (path: string): Promise<unknown> => (await fetchFrom(origin + path)).body
    expect(await read('/pets')).toEqual({
      total: 2,
      pets: [
        { id: 1, name: 'Rex' },
        { id: 7, name: 'Tom' },
      ],
    })
    expect(await read('/pets/7')).toEqual({ id: 7, name: 'Tom' })
    expect(() => api.seedStore('/pets', [{ id: 'x' }])).toThrow('item 0')
  })

  it('is a store as far as it says so itself', async () => {
    const marked = STORE.replace('paths:', 'x-sim-stateful: true\npaths:')
    const origin = await serveDescription(marked)
    expect((await fetchFrom(`${origin}/pets/9`)).status).toBe(404)
    const apart = await serveDescription(
      marked.replace('    get:\n      parameters', '    get:\n      x-sim-stateful: false\n      parameters'),
    )
    expect((await fetchFrom(`${apart}/pets`)).body).toMatchObject({ total: 1 })
    expect((await fetchFrom(`${apart}/pets/9`)).status).toBe(404)
  })
})

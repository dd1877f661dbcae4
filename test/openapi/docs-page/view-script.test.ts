import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { VIEW_SCRIPT } from '../../../src/openapi/docs-page/view-script.ts'
import { toOpenApi, type ApiInfo } from '../../../src/openapi/export/to-openapi.ts'
import { routes } from '../documents.ts'
import { openPage, respond, type FakePage, functionsOf } from './page.ts'

const User = Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'User' })
const declared = routes(
  [
    'GET',
    '/users/{id}',
    { output: User, summary: 'One <b>user</b>', description: 'By id', errorRate: 1, headers: { ETag: 'x' } },
  ],
  [
    'GET',
    '/users',
    { input: Type.Object({ name: Type.Optional(Type.String({ description: 'Part of it' })) }) },
  ],
  [
    'POST',
    '/users',
    {
      input: User,
      output: User,
      bearerTokens: ['t'],
      tags: ['admin'],
      errors: [
        { when: () => true, status: 409, detail: 'a' },
        { when: () => true, status: 409, detail: 'b' },
      ],
    },
  ],
)
type Sent = [string, { method: string; headers: Record<string, string>; body?: string }]

async function open(
  info: ApiInfo = {},
  answer = respond(200, { ok: 1 }, 'OK'),
  options?: Parameters<typeof openPage>[1],
) {
  const sent: Sent[] = []
  const document = toOpenApi(
    declared,
    { title: 'Shop <1>', description: 'Sells', ...info },
    new Map([['GET /users/{id}', { id: 7 }]]),
  )
  const page = await openPage(async (url, request) => {
    if (url.endsWith('openapi.json')) return respond(200, document)
    sent.push([url, request as Sent[1]])
    return answer
  }, options)
  return { page, sent }
}

function operation({ operations }: FakePage, name: string) {
  const found = operations
    .all('details')
    .find((each) => each.getAttribute('class') === 'operation' && each.all('h3')[0]?.textContent === name)
  if (found === undefined) throw new Error(`the page does not show ${name}`)
  const press = async (label: string) =>
    found
      .all('button')
      .find((each) => each.textContent === label)
      ?.fire('click')
  const curl = () =>
    found
      .all('code')
      .find((each) => each.textContent.startsWith('curl') || each.textContent.startsWith('The base'))
      ?.textContent
  return { found, press, curl }
}

describe("the page's script for operations", () => {
  it('shows title, version and every operation by group', async () => {
    const { page } = await open()
    expect(page.document.title).toBe('Shop <1>')
    expect(page.elements.title.textContent).toContain('Version 0.0.0Sells')
    expect(page.operations.all('h2').map((each) => each.textContent)).toEqual(['/users', 'admin', 'Models'])
    expect(page.operations.all('h3').map((each) => each.textContent)).toEqual([
      'GET /users/{id}',
      'GET /users',
      'POST /users',
    ])
  })

  it('shows parameters, body, responses and examples', async () => {
    const { page } = await open()
    const one = operation(page, 'GET /users/{id}').found.textContent
    expect(one).toContain('One <b>user</b>By id')
    expect(one).toContain('id (path)string. required')
    expect(one).toMatch(/200 OKHeaders: ETagBody: User[^]*Example[^]*"id": 7[^]*404 Simulated error/)
    expect(operation(page, 'GET /users').found.textContent).toContain(
      'name (query)string. optional. Part of it',
    )
    const post = operation(page, 'POST /users').found
    expect(post.textContent).toContain('Needs a bearer token')
    expect(post.textContent).toContain('Body: User')
    expect(post.textContent).toContain('Example: Mapped error')
    expect(JSON.parse(post.control('JSON to send')?.value ?? '')).toEqual({ id: 1, name: 'text' })
  })

  it('writes the curl line anew when a value changes, and copies it', async () => {
    const { page } = await open()
    const { found, press, curl } = operation(page, 'GET /users/{id}')
    expect(curl()).toBe("curl -X GET 'http://sim.test/users/1'")
    const id = found.control('id (path)')
    if (id !== undefined) id.value = '42'
    await id?.fire('input')
    expect(curl()).toBe("curl -X GET 'http://sim.test/users/42'")
    await press('Copy curl')
    expect(page.copied).toEqual(["curl -X GET 'http://sim.test/users/42'"])
  })

  it('selects the curl line where there is no clipboard', async () => {
    const { page } = await open({}, undefined, { hasClipboard: false })
    await operation(page, 'GET /users').press('Copy curl')
    expect(page.selected.map((each) => each.textContent)).toEqual(["curl -X GET 'http://sim.test/users'"])
  })

  it('sends a request and shows status, headers and body', async () => {
    const { page, sent } = await open({}, respond(409, { detail: '<i>no</i>' }, 'Conflict'))
    const token = page.elements.settings.control('Token')
    if (token !== undefined) token.value = 'abc'
    const { found, press } = operation(page, 'POST /users')
    await press('Try it')
    expect(
      sent.map(([url, { method, headers, body }]) => [url, method, { ...headers }, JSON.parse(body ?? '')]),
    ).toEqual([
      [
        'http://sim.test/users',
        'POST',
        { authorization: 'Bearer abc', 'content-type': 'application/json' },
        { id: 1, name: 'text' },
      ],
    ])
    expect(found.textContent).toMatch(
      /409 Conflict in \d+ msHeadersx-own: yesBody\{\n {2}"detail": "<i>no<\/i>"\n\}$/,
    )
  })

  it('sends requests to the server that the document names, or the one that is typed', async () => {
    const { page, sent } = await open({ servers: ['/v1'] })
    const base = page.elements.settings.control('Base URL')
    const { press, curl } = operation(page, 'GET /users')
    expect(curl()).toBe("curl -X GET 'http://sim.test/v1/users'")
    if (base !== undefined) base.value = 'http://other.test'
    await base?.fire('input')
    await press('Try it')
    expect(sent).toEqual([['http://other.test/users', expect.objectContaining({ method: 'GET' })]])
  })

  it('says that a base URL is none', async () => {
    const { page, sent } = await open()
    const base = page.elements.settings.control('Base URL')
    if (base !== undefined) base.value = 'http://['
    await base?.fire('input')
    const { found, press, curl } = operation(page, 'GET /users')
    expect(curl()).toBe('The base URL is not a URL')
    await press('Try it')
    expect(sent).toEqual([])
    expect(found.textContent).toContain('No answer: ')
  })

  it('says that the document is not there', async () => {
    const page = await openPage(async () => respond(404, {}))
    expect(page.operations.textContent).toBe(
      'The OpenAPI document could not be shown: http://sim.test/openapi.json answered 404',
    )
  })

  it('never makes markup of data', () => {
    expect(VIEW_SCRIPT).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|href'/,
    )
  })
})

interface PartsScript {
  readable(text: string): string
  json(value: unknown): string
}
const { readable, json } = functionsOf<PartsScript>(VIEW_SCRIPT, ['readable', 'json'])

describe("the page's script for its parts", () => {
  it('makes bodies readable', () => {
    expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(readable('<p>')).toBe('<p>')
    expect(readable('')).toBe('No body')
    expect(readable('x'.repeat(200_000))).toHaveLength(100_000)
    expect(json('text')).toBe('text')
    expect(json([1])).toBe('[\n  1\n]')
  })
})

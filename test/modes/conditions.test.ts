import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import Type from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { FromInput } from '../../src/index.ts'
import { createGateway } from '../../src/gateway.ts'
import type { When } from '../../src/routing/condition.ts'

type Gateway = ReturnType<typeof createGateway>
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function listen(app: Gateway): Promise<string> {
  open.push(app)
  return app.listen({ port: 0 })
}

const says = (text: string): { output: object } => ({ output: { const: text } })
const JSON_BODY = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const XML = { 'content-type': 'text/xml' }

interface Case {
  readonly place: string
  readonly when: When
  readonly path?: string
  readonly init: RequestInit
}

const multipart = new FormData()
multipart.append('file', new Blob([Buffer.alloc(3)]), 'a.bin')
multipart.append('action', 'one')

const CASES: readonly Case[] = [
  {
    place: 'a header',
    when: { header: 'X-Amz-Target', equals: 'one' },
    init: { headers: { 'x-amz-target': 'one' } },
  },
  { place: 'a query field', when: { query: 'Action', equals: 'one' }, path: '?Action=one', init: {} },
  { place: 'a field that is there at all', when: { query: 'acl' }, path: '?acl', init: {} },
  {
    place: 'a form',
    when: { form: 'Action', equals: 'one' },
    init: { headers: FORM, body: 'V=1&Action=one' },
  },
  {
    place: 'a form, given in the query',
    when: { form: 'Action', equals: 'one' },
    path: '?Action=one',
    init: {},
  },
  { place: 'a multipart form', when: { form: 'action', equals: 'one' }, init: { body: multipart } },
  {
    place: 'a member of the body',
    when: { pointer: '/call/method', equals: 'one' },
    init: { headers: JSON_BODY, body: '{"call":{"method":"one"}}' },
  },
  {
    place: 'a number in the body',
    when: { pointer: '/0/v', equals: 2 },
    init: { headers: JSON_BODY, body: '[{"v":2}]' },
  },
  {
    place: 'an element',
    when: { element: '/Envelope/Body/*', equals: 'One' },
    init: {
      headers: XML,
      body: '<?xml version="1.0"?><s:Envelope a="/>"><!-- <Body> --><s:Header/><s:Body><m:One/></s:Body></s:Envelope>',
    },
  },
  {
    place: 'the text of an element',
    when: { element: '/methodCall/methodName', equals: 'one' },
    init: { headers: XML, body: '<methodCall><methodName> one </methodName></methodCall>' },
  },
  {
    place: 'an attribute',
    when: { element: '/query/@type', equals: 'one' },
    init: { headers: XML, body: '<a:query xmlns:a="b" a:type="one"><c/></a:query>' },
  },
  {
    place: 'a GraphQL selection',
    when: { selection: 'query { user { name id } }' },
    init: {
      headers: JSON_BODY,
      body: JSON.stringify({
        query: 'query A($i: ID!) { user(id: $i) { id ...N } } fragment N on User { name }',
      }),
    },
  },
  {
    place: 'the content type',
    when: { contentType: 'text/csv' },
    init: { headers: { 'content-type': 'text/csv; header=present' }, body: 'a' },
  },
  {
    place: 'the media type that is liked best',
    when: { accept: 'text/html' },
    init: { headers: { accept: 'a/b;q=0.1, text/html, c/d' } },
  },
  {
    place: 'several of these',
    when: [{ header: 'x-a' }, { pointer: '/b', equals: true }],
    init: { headers: { ...JSON_BODY, 'x-a': '1' }, body: '{"b":true}' },
  },
]

describe('routes of one method and path', () => {
  it.each(CASES)('are distinguished by $place', async ({ when, path = '', init }) => {
    const api = new SimAPI({ seed: 1 })
    api.post('/rpc#rest', says('rest')).post('/rpc#one', { ...says('one'), when })
    const url = `${await listen(createGateway(api.gatewayOptions()))}/rpc`
    const answers = [
      await fetch(`${url}${path}`, { ...init, method: 'POST' }),
      await fetch(url, { method: 'POST' }),
    ]
    expect(await Promise.all(answers.map((each) => each.json()))).toEqual(['one', 'rest'])
  })

  it('are tried from the one with most conditions to the one without', async () => {
    const api = new SimAPI({ seed: 1 })
      .get('/a', says('rest'))
      .get('/a', { ...says('any'), when: { query: 'x' } })
      .get('/a', { ...says('one'), when: { query: 'x', equals: '1' } })
      .get('/a', { ...says('both'), when: [{ query: 'x' }, { header: 'y' }] })
    const url = await listen(createGateway(api.gatewayOptions()))
    const ask = async (path: string, headers = {}): Promise<unknown> =>
      (await fetch(`${url}${path}`, { headers })).json()
    expect([
      await ask('/a'),
      await ask('/a?x=2'),
      await ask('/a?x=1'),
      await ask('/a?x=1', { y: '' }),
    ]).toEqual(['rest', 'any', 'one', 'both'])
  })

  it('leave what fits none of them to a less specific path', async () => {
    const api = new SimAPI({ seed: 1 })
      .post('/a/b', { ...says('one'), when: { pointer: '/m', equals: 1 } })
      .post('/a/{id}', says('other'))
    const url = await listen(createGateway(api.gatewayOptions()))
    const ask = async (m: number): Promise<unknown> =>
      (await fetch(`${url}/a/b`, { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ m }) })).json()
    expect([await ask(1), await ask(2)]).toEqual(['one', 'other'])
  })

  it('have counters, scenarios, journal entries and metrics of their own', async () => {
    const scenario = [{ status: 503 }, { status: 200 }]
    const api = new SimAPI({ seed: 1 })
    for (const name of ['A', 'B'])
      api.post(`/rpc#${name}`, { ...says(name), scenario, when: { pointer: '/method', equals: name } })
    const url = await listen(createGateway(api.gatewayOptions()))
    const ask = async (method: string): Promise<number> =>
      (await fetch(`${url}/rpc`, { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ method }) }))
        .status
    expect([await ask('A'), await ask('A'), await ask('B'), await ask('B')]).toEqual([503, 200, 503, 200])
    const read = async (path: string): Promise<string> => (await fetch(`${url}/__sim/${path}`)).text()
    expect(JSON.parse(await read('routes'))).toMatchObject([
      { route: 'POST /rpc#A', requests: 2, when: { pointer: '/method', equals: 'A' } },
      { route: 'POST /rpc#B', requests: 2 },
    ])
    expect(JSON.parse(await read('requests'))).toMatchObject([
      { route: 'POST /rpc#B', request_body: { method: 'B' } },
      { route: 'POST /rpc#B' },
      { route: 'POST /rpc#A' },
      { route: 'POST /rpc#A' },
    ])
    expect(await read('metrics')).toContain('route="POST /rpc#B"')
  })

  it('say what none of them is for, and what is wrong with a body that they look into', async () => {
    const api = new SimAPI({ seed: 1 }).post('/rpc', {
      ...says('A'),
      when: { pointer: '/method', equals: 'A' },
    })
    const url = `${await listen(createGateway(api.gatewayOptions()))}/rpc`
    const ask = async (body: string): Promise<[number, string]> => {
      const answer = await fetch(url, { method: 'POST', headers: JSON_BODY, body })
      return [answer.status, await answer.text()]
    }
    expect(await ask('{"method":"B"}')).toEqual([
      404,
      expect.stringContaining("By the body's /method it is none of POST /rpc#A"),
    ])
    expect(await ask('{"method":')).toEqual([422, expect.stringContaining('json_invalid')])
    expect(await ask(`{"pad":"${'x'.repeat(1024 * 1024)}"}`)).toEqual([413, expect.any(String)])
    expect((await (await fetch(new URL('/__sim/requests', url))).json()) as object[]).toHaveLength(3)
  })

  it('leave a body as it is to the upstream that gets what none of them is for, however long', async () => {
    const upstream = createServer((incoming, response) => void incoming.pipe(response)).listen(0)
    open.push(upstream)
    const { port } = upstream.address() as AddressInfo
    const api = new SimAPI({ seed: 1 }).post('/rpc', {
      ...says('A'),
      when: { pointer: '/method', equals: 'A' },
    })
    const app = createGateway({ ...api.gatewayOptions(), upstream: `http://127.0.0.1:${port}` })
    const url = `${await listen(app)}/rpc`
    for (const body of ['{"method":"B"}', 'x'.repeat(3 * 1024 * 1024)])
      expect(await (await fetch(url, { method: 'POST', body })).text()).toBe(body)
  })

  it('read no body where the head says enough', async () => {
    const api = new SimAPI({ seed: 1 })
      .get('/a', { ...says('head'), when: { header: 'x-a', equals: '1' } })
      .get('/a', { ...says('body'), when: { pointer: '/a', equals: 2 } })
    const url = new URL('/a', await listen(createGateway(api.gatewayOptions())))
    // A body that never ends would never be answered, if anybody waited for it.
    const status = await new Promise((resolve, reject) => {
      const sent = request(url, { headers: { 'x-a': '1', 'transfer-encoding': 'chunked' } }, (answer) => {
        resolve(answer.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.write('{')
    })
    expect(status).toBe(200)
  })

  it('must be distinct, and have names of their own', () => {
    const api = new SimAPI()
    api.post('/a#one', { when: { header: 'X-A', equals: '1' } })
    expect(() => api.post('/a#two', { when: { header: 'x-a', equals: '1' } })).toThrow(
      'nothing distinguishes POST /a#one from POST /a#two',
    )
    expect(() => api.post('/a#one', { when: { query: 'x' } })).toThrow('Two routes have the name POST /a#one')
    expect(() => api.post('/b#one').post('/b#two')).toThrow(
      'nothing distinguishes POST /b#one from POST /b#two',
    )
  })
})

describe('a route of any method', () => {
  it('is found by it', async () => {
    const api = new SimAPI({ seed: 1 }).route('PROPFIND', '/dav/{path*}', { ...says('found'), status: 207 })
    api.route('QUERY', '/search', {
      input: { type: 'object', required: ['q'], properties: { q: { type: 'string' } } },
    })
    const url = await listen(createGateway(api.gatewayOptions()))
    expect((await fetch(`${url}/dav/a/b`, { method: 'PROPFIND' })).status).toBe(207)
    expect((await fetch(`${url}/search`, { method: 'QUERY', headers: JSON_BODY, body: '{}' })).status).toBe(
      422,
    )
    expect((await fetch(`${url}/dav/a`)).headers.get('allow')).toContain('PROPFIND')
  })

  it.each([
    ['CONNECT', 'opens a tunnel'],
    ['propfind', 'PROPFIND'],
    ['FETCH', "'FETCH' is not a method that Node.js"],
  ])('is refused as %s', (method, why) => {
    expect(() => new SimAPI().route(method as 'GET', '/a')).toThrow(why)
  })
})

describe('a body without a description', () => {
  const Item = Type.Object({ a: Type.String() })
  const File = Type.Object({ body: Type.Unknown() })

  it.each([
    ['application/vnd.api+json', '{"a":"x"}', Item, { a: 'x' }],
    ['application/x-www-form-urlencoded', 'a=x', Item, { a: 'x' }],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n--b--',
      Item,
      { a: 'x' },
    ],
    ['application/xml', '<item><a>x</a></item>', Item, { a: 'x' }],
    ['text/plain', 'x', File, { body: 'x' }],
    ['application/octet-stream', 'x', File, { body: expect.objectContaining({ size: 1 }) }],
  ])('of %s is read as its type says', async (type, body, input, expected) => {
    const api = new SimAPI({ seed: 1 }).post('/a', { input, output: Type.Object(echoed(input)) })
    const url = await listen(createGateway(api.gatewayOptions()))
    const answer = await fetch(`${url}/a`, { method: 'POST', headers: { 'content-type': type }, body })
    expect(await answer.json()).toEqual(expected)
  })

  it('is decoded as its content encoding says, and refused in one that is not known', async () => {
    const api = new SimAPI({ seed: 1 }).post('/a', { input: Item, output: Type.Object(echoed(Item)) })
    const url = await listen(createGateway(api.gatewayOptions()))
    const send = async (coding: string, body: Uint8Array<ArrayBuffer>): Promise<readonly unknown[]> => {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding }
      const answer = await fetch(`${url}/a`, { method: 'POST', headers, body })
      return [answer.status, await answer.text()]
    }
    const text = JSON.stringify({ a: 'x' })
    expect(await send('gzip', gzipSync(text))).toEqual([200, text])
    expect(await send('gzip', Buffer.from(text))).toEqual([422, expect.stringContaining('content_encoding')])
    expect(await send('gzip', gzipSync('x'.repeat(2 ** 20 + 1)))).toContain(413)
    expect(await send('zstd', Buffer.from(text))).toEqual([
      415,
      expect.stringContaining('send gzip or deflate or br'),
    ])
  })

  it.each(['text/plain', 'nonsense'])('of %s is refused by an input without a field for it', async (type) => {
    const api = new SimAPI({ seed: 1 }).post('/a', { input: Item })
    const url = await listen(createGateway(api.gatewayOptions()))
    const answer = await fetch(`${url}/a`, { method: 'POST', headers: { 'content-type': type }, body: 'x' })
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining(`Expected a JSON body, not ${type}`),
    ])
  })
})

function echoed({
  properties,
}: {
  readonly properties: object
}): Record<string, ReturnType<typeof Type.Unknown>> {
  return Object.fromEntries(Object.keys(properties).map((name) => [name, Type.Unknown(FromInput(name))]))
}

import { describe, expect, it } from 'vitest'
import type { HeaderPairs } from '../../../src/recording/files/har.ts'
import {
  createCarriedValues,
  type CarriedRequest,
  type CarryOptions,
  type WholeExchange,
} from '../../../src/recording/send/carried-values.ts'
import { exchangeOf } from '../samples.ts'

/** A request, the answer that was recorded, and the answer that comes now: a JSON value, or a text. */
interface Step {
  readonly request: string
  readonly headers?: HeaderPairs
  readonly body?: unknown
  readonly recorded?: unknown
  readonly live?: unknown
  readonly gave?: HeaderPairs
  readonly gives?: HeaderPairs
}

const JSON_TYPE = ['content-type', 'application/json'] as const

/** What is sent for the last step once the others were answered. */
function sentLast(steps: readonly Step[], options?: CarryOptions): CarriedRequest {
  const values = createCarriedValues(options)
  const requests = steps.map((step) => {
    const request = values.request(wholeOf(step))
    const headers = (step.gives ?? []).map(([name, value]) => ({ name, value }))
    values.answer(wholeOf(step), { headers, body: bytesOf(step.live ?? step.recorded) })
    return request
  })
  return requests.at(-1) as CarriedRequest
}

function wholeOf({ request, headers = [], body, recorded, gave = [] }: Step): WholeExchange {
  const [method = '', url = ''] = request.split(' ')
  const requestBody = bytesOf(body)
  const responseBody = bytesOf(recorded)
  const exchange = exchangeOf({
    method,
    url: `http://recorded.example${url}`,
    requestHeaders: [...(typeof body === 'object' ? [JSON_TYPE] : []), ...headers],
    responseHeaders: gave,
    ...(requestBody && { requestBody }),
    ...(responseBody && { responseBody }),
  })
  return { exchange, requestBody, responseBody }
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

const [ONE, OTHER] = ['5f0c4d5e-8a51-4f2f-9f5e-0a4a3f9b1c11', '99999999-0000-4000-8000-123456789abc']

describe('a path', () => {
  it.for<[what: string, steps: Step[], url: string]>([
    [
      'has the id of what was created',
      [{ request: 'POST /posts', recorded: { id: 26 }, live: { id: 31 } }, { request: 'GET /posts/26' }],
      '/posts/31',
    ],
    [
      'has the id of another kind of thing as it was',
      [{ request: 'POST /posts', recorded: { id: 26 }, live: { id: 31 } }, { request: 'GET /comments/26' }],
      '/comments/26',
    ],
    [
      'has a page as it was, though an id was the same number',
      [{ request: 'POST /posts', recorded: { id: 2 }, live: { id: 31 } }, { request: 'GET /posts?page=2' }],
      '/posts?page=2',
    ],
    [
      'has the id by which another thing names it',
      [
        { request: 'POST /users', recorded: { data: { id: 7 } }, live: { data: { id: 8 } } },
        { request: 'GET /orders?user_id=7&status=7' },
      ],
      '/orders?user_id=8&status=7',
    ],
    [
      'has a UUID wherever it was, also as a part',
      [
        { request: 'POST /jobs', recorded: { ref: { self: ONE } }, live: { ref: { self: OTHER } } },
        { request: `GET /files('${ONE}')/log-of?job=job:${ONE}` },
      ],
      `/files('${OTHER}')/log-of?job=job%3A${OTHER}`,
    ],
    [
      'is a location that was given, with what the client added',
      [
        {
          request: 'POST /v2/a/uploads/',
          gave: [['Location', `http://recorded.example/v2/a/uploads/${ONE}?_state=aaaa1111`]],
          gives: [['Location', `http://live.example:5000/v2/a/uploads/${OTHER}?_state=bbbb2222`]],
        },
        { request: `PUT /v2/a/uploads/${ONE}?_state=aaaa1111&digest=sha256%3Acc` },
      ],
      `/v2/a/uploads/${OTHER}?_state=bbbb2222&digest=sha256%3Acc`,
    ],
    [
      'is a location of another form below the path of the server',
      [
        {
          request: 'POST /things',
          gave: [['Location', '/things/new/5']],
          gives: [['Location', '/base/things/6']],
        },
        { request: 'GET /things/new/5' },
      ],
      '/things/6',
    ],
    [
      'takes nothing from lists that pair by chance',
      [
        { request: 'POST /posts', recorded: { id: 26 }, live: { id: 31 } },
        {
          request: 'GET /posts',
          recorded: [{ id: 25 }, { id: 26 }],
          live: [{ id: 25 }, { id: 26 }, { id: 31 }],
        },
        { request: 'GET /posts/25?of=posts' },
      ],
      '/posts/25?of=posts',
    ],
    [
      'keeps what the client chose',
      [
        { request: 'PUT /docs/tea-1234', recorded: { id: 'tea-1234' }, live: { id: 'TEA-1234' } },
        { request: 'GET /docs/tea-1234' },
      ],
      '/docs/tea-1234',
    ],
    [
      'has the name of an entry of a map',
      [
        { request: 'GET /state', recorded: { nodes: { n1234567: 1 } }, live: { nodes: { n7654321: 1 } } },
        { request: 'GET /nodes/n1234567' },
      ],
      '/nodes/n7654321',
    ],
  ])('%s', ([, steps, url]) => {
    expect(sentLast(steps, { basePath: '/base' }).url).toBe(url)
  })
})

describe('a header', () => {
  it.for<[what: string, steps: Step[], headers: HeaderPairs]>([
    [
      'has the ETag of the live answer',
      [
        { request: 'GET /doc', gave: [['ETag', 'W/"v1-aaaa"']], gives: [['ETag', 'W/"v9-zzzz"']] },
        { request: 'PUT /doc', headers: [['If-Match', 'W/"v1-aaaa", "other"']] },
      ],
      [['If-Match', 'W/"v9-zzzz", "other"']],
    ],
    [
      'has cookies by their names, however short',
      [
        {
          request: 'POST /login',
          gave: [
            ['Set-Cookie', 'sid=1; Path=/; HttpOnly'],
            ['Set-Cookie', 'lang=en'],
          ],
          gives: [
            ['Set-Cookie', 'lang=en'],
            ['Set-Cookie', 'sid=2; Path=/; HttpOnly'],
          ],
        },
        { request: 'GET /me', headers: [['Cookie', 'a=1; sid=1; lang=en']] },
      ],
      [['Cookie', 'a=1; sid=2; lang=en']],
    ],
    [
      'has the token whose pseudonym was recorded',
      [
        {
          request: 'POST /token',
          recorded: { access_token: 'redacted-0123456789abcdef' },
          live: { access_token: 'real-token-of-now' },
        },
        { request: 'GET /me', headers: [['Authorization', 'Bearer redacted-0123456789abcdef']] },
      ],
      [['Authorization', 'Bearer real-token-of-now']],
    ],
    [
      'has the token of a form in a page',
      [
        {
          request: 'GET /form',
          recorded: '<form><input name="csrf" value="aaaa1111bbbb"></form>',
          live: '<p>New!</p><form><input name="csrf" value="cccc2222dddd"></form>',
        },
        { request: 'POST /form', headers: [['X-CSRF', 'aaaa1111bbbb']] },
      ],
      [['X-CSRF', 'cccc2222dddd']],
    ],
  ])('%s', ([, steps, headers]) => {
    expect(sentLast(steps).headers).toEqual(headers.map(([name, value]) => ({ name, value })))
  })
})

describe('a body', () => {
  it.for<[what: string, steps: Step[], body: unknown]>([
    [
      'has ids as the numbers or texts that they are, and nothing else changed',
      [
        { request: 'POST /posts', recorded: { id: 7 }, live: { id: 'p8' } },
        { request: 'POST /comments', body: { postId: 7, stars: 7, ok: true } },
      ],
      { postId: 'p8', stars: 7, ok: true },
    ],
    [
      'has what an API of one address calls the same',
      [
        {
          request: 'POST /rpc',
          body: { method: 'add' },
          recorded: { result: { id: 4 } },
          live: { result: { id: 5 } },
        },
        { request: 'POST /rpc', body: { method: 'get', params: { id: 4, limit: 4 } } },
      ],
      { method: 'get', params: { id: 5, limit: 4 } },
    ],
    [
      'has the upload id of an XML answer',
      [
        {
          request: 'POST /bucket/key?uploads',
          recorded: '<R><Bucket>b</Bucket><UploadId>aaaa1111</UploadId></R>',
          live: '<R><Bucket>b</Bucket><UploadId>zzzz9999</UploadId></R>',
        },
        { request: 'POST /bucket/key', body: '<C><Id>aaaa1111</Id></C>' },
      ],
      '<C><Id>zzzz9999</Id></C>',
    ],
    [
      'has the revision after the last write',
      [
        { request: 'PUT /db/a', recorded: { rev: '1-aaaaaaa' }, live: { rev: '1-bbbbbbb' } },
        {
          request: 'PUT /db/a',
          body: { _rev: '1-aaaaaaa' },
          recorded: { rev: '2-aaaaaaa' },
          live: { rev: '2-ccccccc' },
        },
        { request: 'POST /db/_bulk', body: { docs: [{ _rev: '2-aaaaaaa' }] } },
      ],
      { docs: [{ _rev: '2-ccccccc' }] },
    ],
  ])('%s', ([, steps, body]) => {
    expect(sentLast(steps).body?.toString()).toBe(bytesOf(body)?.toString())
  })

  it('stays as it was byte for byte where nothing is carried', () => {
    const body = '{ "a": 1,\n "big": 12345678901234567890 }'
    expect(sentLast([{ request: 'POST /a', body }]).body?.toString()).toBe(body)
  })

  it('has the texts that are given for pseudonyms, and they go before what was answered', () => {
    const pseudonym = 'redacted-0123456789abcdef'
    const steps = [
      { request: 'GET /a', recorded: { token: pseudonym }, live: { token: 'of the answer 1' } },
      { request: `POST /a?token=${pseudonym}`, body: { password: pseudonym } },
    ]
    const { url, body } = sentLast(steps, { replacements: new Map([[pseudonym, 'pass']]) })
    expect([url, body?.toString()]).toEqual(['/a?token=pass', '{"password":"pass"}'])
  })
})

it('knows which answers a request waits for', () => {
  const values = createCarriedValues()
  const { gives } = values.ties(
    wholeOf({ request: 'POST /posts', body: { title: 'x' }, recorded: { id: 1, title: 'x' } }),
  )
  const [mine, others] = ['GET /posts/1', 'GET /users/1'].map(
    (request) => values.ties(wholeOf({ request })).uses,
  )
  expect([mine, others].map((uses) => [...gives].some((key) => uses?.has(key)))).toEqual([true, false])
})

it('has a request wait for what was written under a name that it uses', () => {
  const values = createCarriedValues()
  const put = wholeOf({ request: 'PUT /blobs?digest=sha256:aaaa1111', gave: [['Digest', 'sha256:aaaa1111']] })
  const uses = values.ties(wholeOf({ request: 'PUT /list', body: { of: 'sha256:aaaa1111' } })).uses
  expect([...values.ties(put).gives].some((key) => uses.has(key))).toBe(true)
})

describe('a number of more digits than JavaScript keeps', () => {
  const made = {
    request: 'POST /posts',
    recorded: '{"id":9007199254740993}',
    live: '{"id":9007199254740995}',
  }
  it.for([
    ['is carried as it is', { request: 'GET /posts/9007199254740993' }, '/posts/9007199254740995', undefined],
    [
      'stays as it is beside one that is changed',
      {
        request: 'POST /likes',
        body: '{"post_id":9007199254740993,"weight":0.10,"by":12345678901234567891,"note":"7 is \\"1.0\\""}',
      },
      '/likes',
      '{"post_id":9007199254740995,"weight":0.10,"by":12345678901234567891,"note":"7 is \\"1.0\\""}',
    ],
  ] as const)('%s', ([_what, step, url, body]) => {
    const sent = sentLast([made, step])
    expect([sent.url, sent.body?.toString()]).toEqual([url, body])
  })
})

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSelect } from '../../../src/recording/files/select.ts'
import { junitText } from '../../../src/recording/send/junit.ts'
import { schedule } from '../../../src/recording/send/schedule.ts'
import { type SendOptions, sendRecording } from '../../../src/recording/send/send-recording.ts'
import { exchangeOf, type Parts, REDACTOR, temporaryDirectory, writeRecording } from '../samples.ts'

const JSON_TYPE = [['Content-Type', 'application/json']] as const

interface Shop {
  readonly url: URL
  /** Method, path and body of the requests that came. */
  readonly requests: string[]
}

/** A server that numbers what is created from here on, behind a token that it gives out. */
async function openShop(first: number, change: (item: object) => object = (item) => item): Promise<Shop> {
  const items = new Map<string, object>()
  const token = `token-of-${first}`
  const requests: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request
    const body = await text(request)
    requests.push(`${method} ${url} ${body}`.trim())
    const send = (status: number, value: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url === '/api/login') return send(200, { access_token: token })
    if (request.headers.authorization !== `Bearer ${token}`) return send(401, { error: 'who?' })
    const id = url.split('/')[3]
    if (method === 'POST') {
      const made = { ...(JSON.parse(body) as object), id: first + items.size, at: Date.now() }
      items.set(String(made.id), made)
      return send(201, change(made))
    }
    const found = items.get(id ?? '')
    return found === undefined ? send(404, { error: 'none' }) : send(200, change(found))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close().closeAllConnections())
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`), requests }
}

const SESSION: readonly Parts[] = [
  {
    method: 'POST',
    url: 'http://old/login',
    responseHeaders: JSON_TYPE,
    responseBody: '{"access_token":"secret 1"}',
  },
  ...[7, 8, 9].flatMap((id): Parts[] => [
    request('POST', '/items', 201, { name: `n${id}`, id, at: 1 }, { name: `n${id}` }),
    request('GET', `/items/${id}`, 200, { name: `n${id}`, id, at: 1 }),
  ]),
  request('GET', '/items/99', 404, { error: 'none' }),
]

function request(method: string, path: string, status: number, answer: object, body?: object): Parts {
  return {
    method,
    url: `http://old${path}`,
    status,
    requestHeaders: [['Authorization', 'Bearer secret 1'], ...(body ? JSON_TYPE : [])],
    ...(body && { requestBody: JSON.stringify(body) }),
    responseHeaders: JSON_TYPE,
    responseBody: JSON.stringify(answer),
  }
}

function optionsOf(to: URL, more: Partial<SendOptions> = {}): SendOptions {
  return {
    to,
    select: createSelect({}),
    headers: [],
    replacements: new Map(),
    redactor: REDACTOR,
    isTrusting: false,
    timeoutMs: 5000,
    counts: () => true,
    concurrency: 1,
    ...more,
  }
}

// Pseudonyms without a key hold no value apart, and are those of tests: what is carried needs one.
async function record(): Promise<string> {
  const pseudonym = 'redacted-0123456789abcdef'
  const named = JSON.parse(JSON.stringify(SESSION).replaceAll('secret 1', pseudonym)) as Parts[]
  return writeRecording(await temporaryDirectory(), ...named)
}

describe('sending a recording', () => {
  it.for([{ concurrency: 1 }, { concurrency: 8 }, { concurrency: 8, speed: 1000 }])(
    'finds no difference on a server of the same kind, whose ids and tokens are others (%j)',
    async (pace) => {
      const shop = await openShop(500)
      const report = await sendRecording(await record(), optionsOf(shop.url, pace))
      expect(report).toMatchObject({ sent: 8, failed: 0, left: {}, drift: { drifts: 0, exchanges: 8 } })
      expect(shop.requests.toSorted()).toEqual(
        [
          'POST /api/login',
          ...[7, 8, 9].map((id) => `POST /api/items {"name":"n${id}"}`),
          ...[500, 501, 502].map((id) => `GET /api/items/${id}`),
          'GET /api/items/99',
        ].toSorted(),
      )
    },
  )

  it('repeats a read until the server is where it was when it was recorded', async () => {
    const states = ['pending', 'pending', 'done']
    let reads = 0
    const server = createServer((incoming, response) => {
      const json = (status: number, value: unknown): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (incoming.method === 'POST') return json(201, { id: 4, state: 'pending' })
      if (incoming.method === 'GET') return json(200, { id: 4, state: states[Math.min(reads++, 2)] })
      return reads > 2 ? json(200, { id: 4, state: 'sealed' }) : json(409, { error: 'not yet' })
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => server.close().closeAllConnections())
    const at = (seconds: number, parts: Parts): Parts => ({ ...parts, startedAt: new Date(seconds * 1000) })
    const recording = await writeRecording(
      await temporaryDirectory(),
      at(0, request('POST', '/jobs', 201, { id: 4, state: 'pending' }, { kind: 'a' })),
      at(20, request('GET', '/jobs/4', 200, { id: 4, state: 'done' })),
      at(21, request('PUT', '/jobs/4', 200, { id: 4, state: 'sealed' }, { state: 'sealed' })),
    )
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const { drift } = await sendRecording(recording, optionsOf(url))
    expect([drift.drifts, reads]).toEqual([0, 3])
  })

  it('names what changed, and says so to CI', async () => {
    const shop = await openShop(500, ({ at: _at, ...item }: { at?: number }) => item)
    const report = await sendRecording(await record(), optionsOf(shop.url))
    expect(
      report.drift.routes.flatMap(({ drifts }) =>
        drifts.map(({ change, pointer }) => `${change} ${pointer}`),
      ),
    ).toEqual(['field removed /at', 'field removed /at'])
    const junit = junitText(report, 'today')
    expect(junit).toContain('tests="3" failures="2"')
    expect(junit).toContain('<failure message="breaking: field removed at /at: number -&gt; nothing')
  })

  it('names the statuses that changed, and where pseudonyms were sent', async () => {
    const shop = await openShop(500)
    const select = createSelect({ methods: ['GET'] })
    const { drift, pseudonyms } = await sendRecording(await record(), optionsOf(shop.url, { select }))
    expect([drift.severities.breaking > 0, pseudonyms]).toEqual([true, { authorization: 4 }])
    const given = [{ name: 'Authorization', value: 'Bearer token-of-500' }]
    const again = await sendRecording(await record(), optionsOf(shop.url, { select, headers: given }))
    expect(again.pseudonyms).toEqual({})
  })

  it('counts requests without an answer', async () => {
    const shop = await openShop(1)
    const closed = new URL('http://127.0.0.1:1/')
    const { sent, failed, failures } = await sendRecording(await record(), optionsOf(closed))
    expect([shop.requests, sent, failed, failures[0]?.request]).toEqual([[], 8, 8, 'POST /login'])
  })
})

describe('a schedule', () => {
  const none = { uses: new Set<string>(), gives: new Set<string>() }

  async function orderOf(parts: readonly Parts[], concurrency: number, rate?: number): Promise<string[]> {
    const order: string[] = []
    const source = async function* () {
      for (const [index, each] of parts.entries())
        yield { number: index + 1, whole: { exchange: exchangeOf(each) } }
    }
    await schedule(
      source(),
      { concurrency, rate },
      () => none,
      async ({ number }) => {
        order.push(`${number} begins`)
        await new Promise(setImmediate)
        order.push(`${number} ends`)
      },
    )
    return order
  }

  it.for<[what: string, parts: Parts[], isApart: boolean]>([
    ['reads go together', [{ url: 'http://a/x' }, { url: 'http://a/x' }], false],
    [
      'a read waits for a write of the same',
      [{ url: 'http://a/x/1', method: 'PUT' }, { url: 'http://a/x/1' }],
      true,
    ],
    [
      'a write waits for a read of the same',
      [{ url: 'http://a/x/1' }, { url: 'http://a/x/1', method: 'PUT' }],
      true,
    ],
    [
      'a list waits for what is created in it',
      [{ url: 'http://a/x', method: 'POST' }, { url: 'http://a/x' }],
      true,
    ],
    [
      'an item does not wait for another one',
      [{ url: 'http://a/x/1', method: 'PUT' }, { url: 'http://a/x/2' }],
      false,
    ],
    [
      'what is below waits for a deletion',
      [{ url: 'http://a/x', method: 'DELETE' }, { url: 'http://a/x/2' }],
      true,
    ],
  ])('%s', async ([, parts, isApart]) => {
    const order = await orderOf(parts, 4)
    expect(order.indexOf('2 begins') > order.indexOf('1 ends')).toBe(isApart)
  })

  it('has no more under way than it may', async () => {
    const parts = Array.from({ length: 9 }, (): Parts => ({ url: 'http://a/x' }))
    let [now, most] = [0, 0]
    for (const line of await orderOf(parts, 3))
      most = Math.max(most, (now += line.endsWith('begins') ? 1 : -1))
    expect(most).toBe(3)
  })

  it('ends with the error of what sends', async () => {
    const source = async function* () {
      yield { number: 1, whole: { exchange: exchangeOf({}) } }
    }
    const fail = async (): Promise<void> => Promise.reject(new Error('no disk'))
    await expect(schedule(source(), { concurrency: 1 }, () => none, fail)).rejects.toThrow('no disk')
  })
})

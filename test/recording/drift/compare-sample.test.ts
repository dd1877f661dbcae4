import { beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../inference/samples.ts'
import {
  ANY_ANSWER,
  type Baseline,
  type ExpectedAnswer,
  type ExpectedRoute,
} from '../../../src/recording/drift/baseline.ts'
import { compareExchanges, compareSample } from '../../../src/recording/drift/compare-sample.ts'
import { createComparison } from '../../../src/shape/compare-value.ts'
import { recordedBaseline } from '../../../src/recording/drift/recorded-baseline.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'

describe('compare sample', () => {
  const compare = createComparison({ type: 'object', properties: { id: { type: 'integer' } } })

  function expecting(answer: Partial<ExpectedAnswer>): ExpectedRoute {
    return {
      name: 'GET /x',
      statuses: [200],
      answer: (status) => (status === 200 ? { ...ANY_ANSWER, ...answer } : undefined),
      input: { query: compare, body: compare },
    }
  }

  const plain = sample(0, 'GET /x', { response: { id: 'a' } })

  it('does not count what caches and parts of answers are about', () => {
    const partial = { ...plain, headers: { range: 'bytes=0-1' } }
    expect(compareSample({ ...plain, status: 304 }, expecting({}))).toEqual([])
    for (const status of [206, 416]) expect(compareSample({ ...partial, status }, expecting({}))).toEqual([])
    expect(compareSample({ ...plain, status: 206 }, expecting({}))).toMatchObject([
      { change: 'status not declared' },
    ])
  })

  it.for([
    [[], 'text/html', true],
    [['*/*'], 'text/html', true],
    [['text/*'], 'text/html', true],
    [['application/json'], 'application/problem+json', true],
    [['application/json'], 'text/json', false],
    [['image/*'], 'text/html', false],
  ] as const)('of the types %j takes %s: %s', ([types, mimeType, isFine]) => {
    const found = compareSample({ ...plain, mimeType }, expecting({ types }))
    expect(found).toMatchObject(isFine ? [] : [{ change: 'content type changed', part: 'header' }])
  })

  it('compares no body where there is none', () => {
    expect(compareSample({ ...plain, method: 'HEAD' }, expecting({ compare }))).toEqual([])
    expect(compareSample(plain, expecting({ compare }))).toMatchObject([{ part: 'body', pointer: '/id' }])
  })

  it('reports headers that are new, gone or of another form', () => {
    const known = {
      headers: ['x-old'],
      known: new Set(['x-old']),
      values: new Map([['x-n', () => compare(7)]]),
    }
    const requested = { ...plain, responseHeaders: { 'x-n': 'a', 'x-request-id': '1' } }
    expect(
      compareSample(requested, expecting(known)).map(({ change, pointer }) => `${change} ${pointer}`),
    ).toEqual(['header removed /x-old', 'header added /x-n', 'header changed /x-n'])
  })

  it('compares only requests that were accepted', () => {
    const sent = { ...plain, query: { a: '1' }, body: { id: 'x' } }
    const route = expecting({})
    expect(compareSample(sent, route)).toMatchObject([
      { change: 'field added', part: 'query', pointer: '/a', severity: 'additive' },
      { change: 'type changed', part: 'request-body', pointer: '/id', severity: 'warning' },
    ])
    expect(compareSample({ ...sent, status: 400 }, { ...route, answer: () => ANY_ANSWER })).toEqual([])
  })
})

describe('compare exchanges', () => {
  const STATES = ['open', 'paid', 'sent']
  const HEADERS = { 'x-version': '1', date: 'now' }

  function order(id: number): Record<string, unknown> {
    return {
      id,
      state: STATES[id % 3],
      price: id * 1.5,
      at: `2026-01-${10 + (id % 20)}T10:00:00Z`,
      note: id % 2 === 0 ? null : 'n',
      customer: { name: `c${id}`, tags: ['a'] },
      lines: [{ sku: `s${id}`, count: id }],
      ...(id % 4 === 0 && { gift: true }),
    }
  }

  function read(index: number, id: number, change: object = {}, answer: Partial<Sample> = {}): Sample {
    const response = { ...order(id), ...change }
    return { ...sample(index, `GET /orders/${id}`, { response }), responseHeaders: HEADERS, ...answer }
  }

  function without(name: string): object {
    const { [name]: _gone, ...rest } = order(3)
    return rest
  }

  const KNOWN = [
    ...Array.from({ length: 40 }, (_, index) => read(index, index + 1)),
    ...[41, 42].map((index) => sample(index, `GET /orders/${index + 900}`, { status: 404, response: {} })),
    sample(43, 'POST /orders', { status: 201, response: order(50) }),
  ]
  let baseline: Baseline
  beforeAll(async () => {
    baseline = await recordedBaseline(() => KNOWN)
  })

  async function reported(another: Sample): Promise<string> {
    const { routes } = await compareExchanges([read(0, 2), another], baseline)
    const drifts = routes.flatMap((route) =>
      route.drifts.map(({ severity, change, pointer, expected, actual, exchanges, example }) => {
        expect([exchanges, example.number]).toEqual([1, 2])
        const place = route.route === IT ? '' : `${route.route} `
        return `${place}${severity} ${change} ${pointer} ${expected}>${actual}`
      }),
    )
    return drifts.join('; ')
  }
  const changed = (change: object, answer: Partial<Sample> = {}): Sample => read(1, 3, change, answer)
  const answered = (answer: Partial<Sample>): Sample => read(1, 3, {}, answer)

  const IT = 'GET /orders/{id}'

  it.for<[Sample, string]>([
    [changed({ extra: 1 }), 'additive field added /extra nothing>integer'],
    [
      changed({ customer: { name: 'c', tags: [], vip: true } }),
      'additive field added /customer/vip nothing>boolean',
    ],
    [
      changed({ lines: [{ sku: 's', count: 1, vat: 2 }] }),
      'additive field added /lines/-/vat nothing>integer',
    ],
    [answered({ response: without('price') }), 'breaking field removed /price number>nothing'],
    [
      answered({ response: without('price'), query: { $select: 'id,at' } }),
      'additive field removed /price number>nothing; additive field added /$select nothing>string',
    ],
    [
      answered({ response: without('price'), query: { $select: 'id,price' } }),
      'warning field removed /price number>nothing; additive field added /$select nothing>string',
    ],
    [answered({ response: without('customer') }), 'breaking field removed /customer object>nothing'],
    [answered({ response: without('lines') }), 'breaking field removed /lines array>nothing'],
    [changed({ customer: { tags: [] } }), 'breaking field removed /customer/name string>nothing'],
    [changed({ lines: [{ sku: 's' }] }), 'breaking field removed /lines/-/count integer>nothing'],
    [
      answered({ response: { ...without('at'), made: 'x' } }),
      'breaking field removed /at string>nothing; additive field added /made nothing>string',
    ],
    [changed({ price: '4.5' }), 'breaking type changed /price number>string'],
    [changed({ id: '3' }), 'breaking type changed /id integer>string'],
    [changed({ lines: [{ sku: 's', count: 1.5 }] }), 'breaking type changed /lines/-/count integer>number'],
    [
      changed({ customer: { name: { first: 'c' }, tags: [] } }),
      'breaking type changed /customer/name string>object',
    ],
    [changed({ customer: 'c' }), 'breaking type changed /customer object>string'],
    [changed({ lines: {} }), 'breaking type changed /lines array>object'],
    [
      changed({ customer: { name: 'c', tags: [1] } }),
      'breaking type changed /customer/tags/- string>integer',
    ],
    [changed({ lines: ['s'] }), 'breaking type changed /lines/- object>string'],
    [changed({ gift: 'yes' }), 'breaking type changed /gift boolean>string'],
    [changed({ note: 7 }), 'breaking type changed /note string or null>integer'],
    [changed({ price: null }), 'breaking newly null /price number>null'],
    [changed({ customer: null }), 'breaking newly null /customer object>null'],
    [changed({ lines: [{ sku: null, count: 1 }] }), 'breaking newly null /lines/-/sku string>null'],
    [changed({ state: 'void' }), 'warning new enum value /state "open", "paid", "sent">"void"'],
    [changed({ at: '31.1.2026' }), 'warning constraint broken /at must match format "date-time">"31.1.2026"'],
    [answered({ response: [order(3)] }), 'breaking type changed  object>array'],
    [answered({ response: null }), 'breaking newly null  object>null'],
    [answered({ status: 500 }), 'breaking status not declared  200, 404>500'],
    [answered({ status: 202 }), 'breaking status not declared  200, 404>202'],
    [
      answered({ mimeType: 'text/html; charset=utf-8' }),
      'breaking content type changed /content-type application/json>text/html',
    ],
    [answered({ responseHeaders: { date: 'now' } }), 'warning header removed /x-version a value>nothing'],
    [sample(1, 'GET /health', { response: {} }), 'GET /health warning path not declared  nothing>GET'],
    [
      sample(1, 'DELETE /orders/3', { status: 204 }),
      'DELETE /orders/{id} warning path not declared  nothing>DELETE',
    ],
  ])('finds a change (%#): $1', async ([changedSample, expected]) => {
    expect(await reported(changedSample)).toBe(expected)
  })

  it('finds nothing in a thousand clean answers', async () => {
    const clean = Array.from({ length: 1_000 }, (_, index) => read(index, index + 100))
    const report = await compareExchanges(clean, baseline)
    expect(report).toMatchObject({ drifts: 0, exchanges: 1_000, routes: [{ route: IT, drifts: [] }] })
  })

  it('counts a difference once for each exchange, and shows the first', async () => {
    const samples = [read(0, 1), read(1, 2, { at: 'x' }), read(2, 3, { at: 'y' })]
    expect((await compareExchanges(samples, baseline)).routes).toMatchObject([
      {
        exchanges: 3,
        drifts: [{ exchanges: 2, example: { number: 2, request: 'GET /orders/2', status: 200 } }],
      },
    ])
  })

  it('does not compare what a failure says, nor preflights', async () => {
    const failed = sample(0, 'GET /orders/9999', { status: 404, response: { other: 1 } })
    const { routes } = await compareExchanges([failed, sample(1, 'OPTIONS /orders')], baseline)
    expect(routes).toEqual([
      { route: IT, exchanges: 1, drifts: [] },
      { route: 'OPTIONS /orders', exchanges: 1, drifts: [] },
    ])
  })

  it.each([
    ['PROPFIND', 'DELETE /orders', 'warning'],
    ['PROPFIND', 'MOVE /orders/7', 'warning'],
    ['PROPFIND', 'GET /orders/7', 'breaking'],
    ['UNLOCK', 'DELETE /orders', 'warning'],
  ])('compares %s, and expects nothing to be there after %s', async (method, before, severity) => {
    const seen = (status: number) => sample(0, `${method} /orders/7`, { status })
    const expected = await recordedBaseline(() => [seen(207)])
    const { routes } = await compareExchanges([sample(0, before), { ...seen(404), index: 1 }], expected)
    const drifts = routes.flatMap((route) => route.drifts)
    expect(drifts.find(({ change }) => change === 'status not declared')?.severity).toBe(severity)
  })

  const TEXT = { mimeType: 'text/plain', response: 'a' }
  const IMAGE = { mimeType: 'image/png', binary: 'AAAA' }
  const COPIED = { mimeType: 'application/xml', response: '<copy/>' }
  it.for([
    ['several were seen', [TEXT, { mimeType: 'application/zip', binary: 'UEs=' }], [['GET', IMAGE]], 0],
    ['only one was seen', [TEXT], [['GET', IMAGE]], 1],
    [
      'it was stored so',
      [TEXT],
      [
        ['PUT', { headers: { 'content-type': 'image/png' } }],
        ['GET', IMAGE],
      ],
      0,
    ],
    ['nothing came with it', [{ mimeType: 'text/plain' }], [['GET', COPIED]], 0],
  ] as const)('takes the type of a file for drift or not, where %s', async ([, known, later, count]) => {
    const expected = await recordedBaseline(() =>
      known.map((each, at) => ({ ...sample(at, 'GET /files/7'), ...each })),
    )
    const samples = later.map(([method, each], at) => ({ ...sample(at, `${method} /files/7`), ...each }))
    const { routes } = await compareExchanges(samples, expected)
    const changes = routes.flatMap(({ drifts }) => drifts.map(({ change }) => change))
    expect(changes.filter((change) => change === 'content type changed')).toHaveLength(count)
  })
})

import { describe, expect, it } from 'vitest'
import { hashText } from '../../../src/engine/random.ts'
import { compareExchanges } from '../../../src/recording/drift/compare-sample.ts'
import { recordedBaseline } from '../../../src/recording/drift/recorded-baseline.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { sample } from '../inference/samples.ts'

/** A number from 0 up to one less than `most`, by its name alone. */
const pick = (name: string, most: number): number => (hashText(name) >>> 0) % most

const STATES = ['open', 'paid', 'sent']

function order(id: number, session: string): Record<string, unknown> {
  const by =
    pick(`${session} by ${id}`, 2) === 0 ? { kind: 'user', login: `u${id}` } : { kind: 'job', run: id }
  return {
    id,
    state: STATES[pick(`${session} state ${id}`, 3)],
    at: `2026-03-${10 + (id % 20)}T10:00:00Z`,
    price: id * 1.5,
    note: id % 3 === 0 ? null : 'n',
    rates: { [`2026-03-${10 + (id % 20)}`]: id / 4 },
    points: [[id + 0.5, `${id}`]],
    by,
    ...(id % 4 === 0 && { gift: true }),
  }
}

function files(from: number): string {
  const entries = [from, from + 1, from + 2].map(
    (id) => `<Contents><Key>k${id}</Key><Size>${id}</Size><Owner id="o${id}">Ann</Owner></Contents>`,
  )
  return `<?xml version="1.0"?><Result xmlns="urn:files"><Name>b</Name>${entries.join('')}</Result>`
}

/** What a session of a client with a server gives: other ids, other values, the same shapes. */
function record(session: string, from: number): Sample[] {
  const ids = Array.from({ length: 24 }, (_, index) => from + index)
  const samples = ids.flatMap((id, index) => [
    sample(0, `GET /orders/${id}`, { response: order(id, session) }),
    sample(0, 'POST /orders', {
      ...{ status: 201, body: { price: id, note: 'n' }, response: order(id, session) },
    }),
    ...(index % 4 === 0
      ? [
          sample(0, 'GET /orders', {
            response: { total: id, orders: ids.map((each) => order(each, session)) },
          }),
          { ...sample(0, 'GET /files', { response: files(id) }), mimeType: 'application/xml' },
          {
            ...sample(0, 'GET /log', { response: `{"n":${id},"text":"a"}\n{"n":1,"text":"b"}\n` }),
            mimeType: 'application/x-ndjson',
          },
        ]
      : []),
  ])
  return samples.map((each, index) => ({ ...each, index, responseHeaders: { 'x-version': `${index}` } }))
}

const KNOWN = record('first', 1000)

async function findings(samples: readonly Sample[]): Promise<string[]> {
  const report = await compareExchanges(
    samples,
    await recordedBaseline(
      () => KNOWN,
      () => samples,
    ),
  )
  return report.routes.flatMap(({ route, drifts }) =>
    drifts.map(({ severity, change, pointer }) => `${route} ${severity}: ${change} ${pointer}`.trimEnd()),
  )
}

type Entries = Record<string, unknown>

/** Changes an object at a place of a body: names of members, `-` for all items of a list. */
function at(
  body: unknown,
  [step, ...steps]: readonly string[],
  change: (object: Entries) => Entries,
): unknown {
  if (Array.isArray(body))
    return body.map((item) => at(item, step === '-' ? steps : [step ?? '', ...steps], change))
  const object = body as Entries
  return step === undefined ? change(object) : { ...object, [step]: at(object[step], steps, change) }
}

const without =
  (name: string) =>
  ({ [name]: _gone, ...rest }: Entries): Entries =>
    rest
const having =
  (fields: Entries) =>
  (object: Entries): Entries => ({ ...object, ...fields })

/** Where orders are answered: the request, the place in its answer, and its pointer. */
const PLACES: readonly (readonly [
  request: RegExp,
  route: string,
  place: readonly string[],
  pointer: string,
])[] = [
  [/^GET \/orders\/\d+$/, 'GET /orders/{id}', [], ''],
  [/^GET \/orders$/, 'GET /orders', ['orders', '-'], '/orders/-'],
  [/^POST \/orders$/, 'POST /orders', [], ''],
]

const CHANGES: readonly (readonly [(object: Entries) => Entries, string, string])[] = [
  [without('price'), 'breaking: field removed', '/price'],
  [without('by'), 'breaking: field removed', '/by'],
  [having({ id: 'seven' }), 'breaking: type changed', '/id'],
  [having({ price: 'much' }), 'breaking: type changed', '/price'],
  [having({ rates: { '2026-03-01': 'much' } }), 'breaking: type changed', '/rates/*'],
  [having({ points: [['1', '1']] }), 'breaking: type changed', '/points/-/-'],
  [having({ at: null }), 'breaking: newly null', '/at'],
  [having({ state: 'lost' }), 'warning: new enum value', '/state'],
  [having({ at: '1.3.2026' }), 'warning: constraint broken', '/at'],
  [having({ extra: 1 }), 'additive: field added', '/extra'],
  [having({ by: { kind: 'user' } }), 'breaking: field removed', '/by/login'],
  [having({ by: { kind: 'job', run: 'x' } }), 'breaking: type changed', '/by/run'],
]

const PLANTED = PLACES.flatMap(([request, route, place, pointer]) =>
  CHANGES.map(([change, found, field]) => ({
    ...{ request, title: `${route} ${found} ${pointer}${field}` },
    plant: (each: Sample): Sample => ({ ...each, response: at(each.response, place, change) }),
  })),
)

const replaceText =
  (from: RegExp, to: string) =>
  (each: Sample): Sample => ({ ...each, response: String(each.response).replaceAll(from, to) })

const OTHERS: readonly { request: RegExp; title: string; plant: (each: Sample) => Sample }[] = [
  {
    ...{ request: /files/, title: 'GET /files breaking: field removed /Result/Contents/-/Size' },
    plant: replaceText(/<Size>\d+<\/Size>/g, ''),
  },
  {
    ...{ request: /files/, title: 'GET /files breaking: field removed /Result/Contents/-/Owner/-/@id' },
    plant: replaceText(/ id="\w+"/g, ''),
  },
  {
    ...{ request: /files/, title: 'GET /files warning: constraint broken /Result/Contents/-/Size/-/#text' },
    plant: replaceText(/<Size>/g, '<Size>x'),
  },
  {
    request: /log/,
    title: 'GET /log breaking: type changed /-/n',
    plant: replaceText(/"n":\d+/g, '"n":"x"'),
  },
  {
    request: /log/,
    title: 'GET /log breaking: field removed /-/text',
    plant: replaceText(/,"text":"."/g, ''),
  },
  {
    ...{ request: /POST/, title: 'POST /orders breaking: status not declared' },
    plant: (each) => ({ ...each, status: 202 }),
  },
  {
    ...{ request: /GET .orders$/, title: 'GET /orders breaking: content type changed /content-type' },
    plant: (each) => ({ ...each, mimeType: 'text/plain' }),
  },
  {
    ...{ request: /GET .orders$/, title: 'GET /orders warning: header removed /x-version' },
    plant: (each) => ({ ...each, responseHeaders: {} }),
  },
  {
    ...{ request: /POST/, title: 'POST /orders additive: field added /owner' },
    plant: (each) => ({ ...each, body: { ...(each.body as object), owner: 'ann' } }),
  },
]

function planted(samples: readonly Sample[], request: RegExp, plant: (each: Sample) => Sample): Sample[] {
  return samples.map((each) =>
    request.test(`${each.method} /${each.segments.join('/')}`) ? plant(each) : each,
  )
}

describe('a later session', () => {
  it('shows no drift where only values differ', async () => {
    expect(await findings(record('second', 5000))).toEqual([])
  })

  it.for([...PLANTED, ...OTHERS])(
    'shows just what was changed: $title',
    async ({ title, request, plant }) => {
      expect(await findings(planted(record('second', 5000), request, plant))).toEqual([title])
    },
  )

  it.for([
    ['a member or a header of the request is required now', 400],
    ['what was there is not there any more', 404],
  ] as const)('shows that %s, by requests that are refused (%i)', async ([, status]) => {
    const refuse = (each: Sample): Sample => ({ ...each, status, response: { error: 'x' } })
    const title = 'POST /orders breaking: status not declared'
    expect(await findings(planted(KNOWN, /POST/, refuse))).toEqual([title])
    // Others may be refused for what is wrong with them.
    expect(await findings(planted(record('second', 5000), /POST/, refuse))).toEqual([
      title.replace('breaking', 'warning'),
    ])
  })
})

describe('what a request explains', () => {
  const orders = (id: number): string => `GET /orders/${id}`

  it.for<[string, readonly Sample[], readonly string[]]>([
    [
      'a field that the request left out',
      [
        sample(0, 'POST /orders', {
          status: 201,
          body: { note: 'n' },
          response: without('price')(order(1, 'x')),
        }),
      ],
      ['POST /orders additive: field removed /price', 'POST /orders warning: field removed /price'],
    ],
    [
      'an answer to a parameter that nobody sent before',
      [sample(0, `${orders(1)}?fields=id`, { response: { id: 1 } })],
      [],
    ],
    [
      'an item that was deleted before',
      [
        sample(0, 'DELETE /orders/1000', { status: 204 }),
        sample(1, orders(1000), { status: 404, response: { error: 'none' } }),
      ],
      [],
    ],
    ['an item that nobody read before', [sample(0, orders(77), { status: 404, response: {} })], []],
  ])('breaks no client: %s', async ([, samples]) => {
    const answers = samples.map((each) => ({ ...each, responseHeaders: { 'x-version': '1' } }))
    expect((await findings(answers)).filter((found) => found.includes('breaking'))).toEqual([])
  })
})

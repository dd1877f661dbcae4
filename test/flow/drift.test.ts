import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { request, type IncomingMessage, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { DriftReport } from '../../src/recording/drift/drift-log.ts'
import { createLogger } from '../pipeline/logger.ts'
import { exchangeOf } from '../recording/samples.ts'
import { DESCRIPTION, otherRequests, requestsOf, startDriftUpstream } from './drift-upstream.ts'
import { fetchFrom, gatewayTo, openFolder, openSim, responseTo, send } from './kit.ts'
import { COMMAND, runSim } from './sim-process.ts'

type Step = readonly [string, unknown?]

async function play(url: string, steps: readonly Step[]): Promise<void> {
  for (const [request, body] of steps) {
    const [method = '', path = ''] = request.split(' ')
    await send(method, `${url}${path}`, body)
  }
}

function steps(from: number, count: number): Step[] {
  return Array.from({ length: count }, (_, index) => requestsOf(from + index)).flat()
}

function driftsOf({ routes }: DriftReport): string[] {
  return routes.flatMap(({ route, drifts }) =>
    drifts.map(
      ({ severity, change, part, pointer }) => `${route}: ${severity}: ${change}: ${part} ${pointer}`,
    ),
  )
}

const ORDER = [
  'additive: field added: body /extra',
  'breaking: field removed: body /quantity',
  // One field has another name.
  'breaking: field removed: body /due',
  'additive: field added: body /due_on',
  'breaking: type changed: body /number',
  'warning: new enum value: body /state',
  'breaking: type changed: body /price',
  'breaking: type changed: body /count',
  'warning: constraint broken: body /score',
  'warning: constraint broken: body /stock',
  'breaking: type changed: body /active',
  'breaking: newly null: body /email',
  'warning: constraint broken: body /updated_at',
  'warning: constraint broken: body /ref',
  'breaking: newly null: body /customer/name',
  'additive: field added: body /customer/vip',
  'breaking: type changed: body /customer/address',
  'breaking: field removed: body /lines/-/sku',
  'breaking: type changed: body /tags/-',
  'breaking: type changed: body /parts/-',
  'breaking: type changed: body /labels',
  'breaking: type changed: body /payment/last4',
  'breaking: type changed: body /owner/login',
  'breaking: type changed: body /rates/*',
].map((each) => `GET /orders/{id}: ${each}`)

const OTHERS = [
  'DELETE /orders/{id}: warning: path not declared: path ',
  'GET /export: breaking: content type changed: header /content-type',
  'GET /gone: breaking: status not declared: status ',
  'GET /health: warning: path not declared: path ',
  'GET /jobs/{id}: breaking: status not declared: status ',
  'GET /products: breaking: type changed: body ',
  'GET /products: warning: header removed: header /x-total',
  'GET /search: additive: field added: query /sort',
  'GET /search: warning: field removed: query /q',
  'POST /orders: additive: field added: request-body /coupon',
  'POST /orders: warning: field removed: request-body /product',
  'POST /orders: warning: type changed: request-body /amount',
]

/** What only a description can say, and what only a recording can. */
const BESIDES = {
  'api.json': 'GET /products: warning: header changed: header /x-limit',
  known: 'GET /products: additive: header added: header /x-new',
}

describe.for(['api.json', 'known'] as const)('drift of a server from %s', (against) => {
  const folder = openFolder({ 'api.json': JSON.stringify(DESCRIPTION) })
  beforeAll(async () => {
    const upstream = await startDriftUpstream(false)
    const gateway = await openSim(['proxy', '--upstream', upstream.url, '--record', 'known'], folder.path)
    await play(gateway.url, steps(100, 60))
    await gateway.stop()
  })

  /** Plays to a server through mode diff, which also records. */
  const watch = async (isChanged: boolean, name: string, played: readonly Step[]): Promise<DriftReport> => {
    const upstream = await startDriftUpstream(isChanged)
    const known = against === 'known' ? ['--recording', 'known'] : ['--routes', against]
    const args = ['proxy', '--upstream', upstream.url, '--mode', 'diff', '--record', name, ...known]
    const gateway = await openSim([...args, '--drift-report', `${name}.json`], folder.path)
    await play(gateway.url, played)
    const live: DriftReport = (await fetchFrom(`${gateway.url}/__sim/drift`)).body
    expect(await gateway.stop()).toBe(0)
    const written: unknown = JSON.parse(readFileSync(join(folder.path, `${name}.json`), 'utf8'))
    expect(written).toEqual(live)
    return live
  }

  it('is reported, each of 36 changes by pointer and severity, live and from a recording', async () => {
    const live = await watch(true, 'newer', [...steps(100, 3), ...otherRequests(100)])
    const wanted = [...ORDER, ...OTHERS, BESIDES[against]].toSorted()
    expect(wanted.length - 1).toBe(36)
    expect(driftsOf(live).toSorted()).toEqual(wanted)
    const { code, stdout, stderr } = await runSim(
      ['recordings', 'diff', 'newer', '--against', against, '--json'],
      folder.path,
    )
    expect([code, stderr]).toEqual([1, `newer differs from ${against} in ${wanted.length} ways\n`])
    expect(JSON.parse(stdout)).toEqual(live)
  })

  it('is reported of none of a thousand clean answers', async () => {
    const live = await watch(false, 'clean', steps(1000, 150))
    expect(driftsOf(live)).toEqual([])
    expect(live).toMatchObject({ drifts: 0, exchanges: 1050, skipped: 0, dropped: 0 })
    const { code, stdout } = await runSim(['recordings', 'diff', 'clean', '--against', against], folder.path)
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('GET /orders/{id}: 150 exchanges, no drift\n'),
    ])
  })
})

const model = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT = Buffer.from('{"id": "seven" , "more":[1,2]}')

const start = (listener: RequestListener) =>
  gatewayTo(listener, {
    engine: new SimAPI({ seed: 1 }).get('/users', { output: model }).engine(),
    modes: { mode: 'diff' },
    logger: createLogger([]),
  })

async function get(url: string, method = 'GET'): Promise<IncomingMessage> {
  return responseTo(request(url, { method, agent: false }).end())
}

const coded =
  (coding: string, body: Buffer | string): RequestListener =>
  (_, answer) =>
    answer.writeHead(200, { ...JSON_TYPE, 'content-encoding': coding }).end(body)

it.for<[string, RequestListener, string?]>([
  ['JSON as it was written', (_, answer) => answer.writeHead(200, JSON_TYPE).end(TEXT)],
  ['gzip', coded('gzip', gzipSync(TEXT))],
  ['br', coded('br', brotliCompressSync(TEXT))],
  ['a broken coding', coded('gzip', 'no')],
  ['broken JSON', (_, answer) => answer.writeHead(200, JSON_TYPE).end('{"id":')],
  ['5 MiB', (_, answer) => answer.writeHead(200, JSON_TYPE).end(Buffer.alloc(5 * 1024 * 1024, ' '))],
  ['bytes', (_, answer) => answer.writeHead(200).end(Buffer.from([0, 255, 128]))],
  ['nothing', (_, answer) => answer.writeHead(204).end()],
  ['a head', (_, answer) => answer.writeHead(200, { ...JSON_TYPE, 'content-length': '7' }).end(), 'HEAD'],
  [
    'trailers',
    (_, answer) => answer.writeHead(200, { ...JSON_TYPE, trailer: 'x-sum' }).addTrailers({ 'x-sum': '1' }),
  ],
])('mode diff leaves an answer as it is: %s', async ([name, respond, method]) => {
  const { url, upstream } = await start((incoming, answer) => {
    respond(incoming, answer)
    if (name === 'trailers') answer.end('{}')
  })
  const direct = await get(`${upstream.url}/users`, method)
  const through = await get(`${url}/users`, method)
  const [wanted, body] = [await buffer(direct), await buffer(through)]
  expect(body.equals(wanted)).toBe(true)
  expect([through.statusCode, through.trailers]).toEqual([direct.statusCode, direct.trailers])
  for (const header of ['content-type', 'content-encoding', 'content-length'])
    expect([header, through.headers[header]]).toEqual([header, direct.headers[header]])
})

it('mode diff passes on at once what arrives', async () => {
  let end = (): void => undefined
  const { url } = await start((_request, answer) => {
    answer.writeHead(200, JSON_TYPE).write('{"id":')
    end = () => answer.end('7}')
  })
  const answer = await get(`${url}/users`)
  const [first] = (await once(answer, 'data')) as [Buffer]
  expect(first.toString()).toBe('{"id":')
  end()
  expect((await buffer(answer)).toString()).toBe('7}')
  expect((await fetchFrom(`${url}/__sim/drift`)).body).toMatchObject({ exchanges: 1, drifts: 0 })
})

const EXCHANGES = 6000
const HEAP_MEGABYTES = 64

/** Lines of about 12 KiB, each with names that no other has. */
function* lines(): Generator<string> {
  for (let id = 0; id < EXCHANGES; id++) {
    const rates = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`r${id}-${index}`, index]))
    const notes = Array.from({ length: 26 }, (_, index) => `${id} ${index} ${'n'.repeat(400)}`)
    const exchange = exchangeOf({
      url: `https://api.example.com/orders/${id}`,
      responseHeaders: [['content-type', 'application/json']],
      responseBody: JSON.stringify({ id, rates, notes }),
    })
    yield `${JSON.stringify(exchange)}\n`
  }
}

it('compares a recording larger than its memory with itself', async () => {
  const folder = openFolder({ 'bodies/.keep': '' }).path
  const file = createWriteStream(join(folder, 'exchanges.ndjson'))
  await pipeline(Readable.from(lines()), file)
  expect(file.bytesWritten).toBeGreaterThan(HEAP_MEGABYTES * 1024 * 1024)
  const heap = `--max-old-space-size=${HEAP_MEGABYTES}`
  const args = [heap, COMMAND, 'recordings', 'diff', folder, '--against', folder]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe(`GET /orders/{id}: ${EXCHANGES} exchanges, no drift\n`)
  expect(stderr).toContain(`compared ${EXCHANGES} exchanges`)
})

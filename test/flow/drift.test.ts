import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DriftReport } from '../../src/recording/drift/drift-log.ts'
import { DESCRIPTION, otherRequests, requestsOf, startDriftUpstream } from './drift-upstream.ts'
import { runSim, startSim } from './sim-process.ts'

type Step = readonly [string, unknown?]

async function play(url: string, steps: readonly Step[]): Promise<void> {
  for (const [request, body] of steps) {
    const [method = '', path = ''] = request.split(' ')
    const sent = body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    await (await fetch(`${url}${path}`, { method, ...sent })).arrayBuffer()
  }
}

function steps(from: number, count: number): Step[] {
  return Array.from({ length: count }, (_, index) => requestsOf(from + index)).flat()
}

function told({ routes }: DriftReport): string[] {
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
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sim-drift-'))
    await writeFile(join(folder, 'api.json'), JSON.stringify(DESCRIPTION))
    const upstream = await startDriftUpstream(false)
    const gateway = await startSim(['proxy', '--upstream', upstream.url, '--record', 'known'], folder)
    await play(gateway.url, steps(100, 60))
    await gateway.stop()
    await upstream.close()
  }, 60_000)
  afterAll(() => rm(folder, { recursive: true }))

  /** Plays to a server through mode diff, which also records. */
  const watch = async (isChanged: boolean, name: string, asked: readonly Step[]): Promise<DriftReport> => {
    const upstream = await startDriftUpstream(isChanged)
    const known = against === 'known' ? ['--recording', 'known'] : ['--routes', against]
    const args = ['proxy', '--upstream', upstream.url, '--mode', 'diff', '--record', name, ...known]
    const gateway = await startSim([...args, '--drift-report', `${name}.json`], folder)
    await play(gateway.url, asked)
    const live = (await (await fetch(`${gateway.url}/__sim/drift`)).json()) as DriftReport
    expect(await gateway.stop()).toBe(0)
    await upstream.close()
    const written = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as unknown
    expect(written).toEqual(live)
    return live
  }

  it(
    'is told, each of 36 changes by pointer and severity, live and from a recording',
    { timeout: 60_000 },
    async () => {
      const live = await watch(true, 'newer', [...steps(100, 3), ...otherRequests(100)])
      const wanted = [...ORDER, ...OTHERS, BESIDES[against]].toSorted()
      expect(wanted.length - 1).toBe(36)
      expect(told(live).toSorted()).toEqual(wanted)
      const { code, stdout, stderr } = await runSim(
        ['recordings', 'diff', 'newer', '--against', against, '--json'],
        folder,
      )
      expect([code, stderr]).toEqual([1, `newer differs from ${against} in ${wanted.length} ways\n`])
      expect(JSON.parse(stdout)).toEqual(live)
    },
  )

  it('is told of none of a thousand clean answers', { timeout: 60_000 }, async () => {
    const live = await watch(false, 'clean', steps(1000, 150))
    expect(told(live)).toEqual([])
    expect(live).toMatchObject({ drifts: 0, exchanges: 1050, skipped: 0, dropped: 0 })
    const { code, stdout } = await runSim(['recordings', 'diff', 'clean', '--against', against], folder)
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('GET /orders/{id}: 150 exchanges, no drift\n'),
    ])
  })
})

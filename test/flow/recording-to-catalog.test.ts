import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, recordedSession, unseenSession, type Client, type Seen } from './catalog-session.ts'
import { startCatalogUpstream } from './catalog-upstream.ts'
import { shapeOf } from './shape-of.ts'
import { runSim, startSim, type SimResult } from './sim-process.ts'

/** What is to be alike; what a failure says is no part of what it means, and neither is the text of a token. */
function kindOf({ request, status, type, location, links, total, body }: Seen): unknown {
  const isOk = status < 400
  return {
    request: request.replace(/cursor=[^&]+/, 'cursor='),
    status,
    links,
    total,
    ...(isOk && { type, location, body: type === 'application/json' ? shapeOf(body) : body }),
  }
}

// Cursors are the server's own.
function withoutCursor(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body ?? null, (key, value: unknown) => (key === 'next_cursor' ? 0 : value)),
  )
}

describe('a recording of pages, kinds, files and creations, made into routes', () => {
  let folder: string
  let made: SimResult
  let live: readonly Seen[]
  let liveUnseen: readonly Seen[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sim-recording-to-catalog-'))
    const upstream = await startCatalogUpstream()
    const gateway = await startSim(['proxy', '--upstream', upstream.url, '--record', 'recorded'], folder)
    const client = createClient(gateway.url)
    await recordedSession(client)
    live = client.seen
    await gateway.stop()
    await upstream.close()
    const again = await startCatalogUpstream()
    const other = createClient(again.url)
    await unseenSession(other)
    liveUnseen = other.seen
    await again.close()
    made = await runSim(['fixtures', 'from', 'recorded', '-o', 'mock'], folder)
  }, 60_000)
  afterAll(() => rm(folder, { recursive: true }))

  const simulate = async (session: (client: Client) => Promise<void>): Promise<readonly Seen[]> => {
    const simulated = await startSim(['run', 'mock/routes.yaml', '--seed', '3'], folder)
    const client = createClient(simulated.url)
    await session(client)
    expect(await simulated.stop()).toBe(0)
    return client.seen
  }

  it('passes validation, as routes and as a description', async () => {
    expect([made.code, made.stderr]).toEqual([0, ''])
    for (const target of ['mock/routes.yaml', 'mock/openapi.yaml']) {
      const { code, stdout, stderr } = await runSim(['validate', target], folder)
      expect(`${code} ${stdout} ${stderr}`).toMatch(/^0 OK: 16 routes, \d+ links\n $/)
    }
  })

  it('answers the recorded session as the server did: statuses, types, headers, files and pages', async () => {
    const simulated = await simulate(recordedSession)
    // Ids that are made differ, and so do the addresses that hold them.
    const plain = (seen: Seen): unknown =>
      JSON.parse(JSON.stringify(kindOf(seen)).replace(/(\/(orders|go))\/\d+/g, '$1/0'))
    expect(simulated.map(plain)).toEqual(live.map(plain))
    for (const [index, { request, body, status }] of live.entries()) {
      if (status >= 300 || /orders/.test(request)) continue
      expect({ request, body: withoutCursor(simulated[index]?.body) }).toEqual({
        request,
        body: withoutCursor(body),
      })
    }
  })

  it('answers most of a session that it never saw as the server did', async () => {
    const simulated = await simulate(unseenSession)
    const plain = (seen: Seen | undefined): string =>
      seen === undefined ? '' : JSON.stringify(kindOf(seen)).replace(/(\/(orders|go))\/\d+/g, '$1/0')
    const differing = liveUnseen.filter((seen, index) => plain(seen) !== plain(simulated[index]))
    const count = liveUnseen.length - differing.length
    process.stdout.write(
      `unseen session of a catalog: ${count} of ${liveUnseen.length} answered as the server did` +
        `${differing.map(({ request }) => `, not ${request}`).join('')}\n`,
    )
    expect(simulated.length).toBe(liveUnseen.length)
    expect(count / liveUnseen.length).toBeGreaterThanOrEqual(0.9)
  })

  it('describes them so that the description serves the same files and reports', async () => {
    const described = await startSim(['run', 'mock/openapi.yaml', '--seed', '3'], folder)
    const client = createClient(described.url)
    for (const request of ['GET /logo.png', 'GET /v1/products.csv', 'GET /v1/reports/stock']) {
      const { type, body } = live.find((seen) => seen.request === request) as Seen
      expect(await client.ask(request)).toMatchObject({ request, type, body })
    }
    await described.stop()
  })

  it('gives out addresses that lead to what was created', async () => {
    const simulated = await startSim(['run', 'mock/routes.yaml', '--seed', '3'], folder)
    const client = createClient(simulated.url)
    const { location, body } = await client.ask('POST /v1/orders', { product: 'p-4', quantity: 4 })
    expect((await client.ask(`GET ${location}`)).body).toEqual(body)
    await simulated.stop()
  })

  it('reports pages, answers from fixtures and what HEAD is answered by', async () => {
    const report = await readFile(join(folder, 'mock/REPORT.md'), 'utf8')
    expect(report).toContain('| `GET /v1/products` | `page`, `per_page` |')
    expect(report).toContain('| `GET /v1/events` | `cursor`, `limit` |')
    expect(report).toContain('| `GET /v1/reports/{kind}` | path `kind` | 3 |')
    expect(report).toContain('| `GET /v1/labels` | query `lang` | 2 |')
    expect(report).toContain('text/csv')
    expect(report).toContain('1 exchanges left out: HEAD, which the route of GET answers')
  })
})

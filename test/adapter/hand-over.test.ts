import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdapter, type Adapter, type AdapterConfig, type AdapterDefinition } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { adapter as ontology } from '../../adapters/ontology/src/adapter.ts'
import { adapter as workspace } from '../../adapters/workspace/src/adapter.ts'
import type { OwnedState } from '../../src/state/world.ts'
import { notes } from './notes-adapter.ts'

interface Sent {
  readonly url: string
  readonly method?: string
  readonly body?: unknown
}

const ADAPTERS = join(import.meta.dirname, '../../adapters')

/** The requests of the contracts that an adapter is held to. */
function contracts(name: string, base = ''): [string, readonly Sent[]][] {
  const folder = join(ADAPTERS, name, 'test/golden')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const exchanges = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
        request: Sent & { path?: string }
      }[]
      const sent = exchanges.map(({ request }) => ({
        ...request,
        url: base + (request.path ?? request.url),
      }))
      return [file, sent]
    })
}

/** A text of all that a client sees. */
async function answerTo(adapter: Adapter<unknown>, { url, method, body }: Sent): Promise<string> {
  const response = await adapter.fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { authorization: 'Bearer some-token', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return JSON.stringify([response.status, [...response.headers], await response.text()])
}

/** An adapter whose session another can go on with. */
function sharedAdapter(create: () => Adapter<unknown>): { adapter: Adapter<unknown>; world: OwnedState } {
  const adapter = create()
  adapter.share?.('family', (token) => `digest of ${token}`)
  const exchange = { headers: { authorization: 'Bearer some-token' } } as never
  return { adapter, world: adapter.worldOf?.(exchange) as OwnedState }
}

/** What is kept between gateways. */
interface Kept {
  snapshot: string | undefined
  entries: string[]
  counts: string
}

function keep(kept: Kept, world: OwnedState): void {
  const { entries, since } = world.take()
  if (since === 'beginning') Object.assign(kept, { snapshot: undefined, entries: [] })
  if (since === 'now') Object.assign(kept, { snapshot: world.snapshot(), entries: [] })
  else kept.entries.push(...entries)
  kept.counts = world.counts()
}

async function open(create: () => Adapter<unknown>, kept: Kept) {
  const opened = sharedAdapter(create)
  const { world } = opened
  await world.begin({ confirm: async () => undefined })
  if (kept.snapshot !== undefined) world.restore(kept.snapshot)
  for (const entry of kept.entries) await world.redo(entry)
  if (kept.counts !== '') world.setCounts(kept.counts)
  return opened
}

/** Compares an adapter with a row of them, each of which goes on where the one before it ended. */
async function compare(create: () => Adapter<unknown>, steps: readonly Sent[], turns = 3): Promise<number> {
  const alone = create()
  const kept: Kept = { snapshot: undefined, entries: [], counts: '' }
  let current = await open(create, kept)
  let handed = 0
  for (const [index, step] of steps.entries()) {
    expect(await answerTo(current.adapter, step)).toBe(await answerTo(alone, step))
    keep(kept, current.world)
    if (index % turns !== turns - 1) continue
    // Now by doing all again, now by a snapshot.
    if (handed++ % 2 === 1) Object.assign(kept, { snapshot: current.world.snapshot(), entries: [] })
    current.adapter.close()
    current = await open(create, kept)
  }
  for (const each of [current.adapter, alone]) each.close()
  return handed
}

function creator<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
  config: object = {},
): () => Adapter<unknown> {
  return () => createAdapter(definition, config as Config)
}

const advance = (advanceMs: number): Sent => ({ url: '/__sim/clock', body: { advanceMs } })
/** With the clock moved on after each second request. */
const withTime = (steps: readonly Sent[]): Sent[] =>
  steps.flatMap((step, index) => (index % 2 === 1 ? [step, advance(40_000)] : [step]))

describe('an adapter that goes on where another ended', () => {
  const faults = [
    { operation: '*.get', status: 503, skip: 1, times: 2 },
    { status: 500, rate: 0.2 },
  ]
  const drives = (by: string) =>
    Object.fromEntries(
      ['clusters', 'libraries', 'runs', 'statements', 'warehouses'].map((kind) => [
        kind,
        { by, ...(by === 'reads' && { intermediateReads: 2 }) },
      ]),
    )

  const longer = contracts('workspace').filter(([, { length }]) => length >= 6)
  it.for(longer)('answers as one does: workspace, %s', async ([, steps]) => {
    const lifecycle = drives('reads')
    expect(await compare(creator(workspace, { lifecycle }), steps, 6)).toBeGreaterThan(0)
    await compare(creator(workspace, { lifecycle: drives('time'), isolate: 'token' }), withTime(steps), 14)
  })

  it('answers as one does: ontology', async () => {
    const steps = contracts('ontology', '/api/v2/ontologies').flatMap(([, each]) => each)
    expect(steps.length).toBeGreaterThan(50)
    await compare(creator(ontology, { isolate: 'token' }), withTime(steps), 20)
  })

  it('counts requests, limits and faults on', async () => {
    const put = (text: string): Sent => ({ method: 'PUT', url: '/v1/notes/a', body: { text } })
    const get: Sent = { url: '/v1/notes' }
    const steps = [get, put('1'), get, advance(30_000), put('2'), get, { url: '/nowhere' }, advance(31_000)]
    const rateLimit = [
      { requests: 3, windowSeconds: 60 },
      { requests: 2, windowSeconds: 60, operation: 'put*' },
    ]
    const config = { faults, rateLimit }
    for (const turns of [1, 2, 3])
      await compare(creator(notes, config), [...steps, ...steps, ...steps, ...steps], turns)
  })

  it('is put back, and to snapshots, as one is', async () => {
    const adapter = createAdapter(notes)
    const snapshot = adapter.snapshot()
    const put = (id: string): Sent => ({ method: 'PUT', url: `/v1/notes/${id}`, body: { text: id } })
    const list: Sent = { url: '/v1/notes' }
    const steps = [
      ...[put('x'), list, { url: '/__sim/reset', body: {} }, list, put('y'), advance(5)],
      ...[{ url: '/__sim/snapshot', body: snapshot }, list, put('z'), list],
      { method: 'PUT', url: '/__sim/faults', body: { status: 418, times: 2 } },
      ...[list, list, list, { method: 'DELETE', url: '/__sim/faults' }, list],
    ]
    for (const turns of [1, 2]) await compare(creator(notes), steps, turns)
    await compare(creator(notes, { stateful: false }), steps, 1)
  })

  it('has the time that passed while nobody had it', async () => {
    const create = creator(notes, { clock: 'running' })
    const first = sharedAdapter(create)
    await answerTo(first.adapter, { url: '/v1/status' })
    const { entries } = first.world.take()
    const kept = { snapshot: undefined, entries: [...entries], counts: first.world.counts() }
    const { at, ...counts } = JSON.parse(kept.counts) as { at: number }
    const second = await open(create, { ...kept, counts: JSON.stringify({ at: at - 60_000, ...counts }) })
    await answerTo(second.adapter, { url: '/v1/status' })
    const passed = second.adapter.clock.now() - first.adapter.clock.now()
    expect(passed).toBeGreaterThanOrEqual(60_000)
    expect(passed).toBeLessThan(90_000)
  })
})

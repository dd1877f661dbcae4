import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { figureOf, rowOf, type Row } from '../harness/figures.ts'
import { sim } from '../harness/commands.ts'
import { settings } from '../harness/settings.ts'
import { startServer } from '../harness/server.ts'
import type { Suite } from './suite.ts'

const [RECORDED, SERVED, CLIENTS] = [3000, 5000, 8]
const PATHS = ['/quick', '/cached/7', '/report']

/** How routes that were learned from a recording answer, against what was recorded. */
export const asRecorded: Suite = {
  name: 'as-recorded',
  describe: 'latencies and errors of learned routes against those that were recorded',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'sim-bench-learned-'))
    const real = await startReal()
    try {
      const recording = join(folder, 'recording')
      const upstream = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
      const recorded = await through(RECORDED, 'proxy', '--upstream', upstream, '--record', recording)
      const main = resolve(settings.build, 'dist/src/cli/main.js')
      const flags = ['-o', join(folder, 'mock'), '--as-recorded']
      await promisify(execFile)(process.execPath, [main, 'fixtures', 'from', recording, ...flags])
      const served = await through(SERVED, 'run', join(folder, 'mock', 'routes.yaml'), '--seed', '1')
      return PATHS.flatMap((path) => rowsOf(path, recorded.get(path) ?? NONE, served.get(path) ?? NONE))
    } finally {
      real.close()
      await rm(folder, { recursive: true })
    }
  },
}

interface Seen {
  readonly whole: number[]
  readonly firstByte: number[]
  failed: number
}

const NONE: Seen = { whole: [], firstByte: [], failed: 0 }

function rowsOf(path: string, recorded: Seen, served: Seen): readonly Row[] {
  const off = (what: string, ours: number, theirs: number, allowed: number, unit: string): Row =>
    rowOf({
      ...{ work: `${path}: ${what} ${theirs.toFixed(1)} ${unit}, served ${ours.toFixed(1)}`, unit },
      ...{ contender: 'may be', target: { atMost: 1 } },
      ...{ ours: figureOf([Math.abs(ours - theirs)]), theirs: figureOf([allowed]) },
    })
  const percentile = (values: readonly number[], percent: number): number =>
    values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? NaN
  const share = ({ failed, whole }: Seen): number => (100 * failed) / whole.length
  return [
    ...[50, 95, 99].map((percent) => {
      const [ours, theirs] = [percentile(served.whole, percent), percentile(recorded.whole, percent)]
      return off(`p${percent}`, ours, theirs, Math.max(5, theirs * 0.15), 'ms')
    }),
    off(
      'p50 to the first byte',
      percentile(served.firstByte, 50),
      percentile(recorded.firstByte, 50),
      5,
      'ms',
    ),
    off('failed', share(served), share(recorded), 1, '%'),
  ]
}

async function through(count: number, ...args: readonly string[]): Promise<ReadonlyMap<string, Seen>> {
  const server = await startServer(sim('sim', ...args))
  try {
    const seen = new Map(PATHS.map((path): [string, Seen] => [path, { whole: [], firstByte: [], failed: 0 }]))
    let left = count
    const client = async (): Promise<void> => {
      while (left-- > 0) for (const [path, own] of seen) await ask(`${server.url}${path}`, own)
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    return seen
  } finally {
    await server.stop()
  }
}

async function ask(url: string, seen: Seen): Promise<void> {
  const began = performance.now()
  const response = await fetch(url)
  seen.firstByte.push(performance.now() - began)
  await response.arrayBuffer()
  seen.whole.push(performance.now() - began)
  if (response.status >= 500) seen.failed++
}

/** A server whose paths are slow and fail in ways of their own. */
async function startReal(): Promise<Server> {
  const server = createServer((request, response) => {
    const json = (status: number, value: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const later = async (): Promise<void> => {
      if (request.url === '/quick') {
        await wait(2 + Math.random() * 6)
        return json(200, { ok: true })
      }
      if (request.url === '/cached/7') {
        const isKept = Math.random() < 0.8
        await wait(isKept ? 4 : 60 + Math.random() * 40)
        return Math.random() < 0.08 ? json(503, { error: 'busy' }) : json(200, { id: 7, name: 'tea' })
      }
      // Half of the time passes while the body is sent.
      await wait(20)
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': 20_000 })
      response.write('x'.repeat(10_000))
      await wait(20 + Math.random() * 20)
      response.end('y'.repeat(10_000))
    }
    void later()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serverFile, simOf } from './harness/commands.ts'
import { markdownOf } from './harness/figures.ts'
import type { LoadRequest } from './harness/load.ts'
import { startServer, type RunningServer, type ServerCommand } from './harness/server.ts'
import { settings } from './harness/settings.ts'
import { isWanted, type Surroundings } from './harness/work.ts'
import { NEVER_KEPT, withRow } from './suites/against-fastify.ts'
import { WORKS } from './suites/works.ts'

/** A request whose way through the sources is followed, and how long that may be. */
interface Way {
  readonly name: string
  readonly describe: string
  readonly request: LoadRequest
  ours(build: string, name: string, surroundings: Surroundings): ServerCommand | Promise<ServerCommand>
  readonly maxFiles?: number
  readonly maxFunctions?: number
  /** Files more than the same GET without options. */
  readonly maxMoreFiles?: number
}

/** A function that ran. */
interface Call {
  readonly url: string
  readonly name: string
  readonly at: number
  readonly count: number
}

interface Trace {
  readonly way: Way
  readonly own: readonly Call[]
  readonly libraries: readonly Call[]
}

const WARM_UPS = 6
const SAMPLES = 3
/** Until what follows an answer is done, such as writing a recording. */
const SETTLE_MS = 400
const PLAIN = 'plain'
const MAXIMA: Readonly<Record<string, Pick<Way, 'maxFiles' | 'maxFunctions' | 'maxMoreFiles'>>> = {
  ...Object.fromEntries(
    ['bearer', 'rate-limit', 'error-rate', 'latency-rule', 'session'].map((name) => [
      name,
      { maxMoreFiles: 3 },
    ]),
  ),
  forward: { maxFiles: 28 },
}
const FOLLOWED = [
  ...[PLAIN, 'list', 'bearer', 'rate-limit', 'error-rate', 'latency-rule', 'session', 'post', 'all'],
  ...['create', 'read', 'patch', 'page', 'openapi', 'forward', 'forward-chaos'],
]
const WAYS: readonly Way[] = [
  {
    name: 'get',
    describe: 'one generated object',
    request: { path: '/user' },
    ours: (build, name) =>
      withRow(simOf(build, name, 'run', serverFile('sim-options.mjs'), ...NEVER_KEPT), 'bare'),
    ...{ maxFiles: 20, maxFunctions: 60 },
  },
  ...FOLLOWED.flatMap((name) => WORKS.filter((work) => work.name === name)).map((work) => ({
    ...work,
    ...MAXIMA[work.name],
  })),
  {
    name: 'record-post',
    describe: 'a POST with JSON that is forwarded and recorded',
    request: {
      ...{ method: 'POST', path: '/orders', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ item: 'engine', access_token: 'secret-of-a-client' }),
    },
    ours: async (build, name, { folder, upstream }) =>
      simOf(build, name, 'proxy', '--upstream', await upstream(), '--record', join(folder, 'recording')),
    maxFiles: 45,
  },
]
const HELP = `npm run structure --prefix bench [-- --row <name>]... [--build <folder>] [--show]

Follows one request through the built sources, by what V8 counts, and prints how many files and functions of ours it
runs. --show lists them.

Rows: ${WAYS.map(({ name }) => name).join(', ')}
`
const unknown = settings.rows.filter((row) => !WAYS.some(({ name }) => name === row))
if (settings.needsHelp || unknown.length > 0) {
  process[settings.needsHelp ? 'stdout' : 'stderr'].write(HELP)
  process.exit(settings.needsHelp ? 0 : 2)
}

const upstream = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 7, refresh_token: 'secret-of-a-server' }))
  })
})
await once(upstream.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

const traces: Trace[] = []
// What an option adds is counted from the GET without any.
for (const way of WAYS.filter((each) => isWanted(each) || each.name === PLAIN)) traces.push(await follow(way))
upstream.closeAllConnections()
upstream.close()

const plainFiles = filesOf(traces.find(({ way }) => way.name === PLAIN)?.own ?? []).size
const shown = traces.filter(({ way }) => isWanted(way))
process.stdout.write(
  markdownOf(['Request', 'files', 'functions', 'calls', 'of libraries', 'at most'], shown.map(lineOf)),
)
if (settings.shows) for (const trace of shown) process.stdout.write(listOf(trace))

async function follow(way: Way): Promise<Trace> {
  const folder = await mkdtemp(join(tmpdir(), 'sim-structure-'))
  const coverage = join(folder, 'coverage.json')
  try {
    const redis = (): Promise<never> => Promise.reject(new Error('No way is followed into a shared state'))
    const command = await way.ours(settings.build, way.name, { folder, redis, upstream: async () => url })
    const server = await startServer({
      ...command,
      core: null,
      args: ['--import', serverFile('coverage.mjs'), ...command.args],
      env: { ...command.env, BENCH_COVERAGE: coverage },
    })
    try {
      return traceOf(way, await callsOf(server, way.request, coverage))
    } finally {
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

// Of some samples the one with the fewest functions, since timers may run beside a request.
async function callsOf(
  server: RunningServer,
  request: LoadRequest,
  coverage: string,
): Promise<readonly Call[]> {
  for (let times = 0; times < WARM_UPS; times++) await send(server.url, request)
  const samples: (readonly Call[])[] = []
  for (let times = 0; times < SAMPLES; times++) {
    await wait(SETTLE_MS)
    await take(server, coverage)
    await send(server.url, request)
    await wait(SETTLE_MS)
    samples.push(await take(server, coverage))
  }
  return samples.toSorted((a, b) => a.length - b.length)[0] ?? []
}

async function send(base: string, { method = 'GET', path, headers = {}, body }: LoadRequest): Promise<void> {
  const answer = await fetch(base + path, { method, headers, ...(body !== undefined && { body }) })
  await answer.arrayBuffer()
}

async function take({ pid }: RunningServer, coverage: string): Promise<readonly Call[]> {
  await rm(coverage, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    try {
      return JSON.parse(await readFile(coverage, 'utf8')) as Call[]
    } catch {
      await wait(5)
    }
  }
}

function traceOf(way: Way, calls: readonly Call[]): Trace {
  const isOwn = ({ url }: Call): boolean => /\/dist\/(src|plugins)\//.test(url)
  return {
    way,
    own: calls.filter(isOwn),
    libraries: calls.filter((call) => call.url.includes('/node_modules/')),
  }
}

function filesOf(calls: readonly Call[]): Set<string> {
  return new Set(calls.map(({ url }) => url))
}

function lineOf({ way, own, libraries }: Trace): readonly string[] {
  const files = filesOf(own).size
  const { maxFiles, maxFunctions, maxMoreFiles } = way
  const most = maxMoreFiles === undefined ? maxFiles : plainFiles + maxMoreFiles
  const isShort = (most ?? files) >= files && (maxFunctions ?? own.length) >= own.length
  const bar = [
    ...(most === undefined ? [] : [`${most} files`]),
    ...(maxFunctions === undefined ? [] : [`${maxFunctions} functions`]),
  ]
  return [
    ...[way.describe, String(files), String(own.length)],
    String(own.reduce((sum, { count }) => sum + count, 0)),
    `${filesOf(libraries).size} files, ${libraries.length} functions`,
    bar.length === 0 ? '' : `${bar.join(', ')} ${isShort ? '✓' : '✗'}`,
  ]
}

function listOf({ way, own }: Trace): string {
  const lines = [...filesOf(own)].toSorted().map((url) => {
    const calls = own.filter((call) => call.url === url)
    const names = calls.map(({ name, count }) => `${name || 'anonymous'}${count > 1 ? ` ×${count}` : ''}`)
    return `  ${relative(join(settings.build, 'dist'), fileURLToPath(url))}: ${names.join(', ')}`
  })
  return `\n${way.describe}\n${lines.join('\n')}\n`
}

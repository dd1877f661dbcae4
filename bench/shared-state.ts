// What a shared state bears and how soon others know, at a million items: npm run bench:shared-state
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { serverFile, simOf } from './harness/commands.ts'
import { median } from './harness/figures.ts'
import { startRedis } from './harness/redis.ts'
import { startServer, type RunningServer } from './harness/server.ts'
import { CONSTANT } from './servers/model.mjs'

const ITEMS = Number(process.argv[2] ?? 1_000_000)
const BUILD = resolve(import.meta.dirname, '..')
const NAME = 'bench'
const TURNS = 20
const REST_MS = 5
const PIECE_CHARS = 1_000_000

const folder = await mkdtemp(join(tmpdir(), 'sim-shared-state-'))
const redis = await startRedis(folder)
const gateways = await Promise.all(['one', 'other'].map(startGateway))
const [one, other] = gateways as [RunningServer, RunningServer]
try {
  const file = join(folder, 'items.json')
  await writeItems(file)
  const server = ['--state', redis.url, '--name', NAME]
  await row('restore', 15_000, () => sim('restore', file, ...server, '--quiet'))
  await row('snapshot', 15_000, () => sim('snapshot', '-o', join(folder, 'saved.json'), ...server, '--quiet'))
  const change = () => ask(one, 'PUT', '/__sim/chaos', { rules: [] })
  say('the first change in force', 25, await timed(change))
  say('a later change in force', 25, await slowest(change))
  for (let turn = 0; turn < TURNS; turn++) await ask(other, 'GET', `/users/${turn + 1}`)
  const wanted = { requests: [{ path: '/users/7' }] }
  say('verify', 50, await slowest(() => ask(one, 'POST', '/__sim/verify', wanted)))
  await row('reset', 50, () => ask(one, 'POST', '/__sim/reset'))
} finally {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await redis.stop()
  await rm(folder, { recursive: true })
}

async function startGateway(name: string): Promise<RunningServer> {
  const state = ['--state', redis.url, '--state-name', NAME, '--state-gateway', name]
  const command = simOf(BUILD, `gateway ${name}`, 'run', serverFile('sim-options.mjs'), ...state)
  return startServer({ ...command, env: { BENCH_BUILD: BUILD, BENCH_ROW: 'stateful' } })
}

async function writeItems(path: string): Promise<void> {
  const file = await open(path, 'w')
  let text = `{"version":1,"collections":{"/users":{"assigned":${ITEMS},"items":[`
  for (let id = 1; id <= ITEMS; id++) {
    text += `${id === 1 ? '' : ','}\n${JSON.stringify([String(id), { ...CONSTANT, id }])}`
    if (text.length < PIECE_CHARS) continue
    await file.write(text)
    text = ''
  }
  await file.write(`${text}]}}}\n`)
  await file.close()
}

async function sim(...args: readonly string[]): Promise<void> {
  const main = join(BUILD, 'dist/src/cli/main.js')
  const child = spawn(process.execPath, [main, 'state', ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`sim state ${args[0]} ended with ${code}`)
}

async function ask(server: RunningServer, method: string, path: string, body?: unknown): Promise<void> {
  const content = body !== undefined && {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(server.url + path, { method, ...content })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function slowest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn++) times.push(await timed(work))
  return Math.max(...times)
}

/** How long something takes, and how long items are read for meanwhile at most. */
async function row(name: string, bar: number, work: () => Promise<unknown>): Promise<void> {
  const end = new AbortController()
  const reads: number[] = []
  const reading = (async () => {
    while (!end.signal.aborted) {
      reads.push(await timed(() => ask(other, 'GET', '/users/500')))
      await wait(REST_MS)
    }
  })()
  const took = await timed(work).finally(() => end.abort())
  await reading
  say(name, bar, took)
  say(
    `  slowest of ${reads.length} reads meanwhile (median ${median(reads).toFixed(1)} ms)`,
    50,
    Math.max(...reads),
  )
}

function say(name: string, bar: number, ms: number): void {
  process.stdout.write(`${name}: ${ms.toFixed(1)} ms, ${ms <= bar ? 'within' : 'OVER'} ${bar} ms\n`)
}

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installed } from './commands.ts'

const run = promisify(execFile)

/** The request that is repeated. */
export interface LoadRequest {
  readonly method?: string
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Which of the answers are errors, where those belong to the work. */
  readonly errors?: 'some' | 'all'
}

/** What a server bore for a while. */
export interface Load {
  readonly requests: number
  readonly requestsPerSecond: number
  /** The 99th percentile, in milliseconds. */
  readonly p99Ms: number
  /** How much of a core the load generator itself took. */
  readonly cores: number
}

const CONNECTIONS = 32
const CORE = '1'

let hasWrk: Promise<boolean> | undefined

/**
 * Repeats one request over 32 connections from a core of its own: by wrk where it is installed, else by autocannon.
 * @throws Error when an answer is not a success
 */
export async function load(base: string, request: LoadRequest, seconds: number): Promise<Load> {
  hasWrk ??= run('wrk', ['-v']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  const [began, used] = [performance.now(), childrenSeconds()]
  const sent = (await hasWrk)
    ? await byWrk(base, request, seconds)
    : await byAutocannon(base, request, seconds)
  return { ...sent, cores: (childrenSeconds() - used) / ((performance.now() - began) / 1000) }
}

/** Seconds of CPU of the processes that this one started and that have ended. */
function childrenSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const TICKS_PER_SECOND = 100
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

type Sent = Omit<Load, 'cores'>

async function byWrk(base: string, request: LoadRequest, seconds: number): Promise<Sent> {
  const { path, errors } = request
  const folder = await mkdtemp(join(tmpdir(), 'sim-bench-wrk-'))
  try {
    const file = join(folder, 'request.lua')
    await writeFile(file, luaOf(request))
    const shape = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}`, '--timeout', '10', '--latency', '-s', file]
    const { stdout } = await run('taskset', ['-c', CORE, 'wrk', ...shape, base + path])
    // Some servers close each connection after an answer, which wrk counts as an error of reading.
    if (/connect [1-9]|timeout [1-9]/.test(stdout) || (errors === undefined && stdout.includes('Non-2xx')))
      throw new Error(`${base}${path}: ${stdout}`)
    const [, requests = ''] = /(\d+) requests in/.exec(stdout) ?? []
    const [, rate = ''] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
    const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
    const MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }
    return {
      requests: Number(requests),
      requestsPerSecond: Number(rate),
      p99Ms: Number(p99) * (MS[unit] ?? 1),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

// JSON texts without control characters are Lua texts too.
function luaOf({ method = 'GET', headers = {}, body }: LoadRequest): string {
  return [
    `wrk.method = ${JSON.stringify(method)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    ...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`]),
    '',
  ].join('\n')
}

async function byAutocannon(base: string, request: LoadRequest, seconds: number): Promise<Sent> {
  const { method = 'GET', path, headers = {}, body } = request
  const command = [process.execPath, installed('autocannon/autocannon.js'), '--json', '-m', method]
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const { stdout } = await run('taskset', [
    ...['-c', CORE, ...command, '-c', `${CONNECTIONS}`, '-d', `${seconds}`, ...fields],
    ...(body === undefined ? [] : ['-b', body]),
    base + path,
  ])
  const { requests, latency, non2xx, errors } = JSON.parse(stdout) as AutocannonReport
  if (errors > 0 || (request.errors === undefined && non2xx > 0))
    throw new Error(`${base}${path}: ${non2xx} answers were no success, ${errors} failed`)
  return { requests: requests.total, requestsPerSecond: requests.average, p99Ms: latency.p99 }
}

interface AutocannonReport {
  readonly requests: { readonly average: number; readonly total: number }
  readonly latency: { readonly p99: number }
  readonly non2xx: number
  readonly errors: number
}

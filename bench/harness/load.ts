import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { installed } from './commands.ts'

const run = promisify(execFile)

/** What a server bore for a while. */
export interface Load {
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
 * Asks one URL over and over by 32 connections from a core of its own: by wrk where it is installed, else by autocannon.
 * @throws Error when an answer is not a success
 */
export async function load(url: string, seconds: number): Promise<Load> {
  hasWrk ??= run('wrk', ['-v']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  const [began, used] = [performance.now(), childrenSeconds()]
  const asked = (await hasWrk) ? await byWrk(url, seconds) : await byAutocannon(url, seconds)
  return { ...asked, cores: (childrenSeconds() - used) / ((performance.now() - began) / 1000) }
}

/** Seconds of CPU that the processes used which this one started and saw end. */
function childrenSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const TICKS_PER_SECOND = 100
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

type Asked = Omit<Load, 'cores'>

async function byWrk(url: string, seconds: number): Promise<Asked> {
  const args = [
    '-c',
    CORE,
    'wrk',
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}`,
    '--timeout',
    '10',
    '--latency',
    url,
  ]
  const { stdout } = await run('taskset', args)
  // Some servers close each connection after an answer, which wrk counts as an error of reading.
  if (/Non-2xx|connect [1-9]|timeout [1-9]/.test(stdout)) throw new Error(`${url}: ${stdout}`)
  const [, rate = ''] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  const MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }
  return { requestsPerSecond: Number(rate), p99Ms: Number(p99) * (MS[unit] ?? 1) }
}

async function byAutocannon(url: string, seconds: number): Promise<Asked> {
  const command = [process.execPath, installed('autocannon/autocannon.js'), '--json']
  const { stdout } = await run('taskset', [
    '-c',
    CORE,
    ...command,
    '-c',
    `${CONNECTIONS}`,
    '-d',
    `${seconds}`,
    url,
  ])
  const { requests, latency, non2xx, errors } = JSON.parse(stdout) as Cannonade
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers were no success, ${errors} failed`)
  return { requestsPerSecond: requests.average, p99Ms: latency.p99 }
}

/** What autocannon tells. */
interface Cannonade {
  readonly requests: { readonly average: number }
  readonly latency: { readonly p99: number }
  readonly non2xx: number
  readonly errors: number
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** A command that serves. */
export interface ServerCommand {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Where it listens, for a command that does not say so in a line of its own. */
  readonly url?: string
  /** The core it runs on, 0 by default; any of them for `null`. */
  readonly core?: number | null
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** A server that it keeps its state on, whose CPU is counted apart. */
  readonly engine?: { cpuSeconds(): number }
}

/** A server that listens. */
export interface RunningServer {
  readonly name: string
  readonly pid: number
  readonly url: string
  /** Milliseconds from the start of its process to its first answer. */
  readonly startMs: number
  /** Seconds of CPU it and what it started have used. */
  cpuSeconds(): number
  /** MiB of memory it and what it started hold. */
  memory(): number
  /** The most MiB that its process has held at any time, as Linux keeps it. */
  maxMemory(): number
  stop(): Promise<void>
}

const MAX_START_MS = 60_000
const POLL_MS = 2
/** Of what it prints, a log among it, the end is enough to say why it did not start. */
const KEPT_CHARS = 64 * 1024

/**
 * Starts a server on a core of its own and resolves once it answers.
 * @throws Error with what it printed, when it ends or is not there in a minute
 */
export async function startServer({
  name,
  command,
  args,
  url,
  core = 0,
  cwd,
  env,
}: ServerCommand): Promise<RunningServer> {
  const began = performance.now()
  const [file, ...rest] =
    core === null ? [command, ...args] : ['taskset', '-c', String(core), command, ...args]
  const child = spawn(file, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env: { ...process.env, ...env } }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-KEPT_CHARS)))
  const found = await listening(child, () => output, url).catch(async (error: unknown) => {
    await end(child)
    throw new Error(
      `${name} did not start: ${reasonIn(output) ?? (error as Error).message}\n${output.slice(-2000)}`,
    )
  })
  const startMs = performance.now() - began
  return {
    name,
    pid: child.pid ?? 0,
    url: found,
    startMs,
    cpuSeconds: () => sum(groupOf(child.pid), cpuOf),
    memory: () => sum(groupOf(child.pid), (pid) => memoryOf(pid, 'VmRSS')),
    maxMemory: () => memoryOf(child.pid ?? 0, 'VmHWM'),
    stop: () => end(child),
  }
}

async function listening(
  child: ChildProcess,
  output: () => string,
  known: string | undefined,
): Promise<string> {
  const until = performance.now() + MAX_START_MS
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    const [, printed] = /listening on (http:\S+)/.exec(output()) ?? []
    const url = known ?? printed
    if (url !== undefined && (await answers(url))) return url
    await wait(POLL_MS)
  }
  throw new Error('it did not listen')
}

// What a process prints as it fails is mostly a stack trace, with one line that says why.
function reasonIn(output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.trim())
  const reason = lines.find((line) => /^(\w*Error\b|taskset: |nginx: )|Unable to access/.test(line))
  return (reason ?? lines.findLast((line) => line !== ''))?.replace(/^\w*Error( \[\w+\])?: /, '')
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer()
    return true
  } catch {
    return false
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  // All that it started, such as workers, is in its process group.
  process.kill(-child.pid, 'SIGKILL')
  await once(child, 'close')
}

function groupOf(leader: number | undefined): readonly number[] {
  if (leader === undefined) return []
  return [leader, ...childrenOf(leader)]
}

function childrenOf(pid: number): number[] {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return own.flatMap((child) => [child, ...childrenOf(child)])
}

/** Seconds of CPU that a process has used. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const TICKS_PER_SECOND = 100
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes = '0'] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status) ?? []
  return Number(kilobytes) / 1024
}

function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0)
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** A command that serves and says so with a line of its own. */
export interface ServerCommand {
  readonly name: string
  /** What Node runs, and its arguments. */
  readonly args: readonly string[]
  readonly cwd?: string
}

/** A request, by its path. */
export interface Question {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What one run of a server took. Times are in milliseconds, memory in MiB. */
export interface Measures {
  readonly start: number
  readonly idleMemory: number
  /** Of each question's first request, in order. */
  readonly firstAnswers: readonly number[]
  readonly usedMemory: number
}

/** Starts a server, sends each request once, and ends it. */
export async function measureServer(
  command: ServerCommand,
  questions: readonly Question[],
): Promise<Measures> {
  const began = performance.now()
  const child = spawn(process.execPath, command.args, { cwd: command.cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const url = await new Promise<string>((found, fail) => {
      let output = ''
      const read = (chunk: Buffer): void => {
        output += chunk.toString()
        const [, address] = /listening on (http:\S+)/.exec(output) ?? []
        if (address !== undefined) found(address)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('close', (code) =>
        fail(new Error(`${command.name} ended with ${code}: ${output.slice(-2000)}`)),
      )
    })
    const start = performance.now() - began
    const idleMemory = memoryOf(child.pid)
    const firstAnswers: number[] = []
    for (const { method, path, headers = {} } of questions) {
      const sent = performance.now()
      const answer = await fetch(`${url}${path}`, { method, headers, redirect: 'manual' })
      await answer.arrayBuffer()
      firstAnswers.push(performance.now() - sent)
    }
    return { start, idleMemory, firstAnswers, usedMemory: memoryOf(child.pid) }
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  }
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

// What is in memory now, by Linux; elsewhere it is not measured.
function memoryOf(pid: number | undefined): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kibibytes) / 1024
  } catch {
    return Number.NaN
  }
}

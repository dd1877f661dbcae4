import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createSimHosts, type SimHosts } from '../sim-host/sim-host.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
export const COMMAND = resolve(ROOT, 'dist/src/cli/main.js')

/** A `sim` command that serves, as built. */
export interface SimServer {
  readonly url: string
  readonly process: ChildProcess
  /** What it has printed on stderr so far. */
  stderr(): string
  /** Resolves once what it has printed on stderr, from a position on, matches. */
  prints(wanted: RegExp, from?: number): Promise<void>
  /** Has it end, and resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** What a command printed and how it ended. */
export interface SimResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

let hosts: SimHosts | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs a command to its end, as built, in a process that runs one after the other. */
export function runSim(args: readonly string[], cwd = process.cwd()): Promise<SimResult> {
  const run = async (): Promise<SimResult> => {
    hosts ??= createSimHosts(ROOT)
    const { ended, stdout, stderr } = await hosts.start({ args, cwd })
    const code = await ended
    return { code, stdout: stdout(), stderr: stderr() }
  }
  const result = last.then(run)
  last = result.catch(() => undefined)
  return result
}

/** Starts a command of `sim` that serves, on a free port, and resolves once it prints its address. */
export async function startSim(args: readonly string[], cwd = process.cwd()): Promise<SimServer> {
  return startCommand(COMMAND, args, cwd)
}

/** Starts a command that serves, on a free port, and resolves once it prints its address. */
export async function startCommand(file: string, args: readonly string[], cwd?: string): Promise<SimServer> {
  return startProcess(process.execPath, [file, ...args], cwd)
}

/** The same for a program that starts such a command; where that names a port, it serves there. */
export async function startProcess(
  program: string,
  args: readonly string[],
  cwd = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
): Promise<SimServer> {
  const port = args.some((arg) => /^--port\b/.test(arg)) ? [] : ['--port', '0']
  const child = spawn(program, [...args, ...port], { cwd, env })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const url = await new Promise<string>((found, fail) => {
    child.stdout.on('data', () => {
      const [, address] = /^listening on (http:\S+)$/m.exec(stdout()) ?? []
      if (address !== undefined) found(address)
    })
    child.once('close', (code) =>
      fail(new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr()}`)),
    )
  })
  return {
    url,
    process: child,
    stderr,
    prints: (wanted, from = 0) =>
      new Promise((seen, fail) => {
        const look = (): void => {
          if (!wanted.test(stderr().slice(from))) return
          child.stderr.off('data', look)
          seen()
        }
        child.stderr.on('data', look)
        child.once('close', () => fail(new Error(`It ended before it printed ${wanted}: ${stderr()}`)))
        look()
      }),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill(signal)
      const [code] = (await once(child, 'close')) as [number | null]
      return code
    },
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { freePort } from '../free-port.ts'

/** A server that runs in a process of its own. */
export interface Server {
  readonly url: string
  /** Ends it, and resolves once it has ended. */
  stop(): Promise<void>
}

interface Options {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Resolves to whether it can be used; that its port is open, if not given. */
  readonly isUp?: (url: string) => Promise<boolean>
}

const MAX_START_MS = 60_000
const MAX_STOP_MS = 8_000

/** Starts a program that listens on the port it is given, and resolves once it can be used. */
export async function startServer(
  program: string,
  argsFor: (port: number) => readonly string[],
  { cwd, env, isUp = isOpen }: Options = {},
): Promise<Server> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(program, argsFor(port), {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-2000)))
  const failed = new Promise<never>((_, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => fail(new Error(`${program} ended with ${code}: ${output}`)))
  })
  failed.catch(() => undefined)
  const end = Date.now() + MAX_START_MS
  while (!(await Promise.race([isUp(url).catch(() => false), failed]))) {
    if (Date.now() > end) throw new Error(`${program} did not listen on ${url}: ${output}`)
    await pause(50)
  }
  return { url, stop: () => stopProcess(child) }
}

/** Runs a command to its end and resolves with what it printed on stdout; `code` is 0 where it succeeded. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { cwd, env }: Pick<Options, 'cwd' | 'env'> = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(program, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (data: Buffer) => (texts[name] += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...texts }
}

/** Has a server of this process listen on a free port. */
export async function listenHere(server: HttpServer): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An answer to a request of JSON. */
interface JsonAnswer {
  /** Its status, its body and its headers. */
  readonly s: number
  readonly b: unknown
  readonly h: Headers
}

/** A client that sends bodies as JSON, and reads what comes as that. @param headers that every request has */
export function jsonClient(
  base: string,
  headers: Readonly<Record<string, string>> = {},
): (method: string, path: string, body?: unknown) => Promise<JsonAnswer> {
  return async (method, path, body) => {
    const hasBody = body !== undefined
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
    return { s: response.status, b: isJson ? JSON.parse(text) : text, h: response.headers }
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

export function hasCommand(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v "$1"`, 'sh', name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function isOpen(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS)
  await once(child, 'exit')
  clearTimeout(timer)
}

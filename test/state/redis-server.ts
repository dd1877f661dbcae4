import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { connect, type RedisConnection } from '../../src/state/redis/connection.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort } from '../free-port.ts'

/** How a server of a test is started. */
export interface RedisSettings {
  /** Whether it writes a file to begin from after a restart, and how often that is flushed. */
  readonly aof?: 'everysec' | 'always'
  readonly maxmemory?: string
  /** Further directives, such as `['--requirepass', 'secret']`. */
  readonly args?: readonly string[]
}

/** A real server in a folder of its own, which ends with the tests that started it. */
export interface RedisServer {
  /** Over TCP. */
  readonly url: string
  /** Over a Unix socket. */
  readonly unixUrl: string
  readonly port: number
  readonly folder: string
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it on the same port, in the same folder. */
  restart(): Promise<void>
  /** Has it stop without an end, as a machine does that hangs. */
  pause(): void
  resume(): void
  /** Runs one command by `redis-cli`. */
  cli(...args: readonly string[]): string
  stop(): Promise<void>
}

/** Whether there is a server to test with; without one, CI fails and others are warned. */
export const hasRedis = ((): boolean => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    if (process.env['CI'] !== undefined)
      throw new Error('Install redis-server: shared state is tested with it')
    process.emitWarning('redis-server is not installed: what tests shared state is skipped')
    return false
  }
})()

/** Starts a process of the server, which has said that it is ready. */
export async function launchRedis(args: readonly string[], ready: string): Promise<ChildProcess> {
  const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let log = ''
  for await (const chunk of started.stdout as AsyncIterable<Buffer>) {
    log += String(chunk)
    if (log.includes(ready)) break
  }
  if (!log.includes(ready)) throw new Error(`redis-server did not start:\n${log}`)
  return started
}

/** Starts a server on a free port of this machine. */
export async function startRedis(settings: RedisSettings = {}): Promise<RedisServer> {
  const folder = temporaryFolder()
  const port = await freePort()
  const socket = join(folder.path, 's')
  const { aof, maxmemory, args = [] } = settings
  const directives = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--unixsocket', socket, '--dir', folder.path],
    ...['--save', '', '--appendonly', aof === undefined ? 'no' : 'yes', '--appendfsync', aof ?? 'no'],
    ...(maxmemory === undefined ? [] : ['--maxmemory', maxmemory]),
    ...args,
  ]
  const start = (): Promise<ChildProcess> => launchRedis(directives, 'Ready to accept connections')
  let child = await start()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const server: RedisServer = {
    ...{ url: `redis://127.0.0.1:${port}`, unixUrl: `unix:${socket}`, port, folder: folder.path },
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGKILL')
      child = await start()
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    cli: (...command) =>
      execFileSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8' }).trim(),
    async stop() {
      await end('SIGKILL')
      folder[Symbol.dispose]()
    },
  }
  return server
}

/** A server for all tests of a file, and connections to it that are closed after them. */
export function sharedRedis(settings?: RedisSettings): {
  server(): Promise<RedisServer>
  connect(name: string): Promise<RedisConnection>
} {
  let started: Promise<RedisServer> | undefined
  const open: RedisConnection[] = []
  const server = (): Promise<RedisServer> => (started ??= startRedis(settings))
  afterAll(async () => {
    await Promise.all(open.map((each) => each.close()))
    await (await started)?.stop()
  })
  return {
    server,
    async connect(name) {
      const connection = await connect({ url: (await server()).unixUrl, name })
      open.push(connection)
      return connection
    },
  }
}

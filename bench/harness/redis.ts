import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuOf } from './server.ts'

const POLL_MS = 5
const MAX_START_MS = 10_000

/** A Redis server on the core of the load. */
export interface RunningRedis {
  /** The URL of its socket file. */
  readonly url: string
  readonly pid: number
  /** Seconds of CPU it has used. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** Starts a Redis server that keeps nothing on disk. @throws Error where there is none */
export async function startRedis(folder: string): Promise<RunningRedis> {
  const socket = join(folder, 'redis.sock')
  const settings = [
    '--port',
    '0',
    '--unixsocket',
    socket,
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ]
  const child = spawn('taskset', ['-c', '1', 'redis-server', ...settings], { stdio: 'ignore' })
  const until = performance.now() + MAX_START_MS
  while (!existsSync(socket)) {
    if (child.exitCode !== null || performance.now() > until) throw new Error('redis-server did not start')
    await wait(POLL_MS)
  }
  return {
    url: `unix:${socket}`,
    pid: child.pid ?? 0,
    cpuSeconds: () => cpuOf(child.pid ?? 0),
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

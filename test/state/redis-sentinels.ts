import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../free-port.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { launchRedis } from './redis-server.ts'

/** What the sentinels of tests call the primary. */
export const PRIMARY = 'shop'

/** Real sentinels, which watch one primary. */
export interface Sentinels {
  /** A host and port for each, with commas between them. */
  readonly hosts: string
  /** Runs one command on the first by `redis-cli`. */
  cli(...args: readonly string[]): string
  /** The port of the server that they call the primary. */
  primaryPort(): number
  stop(): Promise<void>
}

/** Starts sentinels on free ports. @param downMs how long a server may be silent before it counts as down */
export async function startSentinels(primary: number, count: number, downMs = 500): Promise<Sentinels> {
  const quorum = Math.floor(count / 2) + 1
  const folder = temporaryFolder()
  const ports: number[] = []
  const children: ChildProcess[] = []
  for (let index = 0; index < count; index++) {
    const port = await freePort()
    const file = folder.write(
      `${index}/sentinel.conf`,
      [
        ...[`port ${port}`, 'bind 127.0.0.1', `dir ${folder.path}/${index}`],
        ...[`sentinel monitor ${PRIMARY} 127.0.0.1 ${primary} ${quorum}`],
        ...[`sentinel down-after-milliseconds ${PRIMARY} ${downMs}`],
        ...[`sentinel failover-timeout ${PRIMARY} 4000`, ''],
      ].join('\n'),
    )
    ports.push(port)
    children.push(await launchRedis([file, '--sentinel'], 'Sentinel ID is'))
  }
  const cli = (...args: readonly string[]): string =>
    execFileSync('redis-cli', ['-p', String(ports[0]), ...args], { encoding: 'utf8' }).trim()
  return {
    hosts: ports.map((port) => `127.0.0.1:${port}`).join(','),
    cli,
    primaryPort: () => Number(cli('SENTINEL', 'get-master-addr-by-name', PRIMARY).split('\n')[1]),
    async stop() {
      for (const child of children) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      folder[Symbol.dispose]()
    },
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, type Contender, type Rounds } from './compare.ts'
import type { Row, Target } from './figures.ts'
import { upstreamServer } from './nginx.ts'
import { startRedis, type RunningRedis } from './redis.ts'
import { cpuRow, engineRow, latencyRow } from './rows.ts'
import { startServer, type RunningServer, type ServerCommand } from './server.ts'
import { settings } from './settings.ts'

/** What the servers of a work may need. */
export interface Surroundings {
  /** The base URL of a server that is never slower than what is in front of it; it starts when first used. */
  upstream(): Promise<string>
  /** A Redis server; it starts when first used. */
  redis(): Promise<RunningRedis>
  /** A folder that is empty at first and removed in the end. */
  readonly folder: string
}

/** One request that sim answers and another server too, and what has to come of it. */
export interface Work extends Pick<Contender, 'request' | 'check'> {
  /** What `--row` calls it. */
  readonly name: string
  readonly describe: string
  /** sim as built in a folder; `name` distinguishes it from others. */
  ours(build: string, name: string, surroundings: Surroundings): ServerCommand | Promise<ServerCommand>
  theirs(surroundings: Surroundings): ServerCommand | Promise<ServerCommand>
  readonly target?: Target
  /** The most that our 99th percentile may be of theirs, where that is measured too. */
  readonly maxP99?: number
}

/** The most that the server of a state may do, of what a gateway does: one serves five gateways. */
const MAX_ENGINE = 0.2
/** Rounds of a work whose bar is CPU. */
const PAIRS = 9

/** Measures works one after the other, all of them or those that the command line names. */
export async function measureWorks(works: readonly Work[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const work of works.filter(isWanted)) {
    const [ours, theirs] = await inSurroundings(async (surroundings) =>
      compareWork(work, [
        await work.ours(settings.build, 'sim', surroundings),
        await work.theirs(surroundings),
      ]),
    )
    if (ours === undefined || theirs === undefined) continue
    rows.push(cpuRow(work.describe, ours, theirs, work.target))
    if (ours.engineMicros.length > 0) rows.push(engineRow(work.describe, ours, MAX_ENGINE))
    if (work.maxP99 !== undefined) rows.push(latencyRow(work.describe, ours, theirs, work.maxP99))
  }
  return rows
}

/** Whether the command line names a work, or none at all. */
export function isWanted({ name }: { readonly name: string }): boolean {
  return settings.rows.length === 0 || settings.rows.includes(name)
}

/** Lets servers take turns at the request of a work. */
export async function compareWork(
  { request, check }: Work,
  servers: readonly ServerCommand[],
): Promise<readonly Rounds[]> {
  return compare(
    servers.map((server) => ({ server, request, check })),
    PAIRS,
  )
}

/** Gives works what they need, and takes it away again. */
export async function inSurroundings<T>(run: (surroundings: Surroundings) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sim-bench-'))
  let upstream: Promise<RunningServer> | undefined
  let redis: Promise<RunningRedis> | undefined
  try {
    return await run({
      folder,
      async upstream() {
        upstream ??= upstreamServer(folder).then(startServer)
        return (await upstream).url
      },
      async redis() {
        redis ??= startRedis(folder)
        return redis
      },
    })
  } finally {
    await (await upstream)?.stop()
    await (await redis)?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

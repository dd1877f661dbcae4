/**
 * npm run state-kills [-- SEED [SECONDS [KILLS [REDIS_KILLS]]]]: three gateways on one server of state, clients that take
 * turns at them, and kills of gateways and of the server at random moments. What was answered must be there: Redis holds
 * to that with `appendfsync always`, and with `everysec` where the disk is not busy.
 */
import { setTimeout as wait } from 'node:timers/promises'
import seedrandom from 'seedrandom'
import type { SimServer } from '../flow/sim-process.ts'
import { startRedis } from '../state/redis-server.ts'
import { startFleet } from './fleet.ts'
import { Ledger } from './ledger.ts'

const [seed = 1, seconds = 60, kills = 20, redisKills = 10] = process.argv.slice(2).map(Number)
const GATEWAYS = 3
const CLIENTS = 12

const random = seedrandom(String(seed))
const redis = await startRedis({ aof: 'always' })
const ledger = new Ledger()
const over = new AbortController()
const fleet = await startFleet(redis.unixUrl, GATEWAYS, seed)
const until = performance.now() + seconds * 1000

const clients = Array.from({ length: CLIENTS }, (_, client) => fleet.drive(ledger, client, over.signal))
await killAtRandom()
over.abort()
await Promise.all(clients)
// What a gateway or the server was killed at is over.
await wait(3000)
const [first] = fleet.gateways as [SimServer]
const problems = [...ledger.problems, ...(await ledger.compare(first.url))]
const memory = redis.cli('info', 'memory').match(/used_memory_human:(\S+)/)?.[1]
await fleet.stop()
await redis.stop()
process.stdout.write(
  `${ledger.summary()}; ${kills} gateways and ${redisKills} servers killed; Redis holds ${memory ?? '?'}\n` +
    `${problems.length === 0 ? 'every promise held' : problems.slice(0, 20).join('\n')}\n`,
)
process.exitCode = problems.length === 0 ? 0 : 1

async function killAtRandom(): Promise<void> {
  const whom = [...Array<'gateway'>(kills).fill('gateway'), ...Array<'redis'>(redisKills).fill('redis')]
    .map((each) => ({ each, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each)
  for (const [index, each] of whom.entries()) {
    const at = until - seconds * 1000 * (1 - (index + random()) / whom.length)
    await wait(Math.max(0, at - performance.now()))
    if (each === 'redis') {
      await redis.kill()
      await wait(200 + random() * 500)
      await redis.restart()
    } else {
      await fleet.kill(Math.floor(random() * GATEWAYS))
    }
  }
  await wait(Math.max(0, until - performance.now()))
}

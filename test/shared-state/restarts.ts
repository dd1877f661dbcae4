/**
 * npm run state-restarts [-- SEED [SECONDS [EVERY]]]: three gateways on one server of state, clients that take turns at
 * them, and one gateway that is restarted every so many seconds. What was answered must be there, and neither gateways
 * nor the server may grow.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { sampleOf, slopePerMinute, type Sample } from '../long-run/measure.ts'
import { startRedis } from '../state/redis-server.ts'
import { startFleet } from './fleet.ts'
import { Ledger } from './ledger.ts'

const [seed = 1, seconds = 600, every = 60] = process.argv.slice(2).map(Number)
const GATEWAYS = 3
const CLIENTS = 12
const ITEMS = 100
const REST_MS = 50
const SAMPLE_MS = 5000
/** As much as a heap varies by within a minute. */
const MAX_SLOPE = 2

const redis = await startRedis({ aof: 'always' })
const ledger = new Ledger(ITEMS)
const over = new AbortController()
const fleet = await startFleet(redis.unixUrl, GATEWAYS, seed)
const clients = Array.from({ length: CLIENTS }, (_, client) =>
  fleet.drive(ledger, client, over.signal, { restMs: REST_MS }),
)
const samples = new Map<string, Sample[]>()
const began = performance.now()
const passed = (): number => (performance.now() - began) / 1000

// The last is never restarted, so that what it holds is seen over the whole time.
const restarts = (async () => {
  for (let at = every, index = 0; at < seconds; at += every, index++) {
    await wait(Math.max(0, (at - passed()) * 1000))
    await fleet.restart(index % (GATEWAYS - 1))
  }
})()
// Caches fill at first.
await wait(Math.min(every, seconds / 5) * 1000)
while (passed() < seconds) {
  note('the gateway that stays', sampleOf(fleet.gateways[GATEWAYS - 1]?.process.pid ?? 0, passed()))
  const bytes = /used_memory:(\d+)/.exec(redis.cli('info', 'memory'))?.[1]
  note('Redis', { seconds: passed(), mebibytes: Number(bytes) / 2 ** 20, descriptors: 0 })
  await wait(SAMPLE_MS)
}
over.abort()
await Promise.all([...clients, restarts])

const problems = [...ledger.problems, ...(await ledger.compare(fleet.gateways[0]?.url ?? ''))]
for (const [name, own] of samples) {
  const slope = slopePerMinute(own, 'mebibytes')
  const now = own.at(-1)?.mebibytes ?? 0
  process.stdout.write(`${name}: ${now.toFixed(1)} MiB, ${slope.toFixed(2)} MiB a minute\n`)
  if (slope > MAX_SLOPE) problems.push(`${name} grows by ${slope.toFixed(2)} MiB a minute`)
}
await fleet.stop()
await redis.stop()
process.stdout.write(
  `${ledger.summary()}; a gateway restarted every ${every} s for ${seconds} s\n` +
    `${problems.length === 0 ? 'every promise held' : problems.slice(0, 20).join('\n')}\n`,
)
process.exitCode = problems.length === 0 ? 0 : 1

function note(name: string, sample: Sample): void {
  samples.set(name, [...(samples.get(name) ?? []), sample])
}

/**
 * npm run state-cluster [-- SEED [ROUNDS]]: two gateways on a cluster of three primaries, and clients with sessions on all
 * of them, while a primary is killed and comes back, and another gives way to its replica. At last a
 * node loses all it had, which is to be said.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runSim, type SimServer } from '../flow/sim-process.ts'
import { startCluster } from '../state/redis-cluster.ts'
import type { RedisServer } from '../state/redis-server.ts'
import { startFleet } from './fleet.ts'
import { Ledger } from './ledger.ts'

const [seed = 1, rounds = 3] = process.argv.slice(2).map(Number)
const GATEWAYS = 2
const SESSIONS = 8
const CLIENTS_EACH = 2
const SECONDS_TO_BE_BACK = 10

const cluster = await startCluster(3, 1)
const fleet = await startFleet(cluster.url, GATEWAYS, seed)
const ledgers = Array.from({ length: SESSIONS }, () => new Ledger())
const over = new AbortController()
const clients = ledgers.flatMap((ledger, session) =>
  Array.from({ length: CLIENTS_EACH }, (_, client) =>
    fleet.drive(ledger, client, over.signal, { session: nameOf(session) }),
  ),
)
const [replicated, other] = cluster.primaries as [RedisServer, RedisServer]
const outages: string[] = []
const problems: string[] = []
try {
  await wait(2000)
  for (let round = 0; round < rounds; round++) {
    await other.kill()
    await wait(500)
    await other.restart()
    await isBack('a primary was killed and came back')
    await cluster.isWhole()
  }
  await replicated.kill()
  await isBack('a primary was killed that has a replica')
  await replicated.restart()
  await cluster.isWhole()
  // Whoever was the primary goes on as a replica, and only refers to the other.
  replicated.cli('CLUSTER', 'FAILOVER')
  await until('the replica is the primary', () => replicated.cli('ROLE').startsWith('master'))
  await isBack('a primary gave way to its replica')
  await wait(1000)
  over.abort()
  await Promise.all(clients)
  const [{ url }] = fleet.gateways as [SimServer]
  for (const [session, ledger] of ledgers.entries())
    problems.push(...ledger.problems, ...(await ledger.compare(`${url}/__sim/s/${nameOf(session)}`)))
  const sizes = cluster.primaries.map(({ cli }) => Number(cli('DBSIZE')))
  if (!(await isLossSaid(url))) problems.push('a node lost its keys, and no gateway said so')
  if (sizes.includes(0)) problems.push(`not all nodes have keys: ${sizes.join(', ')}`)
  await fleet.stop()
  const cleared = await runSim(['state', 'clear', '--force', '--name', 'kills', '--state', cluster.url])
  const left = cluster.primaries.map(({ cli }) => Number(cli('DBSIZE')))
  if (left.some((count) => count > 0)) problems.push(`keys are left: ${left.join(', ')}; ${cleared.stderr}`)
  outages.push(`keys of each node: ${sizes.join(', ')}; ${cleared.stdout.trim()}`)
} finally {
  over.abort()
  await Promise.all(clients)
  await fleet.stop()
  await cluster.stop()
}
process.stdout.write(
  `${[...ledgers.map((each) => each.summary()), ...outages].join('\n')}\n` +
    `${problems.length === 0 ? 'every promise held' : problems.slice(0, 20).join('\n')}\n`,
)
process.exit(problems.length === 0 ? 0 : 1)

function nameOf(session: number): string {
  return `session-${session}`
}

/** Has a node forget all it had; whether that is said of the sessions that it had. */
async function isLossSaid(url: string): Promise<boolean> {
  await other.kill()
  rmSync(join(other.folder, 'appendonlydir'), { recursive: true })
  await other.restart()
  await cluster.isWhole()
  for (const last = performance.now() + 10_000; performance.now() < last; await wait(50)) {
    const response = await fetch(`${url}/__sim/s/${nameOf(0)}/items`)
    if ((await response.text()).includes('SIM_STATE_LOST')) return true
  }
  return false
}

/** Resolves once each gateway has stored something in each session. */
async function isBack(what: string): Promise<void> {
  const began = performance.now()
  for (const { url } of fleet.gateways)
    for (const session of ledgers.keys()) await stores(`${url}/__sim/s/${nameOf(session)}/items`)
  const seconds = (performance.now() - began) / 1000
  outages.push(`${what}: both gateways wrote to all sessions after ${seconds.toFixed(1)} s`)
  if (seconds > SECONDS_TO_BE_BACK) problems.push(`the state was back after ${seconds.toFixed(1)} s only`)
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const last = performance.now() + 30_000; !holds(); await wait(20))
    if (performance.now() > last) throw new Error(`It took more than 30 s until ${what}`)
}

async function stores(url: string): Promise<void> {
  for (const last = performance.now() + 30_000; ; await wait(50)) {
    const response = await fetch(url, {
      ...{ method: 'POST', body: '{"name":"probe","count":1}' },
      ...{ headers: { 'content-type': 'application/json' }, signal: AbortSignal.timeout(5000) },
    }).catch(() => undefined)
    if (response?.status === 201) return
    if (performance.now() > last) throw new Error(`${url} stored nothing for 30 s`)
  }
}

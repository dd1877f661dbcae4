/**
 * npm run state-sentinel [-- SEED [ROUNDS]]: two gateways on a state whose primary three sentinels name, and clients that
 * take turns at them, while the primary is killed, hangs and is relieved by turns, by hand and by itself. At last a replica that lacks writes
 * becomes the primary, which is to be said.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { SimServer } from '../flow/sim-process.ts'
import { PRIMARY, startSentinels } from '../state/redis-sentinels.ts'
import { startRedis, type RedisServer } from '../state/redis-server.ts'
import { startFleet } from './fleet.ts'
import { Ledger } from './ledger.ts'

const [seed = 1, rounds = 8] = process.argv.slice(2).map(Number)
const GATEWAYS = 2
const CLIENTS = 8
const SECONDS_TO_BE_BACK = 10

const settings = { aof: 'everysec', args: ['--repl-diskless-sync-delay', '0'] } as const
const servers = [await startRedis(settings), await startRedis(settings)]
const [first, second] = servers as [RedisServer, RedisServer]
second.cli('REPLICAOF', '127.0.0.1', String(first.port))
const sentinels = await startSentinels(first.port, 3, 1000)
const fleet = await startFleet(`redis+sentinel://${sentinels.hosts}/${PRIMARY}`, GATEWAYS, seed)
const ledger = new Ledger()
const outages: string[] = []
const KINDS = ['killed', 'hung', 'relieved by hand', 'relieved by itself'] as const
try {
  await drive(ledger, async () => {
    await bothAreThere()
    for (let round = 0; round < rounds; round++) await failOver(KINDS[round % KINDS.length] ?? 'killed')
    await wait(1000)
  })
  const [{ url }] = fleet.gateways as [SimServer]
  const problems = [...ledger.problems, ...(await ledger.compare(url))]
  const last = new Ledger()
  last.allowed.add('SIM_STATE_LOST')
  await drive(last, () => loseWrites(last))
  // What is lost or stored twice from then on has been announced.
  if (last.count('SIM_STATE_LOST') === 0) problems.push('writes were lost, and no gateway said so')
  process.stdout.write(`${problems.length === 0 ? 'every promise held' : problems.slice(0, 20).join('\n')}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  process.stdout.write(`${[ledger.summary(), ...outages].join('\n')}\n`)
  await fleet.stop()
  await sentinels.stop()
  for (const server of servers) await server.stop()
}

async function drive(of: Ledger, work: () => Promise<void>): Promise<void> {
  const end = new AbortController()
  const clients = Array.from({ length: CLIENTS }, (_, client) => fleet.drive(of, client, end.signal))
  try {
    await work()
  } finally {
    end.abort()
    await Promise.all(clients)
  }
}

function primary(): RedisServer {
  const named = sentinels.primaryPort()
  return servers.find(({ port }) => port === named) as RedisServer
}

async function failOver(kind: (typeof KINDS)[number]): Promise<void> {
  await wait(1000)
  const old = primary()
  const began = performance.now()
  if (kind === 'killed') await old.kill()
  else if (kind === 'hung') old.pause()
  else if (kind === 'relieved by hand') sentinels.cli('SENTINEL', 'FAILOVER', PRIMARY)
  else old.cli('FAILOVER')
  // Sentinels take some twenty seconds to see that the primary has relieved itself.
  await until('another takes its place', () =>
    kind === 'relieved by itself' ? old.cli('ROLE').startsWith('slave') : primary() !== old,
  )
  const named = performance.now()
  await isBack()
  const seconds = (performance.now() - began) / 1000
  outages.push(
    `the primary ${kind}: another took its place after ${((named - began) / 1000).toFixed(1)} s, and both gateways wrote after ${seconds.toFixed(1)} s`,
  )
  if (seconds > SECONDS_TO_BE_BACK)
    ledger.problems.push(`the state was back after ${seconds.toFixed(1)} s only`)
  if (kind === 'killed') await old.restart()
  else if (kind === 'hung') old.resume()
  await bothAreThere()
}

/** Has the replica become the primary without what was written last. */
async function loseWrites(last: Ledger): Promise<void> {
  const old = primary()
  // The replica cannot come back, and all others are connected already.
  old.cli('CONFIG', 'SET', 'requirepass', 'another')
  old.cli('-a', 'another', '--no-auth-warning', 'CLIENT', 'KILL', 'TYPE', 'replica')
  const created = last.count('201')
  await until('more is created', () => last.count('201') > created + 50)
  await old.kill()
  await until('writes are said to be lost', () => last.count('SIM_STATE_LOST') > 0).catch(() => undefined)
}

async function bothAreThere(): Promise<void> {
  await until('the replica has caught up', () => {
    const info = primary().cli('INFO', 'replication')
    return (
      /slave0:.*state=online/.test(info) && !sentinels.cli('SENTINEL', 'REPLICAS', PRIMARY).includes('s_down')
    )
  })
}

/** Resolves once each gateway has stored something. */
async function isBack(): Promise<void> {
  for (const { url } of fleet.gateways)
    await until('a gateway stores', async () => {
      const response = await fetch(`${url}/items`, {
        ...{ method: 'POST', body: '{"name":"probe","count":1}' },
        ...{ headers: { 'content-type': 'application/json' }, signal: AbortSignal.timeout(5000) },
      }).catch(() => undefined)
      return response?.status === 201
    })
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const last = performance.now() + 30_000
  while (!(await holds())) {
    if (performance.now() > last) throw new Error(`It took more than 30 s until ${what}`)
    await wait(50)
  }
}

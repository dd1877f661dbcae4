/**
 * npm run state-kills [-- SEED [SECONDS [KILLS [REDIS_KILLS]]]]: three gateways on one server of state, clients that take
 * turns at them, and kills of gateways and of the server at random moments. What was answered must be there.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import seedrandom from 'seedrandom'
import { startSim, type SimServer } from '../flow/sim-process.ts'
import { startRedis } from '../state/redis-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { Ledger } from './ledger.ts'

const [seed = 1, seconds = 60, kills = 20, redisKills = 10] = process.argv.slice(2).map(Number)
const GATEWAYS = 3
const CLIENTS = 12
const FIELDS =
  'name: { type: string, x-sim-link: { fromInput: name } }, count: { type: integer, x-sim-link: { fromInput: count } }'
const ROUTES = `options: { stateful: true }
models:
  Item: { type: object, required: [id, name, count], properties: { id: { type: integer }, ${FIELDS} } }
  NewItem: { type: object, required: [name, count], properties: { name: { type: string }, count: { type: integer } } }
routes:
  POST /items: { input: { $ref: '#/models/NewItem' }, output: { $ref: '#/models/Item' }, status: 201 }
  GET /items: { output: { page: { $ref: '#/models/Item' } } }
  GET /items/{id}: { output: { $ref: '#/models/Item' } }
  PATCH /items/{id}: { input: { $ref: '#/models/NewItem' }, output: { $ref: '#/models/Item' } }
  DELETE /items/{id}: { status: 204 }
`

const random = seedrandom(String(seed))
const folder = temporaryFolder({ 'routes.yaml': ROUTES })
const redis = await startRedis({ aof: 'everysec' })
const ledger = new Ledger()
const start = (index: number): Promise<SimServer> =>
  startSim([
    ...['run', join(folder.path, 'routes.yaml'), '--seed', '7', '--log-format', 'none'],
    ...['--state', redis.unixUrl, '--state-name', 'kills', '--state-gateway', `gateway-${index}`],
  ])
const gateways: SimServer[] = await Promise.all(Array.from({ length: GATEWAYS }, (_, index) => start(index)))
const until = performance.now() + seconds * 1000
const running = { isOver: false }

const clients = Array.from({ length: CLIENTS }, (_, client) => drive(client))
await killAtRandom()
running.isOver = true
await Promise.all(clients)
// What a gateway or the server was killed at is over.
await wait(3000)
const [first] = gateways as [SimServer]
const problems = [...ledger.problems, ...(await ledger.compare(first.url))]
const memory = redis.cli('info', 'memory').match(/used_memory_human:(\S+)/)?.[1]
await Promise.all(gateways.map((each) => each.stop()))
await redis.stop()
folder[Symbol.dispose]()
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
      const chosen = Math.floor(random() * GATEWAYS)
      await gateways[chosen]?.stop('SIGKILL')
      gateways[chosen] = await start(chosen)
    }
  }
  await wait(Math.max(0, until - performance.now()))
}

// Each client changes only items of its own, so that it knows what they are.
async function drive(client: number): Promise<void> {
  const draw = seedrandom(`${seed} ${client}`)
  let turn = client
  while (!running.isOver) {
    const { url } = gateways[turn++ % GATEWAYS] as SimServer
    await ledger.step(url, client, draw)
  }
}

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import seedrandom from 'seedrandom'
import { startSim, type SimServer } from '../flow/sim-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { Ledger } from './ledger.ts'

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

/** How a client goes on. */
interface Pace {
  /** Its session, where it has one. */
  readonly session?: string
  /** How long it rests after each request. */
  readonly restMs?: number
}

/** Gateways that share a state, and clients that take turns at them. */
export interface Fleet {
  readonly gateways: readonly SimServer[]
  /** Kills one, and starts it again. */
  kill(index: number): Promise<void>
  /** The same, but lets it end what it has begun. */
  restart(index: number): Promise<void>
  /** Has a client go on until it is to end. */
  drive(ledger: Ledger, client: number, end: AbortSignal, pace?: Pace): Promise<void>
  stop(): Promise<void>
}

/** Starts gateways on one state. */
export async function startFleet(url: string, count: number, seed: number): Promise<Fleet> {
  const folder = temporaryFolder({ 'routes.yaml': ROUTES })
  const start = (index: number): Promise<SimServer> =>
    startSim([
      ...['run', join(folder.path, 'routes.yaml'), '--seed', '7', '--log-format', 'none'],
      ...['--state', url, '--state-name', 'kills', '--state-gateway', `gateway-${index}`],
    ])
  const gateways = await Promise.all(Array.from({ length: count }, (_, index) => start(index)))
  return {
    gateways,
    async kill(index) {
      await gateways[index]?.stop('SIGKILL')
      gateways[index] = await start(index)
    },
    async restart(index) {
      await gateways[index]?.stop()
      gateways[index] = await start(index)
    },
    // Each client changes only items of its own, so that it knows what they are.
    async drive(ledger, client, end, { session, restMs } = {}) {
      const draw = seedrandom(`${seed} ${client}`)
      for (let turn = client; !end.aborted; turn++) {
        const { url: origin } = gateways[turn % count] as SimServer
        await ledger.step(session === undefined ? origin : `${origin}/__sim/s/${session}`, client, draw)
        if (restMs !== undefined) await wait(restMs)
      }
    },
    async stop() {
      await Promise.all(gateways.map((each) => each.stop()))
      folder[Symbol.dispose]()
    },
  }
}

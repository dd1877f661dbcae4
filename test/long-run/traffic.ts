import { setTimeout as wait } from 'node:timers/promises'
import seedrandom from 'seedrandom'
import { ask, askTogether, talk, entriesOf, type Abort, type Gateway, type Open } from './clients.ts'

/** The modes of the gateway, by the first part of the path. */
export const MODES = ['simulate', 'forward', 'record', 'replay', 'spy', 'new-episodes', 'diff'] as const

/** What came of the traffic. */
export interface Outcome {
  /** How often each kind of exchange came to its end as it should. */
  readonly ended: Map<string, number>
  /** How many clients left. */
  aborted: number
  /** What should not be. */
  readonly wrong: string[]
}

export interface TrafficOptions {
  readonly clients: number
  readonly seed: number
  readonly modes: readonly string[]
  /** Of 1, how many exchanges their client leaves. */
  readonly aborts: number
  readonly isOver: (outcome: Outcome) => boolean
}

const MAX_WRONG = 20
const MAX_PAUSE_MS = 20
const ABORT_WITHIN_MS = 60
/** No exchange takes longer, slow readers included. */
const PATIENCE_MS = 30_000

/** Has clients ask for this and that by all ways, until it is over. */
export async function runTraffic(gateway: Gateway, options: TrafficOptions): Promise<Outcome> {
  const outcome: Outcome = { ended: new Map(), aborted: 0, wrong: [] }
  const clients = Array.from({ length: options.clients }, (_, index) =>
    runClient(gateway, options, seedrandom(`${options.seed}/${index}`), outcome),
  )
  await Promise.all(clients)
  return outcome
}

async function runClient(
  gateway: Gateway,
  { modes, aborts, isOver }: TrafficOptions,
  random: () => number,
  outcome: Outcome,
): Promise<void> {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const ways = Object.entries(entriesOf(gateway))
  while (!isOver(outcome)) {
    const [way, open] = pick(ways)
    const mode = pick(modes)
    const kind = pick(mode === 'simulate' || mode === 'replay' ? ANY : [...ANY, ...LIVE])
    const isLeaving = random() < aborts
    const leaveAfter = random() * ABORT_WITHIN_MS
    let hasLeft = false
    const abort: Abort = (connection) => {
      if (isLeaving) setTimeout(() => connection.destroy(), leaveAfter).unref()
      hasLeft = isLeaving
    }
    const late = AbortSignal.timeout(PATIENCE_MS)
    const name = `${kind.name} by ${kind.isHttp2 === true ? 'HTTP/2' : way} in mode ${mode}`
    try {
      const answered = await Promise.race([
        kind.run({ gateway, open, path: `/${mode}`, number: Math.floor(random() * 10), abort }),
        new Promise<never>((_, reject) => {
          late.addEventListener('abort', () => reject(new Error('it took too long')))
        }),
      ])
      if (!hasLeft && !kind.expected.includes(answered)) throw new Error(`it was answered ${answered}`)
      outcome.ended.set(kind.name, (outcome.ended.get(kind.name) ?? 0) + 1)
    } catch (error) {
      if (hasLeft) outcome.aborted++
      else if (!isOver(outcome) && outcome.wrong.length < MAX_WRONG)
        outcome.wrong.push(`${name}: ${String(error)}`)
    }
    await wait(random() * MAX_PAUSE_MS)
  }
}

interface Exchange {
  readonly gateway: Gateway
  readonly open: Open
  readonly path: string
  readonly number: number
  readonly abort: Abort
}

interface Kind {
  readonly name: string
  readonly isHttp2?: boolean
  readonly expected: readonly number[]
  readonly run: (exchange: Exchange) => Promise<number>
}

const OK = [200]
const JSON_KIND: Kind = {
  name: 'JSON',
  expected: OK,
  run: ({ open, path, number, abort }) => ask(open, { path: `${path}/item/${number}` }, abort),
}
/** Kinds of exchanges that are declared and recorded too. */
const ANY: readonly Kind[] = [
  JSON_KIND,
  JSON_KIND,
  {
    name: 'HTTP/2 streams',
    isHttp2: true,
    expected: OK,
    run: async ({ gateway, path, number, abort }) => {
      const paths = [0, 1, 2, 3].map((more) => `${path}/item/${(number + more) % 10}`)
      const statuses = await askTogether(gateway.port, paths, abort)
      return statuses.find((status) => status !== 200) ?? 200
    },
  },
]
/** Kinds for which there is an upstream. */
const LIVE: readonly Kind[] = [
  {
    name: 'POST',
    expected: OK,
    run: ({ open, path, number, abort }) =>
      ask(open, { method: 'POST', path: `${path}/echo`, body: Buffer.from(`{"number":${number}}`) }, abort),
  },
  {
    name: 'upload',
    expected: OK,
    run: ({ open, path, abort }) =>
      ask(open, { method: 'PUT', path: `${path}/echo`, body: Buffer.alloc(200_000, 'u') }, abort),
  },
  {
    name: 'slow reader',
    expected: OK,
    run: ({ open, path, abort }) => ask(open, { path: `${path}/big`, pauseMs: 2 }, abort),
  },
  {
    name: 'event stream',
    expected: OK,
    run: ({ open, path, abort }) => ask(open, { path: `${path}/events` }, abort),
  },
  {
    name: 'WebSocket',
    expected: [1000],
    run: ({ open, path, number, abort }) => talk(open, `${path}/socket`, number + 1, abort),
  },
]

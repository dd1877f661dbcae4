import { load, type Load } from './load.ts'
import { startServer, type RunningServer, type ServerCommand } from './server.ts'

/** One of those that are compared: a server, and what it is asked. */
export interface Contender {
  readonly server: ServerCommand
  /** Path and query. */
  readonly path: string
  /** @throws Error when a body is not what it has to be */
  check(body: Buffer): void
}

/** What the rounds of a contender gave. */
export interface Rounds {
  readonly name: string
  readonly rounds: readonly Load[]
  /** CPU of the server for one request, in microseconds, by round. */
  readonly cpuMicros: readonly number[]
  /** Why it could not be measured. */
  readonly failure?: string
}

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const WARM_UP_SECONDS = 2

interface Open {
  readonly contender: Contender
  server?: RunningServer
  failure?: string
  readonly rounds: Load[]
  readonly cpu: number[]
}

/**
 * Lets contenders take turns, so that what else the machine does meets all alike. Each server is started once, and one
 * that does not start, or gives a wrong body, is named with its reason.
 */
export async function compare(contenders: readonly Contender[]): Promise<readonly Rounds[]> {
  const open: Open[] = []
  try {
    for (const contender of contenders) {
      const entry: Open = { contender, rounds: [], cpu: [] }
      open.push(entry)
      await attempt(entry, async () => {
        entry.server = await startServer(contender.server)
        await checkBody(entry.server, contender)
        await load(entry.server.url + contender.path, WARM_UP_SECONDS)
      })
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const entry of open) await attempt(entry, () => measureRound(entry))
  } finally {
    for (const { server } of open) await server?.stop()
  }
  return open.map(({ contender, rounds, cpu, failure }) => ({
    name: contender.server.name,
    rounds,
    cpuMicros: cpu,
    ...(failure !== undefined && { failure }),
  }))
}

// One that has failed is not asked again, and the others go on.
async function attempt(entry: Open, work: () => Promise<void>): Promise<void> {
  if (entry.failure !== undefined) return
  try {
    await work()
  } catch (error) {
    entry.failure = (error as Error).message
    process.stderr.write(`${entry.contender.server.name}: ${entry.failure}\n`)
  }
}

async function measureRound({ contender, server, rounds, cpu }: Open): Promise<void> {
  if (server === undefined) return
  const before = server.cpuSeconds()
  const result = await load(server.url + contender.path, SECONDS)
  rounds.push(result)
  cpu.push(((server.cpuSeconds() - before) * 1e6) / (result.requestsPerSecond * SECONDS))
}

async function checkBody({ url }: RunningServer, { path, check }: Contender): Promise<void> {
  const answer = await fetch(url + path)
  const body = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`${answer.status} ${body.toString().slice(0, 200)}`)
  check(body)
}

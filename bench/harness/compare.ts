import { load, type Load, type LoadRequest } from './load.ts'
import { startServer, type RunningServer, type ServerCommand } from './server.ts'
import { settings } from './settings.ts'

/** One of those that are compared: a server, and the request it gets. */
export interface Contender {
  readonly server: ServerCommand
  readonly request: LoadRequest
  /** @throws Error when a body is not what it has to be */
  check(body: Buffer): void
  /** Does something beside, from the start of its server until that is called which it returns. */
  beside?(url: string): Promise<() => void>
}

/** What the rounds of a contender gave. */
export interface Rounds {
  readonly name: string
  readonly rounds: readonly Load[]
  /** CPU of the server for one request, in microseconds, by round. */
  readonly cpuMicros: readonly number[]
  /** The same of what it keeps its state on, where that is another server. */
  readonly engineMicros: readonly number[]
  /** Why it could not be measured. */
  readonly failure?: string
}

const DEFAULT_ROUNDS = 3
const WARM_UP_SECONDS = 2
// On a busy machine two seconds are too few for a server's code to be compiled.
const WARM_UP_REQUESTS = 20_000
const MAX_WARM_UPS = 5
const CHECK_ATTEMPTS = 20

interface Open {
  readonly contender: Contender
  server?: RunningServer
  failure?: string
  readonly rounds: Load[]
  readonly cpu: number[]
  readonly engine: number[]
  endBeside?: () => void
}

/**
 * Lets contenders take turns, so that what else the machine does meets all alike. Each server is started once, and one
 * that does not start, or gives a wrong body, is named with its reason.
 */
export async function compare(
  contenders: readonly Contender[],
  rounds = DEFAULT_ROUNDS,
): Promise<readonly Rounds[]> {
  const open: Open[] = []
  try {
    for (const contender of contenders) {
      const entry: Open = { contender, rounds: [], cpu: [], engine: [] }
      open.push(entry)
      await attempt(entry, async () => {
        entry.server = await startServer(contender.server)
        await checkBody(entry.server, contender)
        const end = await contender.beside?.(entry.server.url)
        if (end !== undefined) entry.endBeside = end
        await warmUp(entry.server, contender.request)
      })
    }
    // Every other round goes backwards, so that nobody always comes after the same one.
    for (let round = 0; round < (settings.rounds ?? rounds); round++)
      for (const entry of round % 2 === 0 ? open : open.toReversed())
        await attempt(entry, () => measureRound(entry))
  } finally {
    for (const { server, endBeside } of open) {
      endBeside?.()
      await server?.stop()
    }
  }
  return open.map(({ contender, rounds, cpu, engine, failure }) => ({
    name: contender.server.name,
    rounds,
    cpuMicros: cpu,
    engineMicros: engine,
    ...(failure !== undefined && { failure }),
  }))
}

// One that has failed is left out from then on, and the others go on.
async function attempt(entry: Open, work: () => Promise<void>): Promise<void> {
  if (entry.failure !== undefined) return
  try {
    await work()
  } catch (error) {
    entry.failure = (error as Error).message
    process.stderr.write(`${entry.contender.server.name}: ${entry.failure}\n`)
  }
}

async function warmUp({ url }: RunningServer, request: LoadRequest): Promise<void> {
  let requests = 0
  for (let times = 0; times < MAX_WARM_UPS && requests < WARM_UP_REQUESTS; times++)
    requests += (await load(url, request, WARM_UP_SECONDS)).requests
}

async function measureRound({ contender, server, rounds, cpu, engine }: Open): Promise<void> {
  if (server === undefined) return
  const used = contender.server.engine
  const [before, engineBefore] = [server.cpuSeconds(), used?.cpuSeconds() ?? 0]
  const result = await load(server.url, contender.request, settings.seconds)
  rounds.push(result)
  cpu.push(((server.cpuSeconds() - before) * 1e6) / result.requests)
  if (used !== undefined) engine.push(((used.cpuSeconds() - engineBefore) * 1e6) / result.requests)
}

async function checkBody({ url }: RunningServer, { request, check }: Contender): Promise<void> {
  const { method = 'GET', path, headers = {}, body: sent, errors } = request
  for (let attempts = 1; ; attempts++) {
    const answer = await fetch(url + path, { method, headers, ...(sent !== undefined && { body: sent }) })
    const body = Buffer.from(await answer.arrayBuffer())
    if (answer.ok === (errors !== 'all')) return check(body)
    if (errors === undefined || attempts === CHECK_ATTEMPTS)
      throw new Error(`${answer.status} ${body.toString().slice(0, 200)}`)
  }
}

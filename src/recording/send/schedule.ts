import { setTimeout as sleep } from 'node:timers/promises'
import type { WholeExchange } from './carried-values.ts'
import { splitUrl } from './message-body.ts'

/** When requests are sent. */
export interface Pace {
  /** How many are under way at most. */
  readonly concurrency: number
  /** How many begin in a second at most. */
  readonly rate?: number | undefined
  /** Keeps the recorded times between requests, this many times faster. */
  readonly speed?: number | undefined
}

/** The values that a request uses and that its answer gives. */
export interface Ties {
  readonly uses: ReadonlySet<string>
  readonly gives: ReadonlySet<string>
}

/** A recorded exchange that is sent, and its number in the recording. */
export interface Numbered {
  readonly number: number
  readonly whole: WholeExchange
}

interface InFlight {
  readonly ties: Ties
  readonly method: string
  readonly path: string
  readonly done: Promise<void>
}

/** How many wait for others, for each that may be under way. */
const MAX_WAITING = 8
/** Exchanges are written when they end: so many are held to find the one that began first. */
const MAX_REORDERED = 1000

/**
 * Sends exchanges in order, several at a time. One waits for those before it whose answers give values that it uses, and
 * for those that change what it reads, or read what it changes.
 * @param tiesOf is called in the order of the exchanges
 */
export async function schedule(
  exchanges: AsyncIterable<Numbered>,
  { concurrency, rate, speed }: Pace,
  tiesOf: (whole: WholeExchange) => Ties,
  send: (numbered: Numbered) => Promise<void>,
): Promise<void> {
  const inFlight = new Set<InFlight>()
  let failure: { readonly error: unknown } | undefined
  let running = 0
  let free: (() => void)[] = []
  let nextAt = 0
  let first: { readonly recorded: number; readonly sent: number } | undefined

  const begin = async (): Promise<void> => {
    if (running >= concurrency) {
      await new Promise<void>((resolve) => free.push(resolve))
      return begin()
    }
    running++
    if (rate === undefined) return
    const at = Math.max(nextAt, performance.now())
    nextAt = at + 1000 / rate
    await waitUntil(at)
  }
  const end = (): void => {
    running--
    const [next, ...others] = free
    free = others
    next?.()
  }
  const play = async (numbered: Numbered, before: readonly InFlight[], at: number): Promise<void> => {
    await Promise.all(before.map(({ done }) => done))
    await waitUntil(at)
    await begin()
    try {
      if (failure === undefined) await send(numbered)
    } catch (error) {
      failure ??= { error }
    } finally {
      end()
    }
  }

  for await (const numbered of speed === undefined ? exchanges : byBeginning(exchanges)) {
    if (failure !== undefined) break
    const { exchange } = numbered.whole
    const started = new Date(exchange.startedDateTime).getTime()
    first ??= { recorded: started, sent: performance.now() }
    const at = speed === undefined ? 0 : first.sent + (started - first.recorded) / speed
    const { method, url } = exchange.request
    const entry = { ties: tiesOf(numbered.whole), method, path: splitUrl(url).path }
    const before = [...inFlight].filter((other) => isTied(other, entry))
    const mine: InFlight = { ...entry, done: play(numbered, before, at).finally(() => inFlight.delete(mine)) }
    inFlight.add(mine)
    while (inFlight.size >= (concurrency === 1 ? 1 : concurrency * MAX_WAITING))
      await Promise.race([...inFlight].map(({ done }) => done))
  }
  await Promise.all([...inFlight].map(({ done }) => done))
  if (failure !== undefined) throw failure.error
}

async function waitUntil(at: number): Promise<void> {
  const ms = at - performance.now()
  if (ms > 0) await sleep(ms)
}

async function* byBeginning(exchanges: AsyncIterable<Numbered>): AsyncGenerator<Numbered> {
  const held: { readonly started: number; readonly numbered: Numbered }[] = []
  for await (const numbered of exchanges) {
    const started = new Date(numbered.whole.exchange.startedDateTime).getTime()
    const index = held.findLastIndex((each) => each.started <= started)
    held.splice(index + 1, 0, { started, numbered })
    const next = held.length > MAX_REORDERED ? held.shift() : undefined
    if (next !== undefined) yield next.numbered
  }
  for (const { numbered } of held) yield numbered
}

type Entry = Omit<InFlight, 'done'>

function isTied(before: Entry, after: Entry): boolean {
  if (affects(before, after) || affects(after, before)) return true
  const { gives } = before.ties
  for (const key of after.ties.uses) if (gives.has(key)) return true
  return false
}

// What is created changes the collection and what contains it; other writes change what is below them too.
function affects({ method, path }: Entry, other: Entry): boolean {
  if (/^(GET|HEAD|OPTIONS)$/.test(method)) return false
  return isWithin(path, other.path) || (method !== 'POST' && isWithin(other.path, path))
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith('/') ? parent : `${parent}/`)
}

import { addTo, groupBy } from '../grouping.ts'
import type { JournalEntry } from '../state/journal.ts'

/** One request, as far as it shows how its client retries. Times are milliseconds since 1970, by the machine's clock. */
export interface Attempt {
  readonly id: number
  /** Requests that one logical call could have made have this in common. */
  readonly alike: string
  /** Names the logical call, where a header does. */
  call: string | undefined
  readonly arrived: number
  readonly ended: number
  readonly method: string
  readonly path: string
  /** Absent where the connection broke. */
  readonly status: number | undefined
  hasFailed: boolean
  readonly connection: number | undefined
  /** Whether a connection was opened for it, for want of one that was free. */
  readonly isFirst: boolean
  /** How long the answer requested to wait. */
  readonly wanted: number | undefined
  /** How long the answer requested to wait though it did not fail, since a limit was reached. */
  readonly spent: number | undefined
  /** The attempt that the request says it is, counted from 1. */
  ordinal: number | undefined
  readonly idempotencyKey: string | undefined
  readonly headers: ReadonlyMap<string, string>
}

/** A logical call: a request and its retries, in order. */
export type Call = readonly Attempt[]

/** What a journal must say of a request for it to be an attempt. */
export type AttemptEntry = Pick<
  JournalEntry,
  'id' | 'time' | 'method' | 'url' | 'host' | 'path' | 'headers' | 'durationMs'
> &
  Partial<JournalEntry>

/** Faults after which a client has no answer, or not all of one. */
const BREAKING = new Set(['reset', 'empty', 'truncate', 'garbage', 'hang', 'cut-stream', 'stall-stream'])

/** The attempts of a client, in the order in which they came. */
export function attemptsOf(entries: readonly AttemptEntry[]): readonly Attempt[] {
  const connections = new Map<number, number>()
  const attempts = entries
    .toSorted((a, b) => arrivalOf(a) - arrivalOf(b) || a.id - b.id)
    .map((entry) => {
      const headers = new Map(entry.headers.map(([name, value]) => [name.toLowerCase(), value]))
      const { id, method, path, status, connection, durationMs } = entry
      const arrived = arrivalOf(entry)
      const isKept = headers.get('connection')?.toLowerCase() !== 'close'
      const isFirst =
        connection !== undefined && isKept && !connections.has(connection) && !hasIdle(connections, arrived)
      if (connection !== undefined) {
        connections.delete(connection)
        connections.set(connection, arrived + durationMs)
      }
      const isBroken = status === undefined || (entry.chaos ?? []).some((each) => BREAKING.has(each))
      const waits = waitOf(new Map(entry.retryHeaders ?? []), arrived + durationMs)
      const isInjected = entry.chaos?.includes(`status ${status}`) === true
      const hasFailed =
        isBroken || (status >= 400 && (isInjected || waits !== undefined || isPassing(status)))
      const body =
        entry.requestBody === undefined ? headers.get('content-length') : JSON.stringify(entry.requestBody)
      const attempt: Attempt = {
        ...{ id, method, path, connection, isFirst, hasFailed, arrived, headers },
        alike: [method, entry.host, entry.url, body ?? ''].join('\n'),
        call: undefined,
        ended: arrived + durationMs,
        status: isBroken ? undefined : status,
        wanted: hasFailed ? waits : undefined,
        spent: hasFailed ? undefined : waits,
        ordinal: undefined,
        idempotencyKey: headers.get('idempotency-key') ?? headers.get('x-idempotency-key'),
      }
      return attempt
    })
  findRetried(attempts)
  countAttempts(attempts)
  nameCalls(attempts)
  return attempts
}

/** Statuses of client errors that the same request may not get again (RFC 9110, 15.5.9; RFC 8470; RFC 6585). */
const PASSING = new Set([408, 425, 429])

// Who gets another client error, such as 404, has its answer.
function isPassing(status: number): boolean {
  return status >= 500 || PASSING.has(status)
}

/** So many calls show that a client retries what it has an answer to, if they are such a share. */
const FEWEST = 2
const MOSTLY = 0.5

// Some clients retry all but successes.
function findRetried(attempts: readonly Attempt[]): void {
  const isMeant = ({ status = 0, hasFailed }: Attempt): boolean => status >= 400 && !hasFailed
  const [met, retried] = [new Map<string, number>(), new Map<string, number>()]
  for (const group of groupBy(attempts.some(isMeant) ? attempts : [], ({ alike }) => alike).values()) {
    const isOne = group.every((attempt, index) => {
      const { status, ended } = group[index - 1] ?? { status: 500, ended: 0 }
      return (status === undefined || status >= 400) && attempt.arrived >= ended - 1
    })
    const followed = new Set(
      group
        .slice(0, -1)
        .filter(isMeant)
        .map(({ status }) => String(status)),
    )
    for (const status of new Set(group.filter(isMeant).map((each) => String(each.status)))) {
      addTo(met, status)
      if (isOne && followed.has(status)) addTo(retried, status)
    }
  }
  for (const attempt of attempts) {
    const calls = retried.get(String(attempt.status)) ?? 0
    if (isMeant(attempt) && calls >= FEWEST && calls >= MOSTLY * (met.get(String(attempt.status)) ?? 0))
      attempt.hasFailed = true
  }
}

/** A connection that has been idle for so long would be taken, or has not been read to the end; one that is idle for longer may have been closed. */
const IDLE_MS = 100
const CLOSED_MS = 4000

// Connections are in the order in which they were last used.
function hasIdle(connections: Map<number, number>, now: number): boolean {
  for (const [connection, ended] of connections) {
    if (now - ended <= CLOSED_MS) return now - ended > IDLE_MS
    connections.delete(connection)
  }
  return false
}

function arrivalOf({ arrivedMs, time }: AttemptEntry): number {
  return arrivedMs ?? Date.parse(time)
}

/** The longest that anyone can be requested to wait: a number above it is a moment in time. */
const LONGEST_SECONDS = 100_000_000

// Retry-After (RFC 9110, section 10.2.3), its forms in milliseconds, and the times at which limits begin anew.
function waitOf(headers: ReadonlyMap<string, string>, now: number): number | undefined {
  const ms = headers.get('retry-after-ms') ?? headers.get('x-ms-retry-after-ms')
  if (ms !== undefined && Number(ms) >= 0) return Number(ms)
  const after = headers.get('retry-after')
  if (after !== undefined && /^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000
  if (after !== undefined && !Number.isNaN(Date.parse(after))) return Math.max(0, Date.parse(after) - now)
  const find = (end: string): string | undefined =>
    [...headers].find(([name]) => name.replace('-limit', 'limit').endsWith(`ratelimit-${end}`))?.[1]
  const structured = /(?:^|[;,])\s*r=0\b.*?;\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  const reset = structured ?? (find('remaining') === '0' ? find('reset') : undefined)
  if (reset === undefined || Number.isNaN(Number(reset))) return undefined
  const seconds = Number(reset)
  if (seconds < LONGEST_SECONDS) return seconds * 1000
  return Math.max(0, (seconds < 1e11 ? seconds * 1000 : seconds) - now)
}

const COUNTING = /(^|-)(retry|attempt|retries|attempts)(-|$)/

// `amz-sdk-request: attempt=2; max=3`, and headers that count. A header that first attempts have counts these from 0 or 1;
// else retries are counted: `retry-attempt: 1` is the second attempt.
function countAttempts(attempts: readonly Attempt[]): void {
  const names = new Set(attempts.flatMap(({ headers }) => [...headers.keys()]))
  const name = [...names].find((each) => COUNTING.test(each) && attempts.some((one) => countIn(one, each)))
  const counts = attempts.map((attempt) => (name === undefined ? undefined : countIn(attempt, name)))
  const least = Math.min(...counts.map((count) => count ?? Infinity))
  const first = counts.includes(undefined) ? Math.min(2, least + 1) : 1
  for (const [index, attempt] of attempts.entries()) {
    const stated = /attempt=(\d+)/.exec(attempt.headers.get('amz-sdk-request') ?? '')?.[1]
    const count = counts[index]
    if (stated !== undefined) attempt.ordinal = Number(stated)
    else if (name !== undefined) attempt.ordinal = count === undefined ? 1 : count - least + first
  }
}

function countIn({ headers }: Attempt, name: string): number | undefined {
  const value = headers.get(name) ?? ''
  return /^\d{1,3}$/.test(value) ? Number(value) : undefined
}

// A header names calls where all that have the same value could be the attempts of one call, and some have it in common.
// One with a date may part them otherwise: where requests say which attempts they are, a call begins with the first.
function nameCalls(attempts: readonly Attempt[]): void {
  for (const group of groupBy(attempts, ({ alike }) => alike).values()) {
    const names = new Set(group.flatMap(({ headers }) => [...headers.keys()]))
    for (const name of names) {
      if (name === 'content-length' || COUNTING.test(name)) continue
      const byValue = [...groupBy(group, ({ headers }) => headers.get(name)).values()]
      if (byValue.length < 2 || !byValue.some(({ length }) => length > 1)) continue
      if (!byValue.every((call) => isCall(call) && isWhole(call))) continue
      for (const attempt of group) attempt.call = attempt.headers.get(name)
      break
    }
  }
}

// Whether requests that say which attempts they are begin with the first.
function isWhole(call: Call): boolean {
  return call.every(({ ordinal }, index) => ordinal === undefined || ordinal === index + 1)
}

/** Whether requests could be the attempts of one call: each but the first comes when the one before has failed. */
export function isCall(attempts: readonly Attempt[]): boolean {
  return attempts.every((attempt, index) => {
    const before = attempts[index - 1]
    return before === undefined || canFollow(before, attempt)
  })
}

/** Whether a request comes when another one has failed. */
export function canFollow(before: Attempt, attempt: Attempt): boolean {
  return before.hasFailed && attempt.arrived >= before.ended - 1
}

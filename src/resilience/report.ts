import { addTo, groupBy } from '../grouping.ts'
import type { ChaosEntry } from '../state/chaos.ts'
import { attemptsOf, type Attempt, type AttemptEntry, type Call } from './attempts.ts'
import { classify, givenUp } from './classify.ts'
import { callsOf } from './link-calls.ts'
import { findProblems } from './findings.ts'
import { stormsOf } from './storms.ts'
import type { ChaosReport, ClientReport, Heeded, Injected } from './report-form.ts'
import { at } from './waits.ts'

/** What is known of a run. */
export interface Run {
  readonly entries: readonly AttemptEntry[]
  /** Absent where only the journal is known. */
  readonly log?: readonly ChaosEntry[]
  readonly dropped?: number
}

/** The report of a run. */
export function chaosReport({ entries, log, dropped = 0 }: Run): ChaosReport {
  const clients = groupBy(entries, ({ headers }) => clientOf(headers))
  return {
    injected: injectedOf(log ?? entries.flatMap(entryAsLogged)),
    clients: [...clients].map(([client, own]) => clientReport(client, attemptsOf(own))),
    requests: entries.length,
    dropped,
  }
}

function clientOf(headers: AttemptEntry['headers']): string {
  return headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? 'without a name'
}

function entryAsLogged({ chaos = [], route, method, path }: AttemptEntry): readonly ChaosEntry[] {
  if (chaos.length === 0) return []
  const find = (pattern: RegExp): string | undefined =>
    chaos.map((each) => pattern.exec(each)?.[1]).find((found) => found !== undefined)
  const [latency, status, fault] = [/^latency (\d+) ms$/, /^status (\d+)$/, /^([a-z-]+)$/].map(find)
  return [
    {
      ...{ route: route ?? `${method} ${path}`, ordinal: 0, rule: 'by rules' },
      ...(latency !== undefined && { latencyMs: Number(latency) }),
      ...(status !== undefined && { status: Number(status) }),
      ...(fault !== undefined && { fault }),
    },
  ]
}

function injectedOf(log: readonly ChaosEntry[]): readonly Injected[] {
  return [...groupBy(log, ({ rule, route }) => `${rule}\n${route}`).values()].map((entries) => {
    const [{ rule, route }] = entries as [ChaosEntry]
    const latencies = entries.flatMap(({ latencyMs }) => latencyMs ?? [])
    return {
      ...{ rule, route, requests: entries.length },
      statuses: countsOf(entries.flatMap(({ status }) => status ?? [])),
      faults: countsOf(entries.flatMap(({ fault }) => fault ?? [])),
      delayed: latencies.length,
      most_latency_ms: Math.round(latencies.reduce((most, each) => Math.max(most, each), 0)),
    }
  })
}

function countsOf(values: readonly (string | number)[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) addTo(counts, String(value))
  return Object.fromEntries(counts)
}

function clientReport(client: string, attempts: readonly Attempt[]): ClientReport {
  const { calls, areClear } = callsOf(attempts)
  const { behaviour, backoff, headers } = classify(calls)
  const { waits, growth, hasJitter, factor } = backoff
  const failed = calls.filter(([first]) => first?.hasFailed)
  const lengths = calls.map(({ length }) => length).toSorted((a, b) => a - b)
  const report = {
    ...{
      client,
      behaviour: areClear ? behaviour : ('unclear' as const),
      requests: attempts.length,
      calls: calls.length,
    },
    retries: attempts.length - calls.length,
    recovered: failed.filter((call) => givenUp(call) === undefined).length,
    given_up: calls.filter((call) => givenUp(call) !== undefined).length,
    most_attempts: at(lengths, 1),
    backoff: { growth, jitter: hasJitter, ...(factor !== undefined && { factor }), waits_ms: waits },
    retry_after: headers,
    rate_limits: limitsOf(attempts),
    storms: stormsOf(calls),
    idempotency: idempotencyOf(calls),
    statuses: statusesOf(calls),
  }
  return { ...report, findings: findProblems(report) }
}

// Who has spent a limit, and has read so, waits until it begins anew.
function limitsOf(attempts: readonly Attempt[]): Heeded {
  let [requested, heeded] = [0, 0]
  for (const group of groupBy(attempts, ({ alike }) => alike).values())
    for (const [index, { spent, ended }] of group.entries()) {
      if (spent === undefined) continue
      let at = index + 1
      while (at < group.length && (group[at] as Attempt).arrived < ended) at++
      const next = group[at]
      if (next === undefined) continue
      requested++
      if (next.arrived - ended >= spent * 0.9 - 30) heeded++
    }
  return { requested, heeded, ignored: requested - heeded }
}

/** RFC 9110, section 9.2.2: a request of another method may do its work twice. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])

function idempotencyOf(calls: readonly Call[]): ClientReport['idempotency'] {
  const pairs = calls.flatMap((call) =>
    call.slice(1).map((attempt, index) => [call[index] as Attempt, attempt] as const),
  )
  const unsafe = pairs.filter(([, { method }]) => !IDEMPOTENT.has(method))
  const keyed = unsafe.filter(([, { idempotencyKey }]) => idempotencyKey !== undefined)
  const same = keyed.filter(([before, { idempotencyKey }]) => before.idempotencyKey === idempotencyKey).length
  return {
    ...{ retries: unsafe.length, same_key: same, other_key: keyed.length - same },
    no_key: unsafe.length - keyed.length,
  }
}

function statusesOf(calls: readonly Call[]): ClientReport['statuses'] {
  const [failed, retried] = [new Map<string, number>(), new Map<string, number>()]
  for (const call of calls)
    for (const [index, { hasFailed, status }] of call.entries()) {
      if (!hasFailed) continue
      const name = status === undefined ? 'connection broken' : String(status)
      addTo(failed, name)
      if (index + 1 < call.length) addTo(retried, name)
    }
  return [...failed].map(([status, count]) => ({ status, failed: count, retried: retried.get(status) ?? 0 }))
}

import type { Rounds } from './compare.ts'
import { figureOf, rowOf, type Row } from './figures.ts'

/** What a contender has to be compared by. */
export interface Against {
  readonly name: string
  /** What the ratio has to be, where there is something that it has to be. */
  readonly least?: number
  /** The most that our 99th percentile may be of its own. */
  readonly mostP99?: number
}

/** The rows of one work: our throughput against that of others, and the latency where it has a target. */
export function throughputRows(
  work: string,
  us: string,
  all: readonly Rounds[],
  others: readonly Against[],
): Row[] {
  const find = (name: string): Rounds =>
    all.find((rounds) => rounds.name === name) ?? { name, rounds: [], cpuMicros: [] }
  const ours = find(us)
  return others.flatMap(({ name, least, mostP99 }) => {
    const theirs = find(name)
    const failure = ours.failure === undefined ? theirs.failure : `${us}: ${ours.failure}`
    const row = (unit: string, of: (rounds: Rounds) => readonly number[], target: Row['target']): Row => ({
      ...rowOf({ work, contender: name, unit, ours: figureOf(of(ours)), theirs: figureOf(of(theirs)) }),
      ...(target !== undefined && { target }),
      ...(failure !== undefined && { failure }),
    })
    return [
      row(
        'req/s',
        ({ rounds }) => rounds.map(({ requestsPerSecond }) => requestsPerSecond),
        least === undefined ? undefined : { least },
      ),
      ...(mostP99 === undefined
        ? []
        : [row('ms p99', ({ rounds }) => rounds.map(({ p99Ms }) => p99Ms), { most: mostP99 })]),
    ]
  })
}

import type { Rounds } from './compare.ts'
import { figureOf, intervalOf, rowOf, type Figure, type Row, type Target } from './figures.ts'

/** What a contender has to be compared by. */
export interface Against {
  readonly name: string
  /** What the ratio has to be, where there is something that it has to be. */
  readonly atLeast?: number
}

/** The rows of one work: our throughput against that of others. */
export function throughputRows(
  work: string,
  us: string,
  all: readonly Rounds[],
  others: readonly Against[],
): Row[] {
  const ours = find(all, us)
  return others.map(({ name, atLeast }) => {
    const theirs = find(all, name)
    return rowOf({
      ...rateFigures(work, ours, theirs),
      ...(atLeast !== undefined && { target: { atLeast } }),
    })
  })
}

/** The row of what the slowest of a hundred requests waits. */
export function latencyRow(work: string, ours: Rounds, theirs: Rounds, atMost: number): Row {
  const of = ({ rounds }: Rounds): Figure => figureOf(rounds.map(({ p99Ms }) => p99Ms))
  return rowOf({
    ...{ work, contender: theirs.name, unit: 'ms p99', ours: of(ours), theirs: of(theirs) },
    ...{ target: { atMost }, ...failureOf(ours, theirs) },
  })
}

/**
 * The row of a work whose bar is CPU for a request, which a busy machine and whoever else needs the load's core change
 * least. A target of at least so much is of speed, theirs by ours; one of at most so much is of cost, ours by theirs.
 */
export function cpuRow(work: string, ours: Rounds, theirs: Rounds, target?: Target): Row {
  const pairs = cpuRatios(ours, theirs)
  return rowOf({
    ...rateFigures(work, ours, theirs),
    interval: intervalOf(
      target !== undefined && 'atLeast' in target ? pairs.map((ratio) => 1 / ratio) : pairs,
    ),
    ...(target !== undefined && { target }),
  })
}

/** The row of what the server of a state has to do for a request, of what the gateway does. */
export function engineRow(work: string, { cpuMicros, engineMicros }: Rounds, atMost: number): Row {
  return rowOf({
    ...{ work: `${work}: CPU of Redis for each`, contender: 'that of the gateway', unit: 'µs' },
    ...{ ours: figureOf(engineMicros), theirs: figureOf(cpuMicros), target: { atMost } },
  })
}

/** CPU for a request, ours by theirs, for each round in which both took their turn. */
export function cpuRatios(ours: Rounds, theirs: Rounds): readonly number[] {
  return ours.cpuMicros.flatMap((cpu, round) => {
    const other = theirs.cpuMicros[round]
    return other === undefined ? [] : [cpu / other]
  })
}

function rateFigures(work: string, ours: Rounds, theirs: Rounds): Omit<Row, 'ratio'> {
  const rates = ({ rounds }: Rounds): Figure =>
    figureOf(rounds.map(({ requestsPerSecond }) => requestsPerSecond))
  return {
    ...{ work, contender: theirs.name, unit: 'req/s', ours: rates(ours), theirs: rates(theirs) },
    cpu: { ours: figureOf(ours.cpuMicros), theirs: figureOf(theirs.cpuMicros) },
    ...failureOf(ours, theirs),
  }
}

function failureOf(ours: Rounds, theirs: Rounds): { readonly failure?: string } {
  if (ours.failure !== undefined) return { failure: `${ours.name}: ${ours.failure}` }
  return theirs.failure === undefined ? {} : { failure: theirs.failure }
}

function find(all: readonly Rounds[], name: string): Rounds {
  return all.find((rounds) => rounds.name === name) ?? { name, rounds: [], cpuMicros: [], engineMicros: [] }
}

import { leavesOf } from './leaves.ts'
import type { Sample } from './sample.ts'
import { isScalar, sourcesOf, type Scalar, type Source } from './sources.ts'

/** A field of the answers that always repeats a value of the request. */
export interface Echo {
  /** Names from the answer's root; `[]` stands for every item of a list. */
  readonly field: string
  readonly source: Source
  /** In how many exchanges it was seen, and how many different values. */
  readonly exchanges: number
  readonly values: number
}

/** Seen this often, with this many different values, and never otherwise, an echo is no chance. */
const LEAST_EXCHANGES = 3
const LEAST_VALUES = 2

/**
 * Finds what a route's answers take from its requests: fields that equal one value of the request in every exchange
 * that has both. A field that differs even once is none.
 * @param valuesOf the values of the path's parameters in a sample
 */
export function findEchoes(
  samples: readonly Sample[],
  valuesOf: (sample: Sample) => Readonly<Record<string, string>>,
): readonly Echo[] {
  const pairs = new Map<string, Pair>()
  for (const sample of samples) {
    const fields = leavesOf(sample.response)
    for (const [source, wanted] of sourcesOf(sample, valuesOf(sample))) {
      for (const [field, values] of fields) {
        const key = JSON.stringify([field, source.in, source.name])
        const pair = pairs.get(key) ?? { field, source, exchanges: 0, values: new Set(), isBroken: false }
        pairs.set(key, pair)
        if (values.every((value) => isSame(value, wanted))) {
          pair.exchanges++
          pair.values.add(JSON.stringify(wanted))
        } else pair.isBroken = true
      }
    }
  }
  const sound = [...pairs.values()].filter(
    ({ isBroken, exchanges, values }) =>
      !isBroken && exchanges >= LEAST_EXCHANGES && values.size >= LEAST_VALUES,
  )
  return bestOf(sound)
}

interface Pair {
  readonly field: string
  readonly source: Source
  exchanges: number
  readonly values: Set<string>
  isBroken: boolean
}

// One source for each field: of the same name before others, then by place.
function bestOf(pairs: readonly Pair[]): Echo[] {
  const best = new Map<string, Pair>()
  for (const pair of pairs) {
    const known = best.get(pair.field)
    if (known === undefined || rank(pair) < rank(known)) best.set(pair.field, pair)
  }
  return [...best.values()].map(({ field, source, exchanges, values }) => ({
    field,
    source,
    exchanges,
    values: values.size,
  }))
}

const PLACES: readonly Source['in'][] = ['body', 'path', 'query', 'header']

function rank({ field, source }: Pair): number {
  const last = field.slice(field.lastIndexOf('.') + 1)
  return (plain(last) === plain(source.name) ? 0 : 10) + PLACES.indexOf(source.in)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

// Paths, queries and headers hold texts; a number in the answer may come from there.
function isSame(value: unknown, wanted: Scalar): boolean {
  return value === wanted || (typeof wanted === 'string' && isScalar(value) && String(value) === wanted)
}

import { canonicalText } from '../../engine/random.ts'
import type { Folded } from './fold-paths.ts'
import { groupBy } from './group-by.ts'
import type { Sample } from './sample.ts'
import { segmentKind } from './segment-kind.ts'
import { isScalar, sourcesOf, type Source } from './sources.ts'

/** A finite set of answers, of which one input field chooses. */
export interface Variants {
  /** The field that chooses; `undefined` where every answer is the same. */
  readonly by: Source | undefined
  /** Answers by the field's value, in the order they came. */
  readonly bodies: ReadonlyMap<string, unknown>
  /** The answer to a request without the field, or else the most frequent one. */
  readonly usual: unknown
  readonly exchanges: number
  /** How many exchanges answered again what another with the same value had. */
  readonly repeated: number
}

/** How often an answer must come before it is taken for the only one, and values that must have come twice. */
const LEAST_SAME = 3
const LEAST_REPEATED = 2
const MAX_VARIANTS = 64

/** The answers of a route as a finite set that one input field determines; `undefined` where they are none. */
export function findVariants(
  samples: readonly Sample[],
  folded: Folded,
  bodyOf: (sample: Sample) => unknown,
): Variants | undefined {
  const texts = new Map(samples.map((sample) => [sample, canonicalText(bodyOf(sample))]))
  const isSame = new Set(texts.values()).size === 1
  if (isSame) return variantsBy(undefined, [...samples], folded, bodyOf)
  const names = new Map(
    samples.flatMap((sample) => inputsOf(sample, folded)).map(([source]) => [JSON.stringify(source), source]),
  )
  const determining = [...names.values()].flatMap((source) => {
    const groups = [...groupBy(samples, (sample) => valueIn(sample, source, folded)).values()]
    const isDetermined = groups.every((group) => new Set(group.map((each) => texts.get(each))).size === 1)
    return isDetermined && groups.length > 1 ? [{ source, count: groups.length }] : []
  })
  const [best] = determining.toSorted(
    (a, b) =>
      a.count - b.count || order(a.source) - order(b.source) || (a.source.name < b.source.name ? -1 : 1),
  )
  return best && variantsBy(best.source, samples, folded, bodyOf)
}

/** Whether variants were seen often enough to be more than chance, or are so unlike that no one model fits them. */
export function areProven({ by, bodies, exchanges, repeated }: Variants): boolean {
  if (by === undefined) return exchanges >= LEAST_SAME
  if (bodies.size > MAX_VARIANTS) return false
  if (repeated >= LEAST_REPEATED && repeated * 2 >= bodies.size) return true
  const shapes = new Set([...bodies.values()].map(keysOf))
  return shapes.size === bodies.size && [...bodies.keys()].every((value) => segmentKind(value) === 'word')
}

function variantsBy(
  by: Source | undefined,
  samples: readonly Sample[],
  folded: Folded,
  bodyOf: (sample: Sample) => unknown,
): Variants {
  const groups = groupBy(samples, (sample) => (by === undefined ? '' : valueIn(sample, by, folded)))
  const [largest] = [...groups.values()].toSorted((a, b) => b.length - a.length)
  const usual = (by === undefined ? undefined : groups.get(undefined)) ?? largest
  const bodies = [...groups].flatMap(([value, [first]]): [string, unknown][] =>
    by === undefined || value === undefined || first === undefined ? [] : [[value, bodyOf(first)]],
  )
  return {
    by,
    bodies: new Map(bodies),
    usual: usual?.[0] && bodyOf(usual[0]),
    exchanges: samples.length,
    repeated: samples.length - groups.size,
  }
}

function inputsOf(sample: Sample, folded: Folded): [Source, unknown][] {
  const place = sample.method === 'GET' ? 'query' : 'body'
  return sourcesOf(sample, folded.values(sample)).filter(
    ([source]) => source.in === 'path' || source.in === place,
  )
}

function valueIn(sample: Sample, { in: place, name }: Source, folded: Folded): string | undefined {
  const found = inputsOf(sample, folded).find(([source]) => source.in === place && source.name === name)
  return found !== undefined && isScalar(found[1]) ? String(found[1]) : undefined
}

function order({ in: place }: Source): number {
  return place === 'path' ? 0 : 1
}

function keysOf(body: unknown): string {
  if (Array.isArray(body)) return `[${keysOf(body[0])}]`
  return body !== null && typeof body === 'object' ? Object.keys(body).toSorted().join(',') : typeof body
}

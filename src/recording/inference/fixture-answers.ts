import { canonicalText } from '../../engine/random.ts'
import { isObject, LINK, type Schema } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import { isJson, type Sample } from './sample.ts'
import { groupBy, isScalar, segmentKind, type Source, sourcesOf } from './values.ts'
import { escapeKey } from '../../engine/schema/pointer.ts'

/** Answers that are given as they were recorded. */
export interface FixtureAnswers {
  readonly variants: Variants
  /** The field that says in each answer which value it belongs to; other values are then left to the model. */
  readonly field?: string
  /** The model of answers that are not JSON. */
  readonly model?: Schema
  readonly doubts: readonly string[]
}

const MAX_BYTES = 1024 * 1024
const MAX_TEXTS = 64

/** JSON answers that are a finite set; `undefined` where a model explains them better. */
export function findFixtures(answered: readonly Sample[], folded: Folded): FixtureAnswers | undefined {
  const samples = answered.filter(({ response }) => response !== undefined)
  if (samples.length === 0) return undefined
  const variants = findVariants(samples, folded, ({ response }) => response)
  if (variants === undefined || !areProven(variants)) return undefined
  const field = namingField(variants)
  return { variants, ...(field !== undefined && { field }), doubts: [] }
}

/** Answers that are not JSON, by the media type that most of them have; `undefined` where they are JSON or empty. */
export function findTexts(answered: readonly Sample[], folded: Folded): FixtureAnswers | undefined {
  const bodies = answered.filter(({ response, binary }) => response !== undefined || binary !== undefined)
  const byType = [...groupBy(bodies, ({ mimeType }) => mimeType)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  const [type = '', samples = []] = byType[0] ?? []
  const [first] = samples
  if (first === undefined || isJson(first)) return undefined
  const isBinary = first.binary !== undefined
  const small = samples.filter((sample) => textOf(sample).length <= MAX_BYTES)
  const others = byType
    .slice(1)
    .map(([other]) => `also answered ${other || 'no type'}, which is not simulated`)
  const large = small.length < samples.length ? ['answers over 1 MiB are not simulated'] : []
  if (small.length === 0) return undefined
  const known = findVariants(small, folded, textOf)
  const isFew = known !== undefined && known.bodies.size <= MAX_TEXTS
  const variants = isFew ? known : firstOf(small)
  const varied = isFew ? [] : ['answers differ for no reason that was found; the first is given']
  return {
    variants,
    model: { type: 'string', contentMediaType: type, ...(isBinary && { contentEncoding: 'base64' }) },
    doubts: [...others, ...large, ...varied],
  }
}

function textOf({ response, binary }: Sample): string {
  return binary ?? (typeof response === 'string' ? response : JSON.stringify(response))
}

function firstOf(samples: readonly Sample[]): Variants {
  const [first] = samples
  const usual = first && textOf(first)
  return { by: undefined, bodies: new Map(), usual, exchanges: samples.length, repeated: 0 }
}

// An answer that repeats the value it is chosen by can be found by it.
function namingField({ by, bodies }: Variants): string | undefined {
  if (by === undefined) return undefined
  const all = [...bodies]
  const [, first] = all[0] ?? []
  const names = isObject(first) ? Object.keys(first) : []
  const found = names.filter((name) =>
    all.every(([value, body]) => isObject(body) && isNamed(body[name]) && String(body[name]) === value),
  )
  return found.find((name) => name === by.name) ?? found[0]
}

function isNamed(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

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
const MIN_SAME = 3
const MIN_REPEATED = 2
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
  if (by === undefined) return exchanges >= MIN_SAME
  if (bodies.size > MAX_VARIANTS) return false
  if (repeated >= MIN_REPEATED && repeated * 2 >= bodies.size) return true
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

/** A JSON file of recorded answers, and the link that takes a route's answer from it. */
export interface FixtureData {
  readonly document: unknown
  readonly link: Readonly<Record<string, unknown>>
}

/** Answers as a fixture file: the answer itself, a list of answers that name their value, or answers by value. */
export function fixtureData({ variants, field }: FixtureAnswers, path: string): FixtureData {
  const { by, bodies, usual } = variants
  if (by === undefined)
    return { document: usual, link: { [LINK]: { fromJsonFixture: { path, pointer: '' } } } }
  if (field !== undefined) {
    const where = { [field]: by.name }
    return {
      document: [...bodies.values()],
      link: { [LINK]: { fromNestedFixture: { path, pointer: '', where } } },
    }
  }
  const usualName = [...bodies].find(([, body]) => body === usual)?.[0]
  const name = usualName ?? freeName(bodies)
  const document = { ...(usualName === undefined && { [name]: usual }), ...Object.fromEntries(bodies) }
  const pointers = [...bodies.keys()].map((value) => [value, escapeKey(value)])
  return {
    document,
    link: {
      [LINK]: {
        fromJsonFixture: {
          path,
          pointer: escapeKey(name),
          variantFrom: by.name,
          variants: Object.fromEntries(pointers) as Record<string, string>,
        },
      },
    },
  }
}

// The answer to requests without the field.
function freeName(bodies: ReadonlyMap<string, unknown>): string {
  let name = 'default'
  while (bodies.has(name)) name += '_'
  return name
}

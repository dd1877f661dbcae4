import { PSEUDONYM_TEXT } from '../redaction/secrets.ts'
import { canonicalText } from '../../engine/random.ts'
import { escapeKey } from '../../engine/schema/pointer.ts'
import { isObject, LINK, type Schema } from '../../engine/schema/schema.ts'
import { compareTexts, groupBy } from '../../grouping.ts'
import { madeKind } from '../../shape/made-values.ts'
import { MAX_LENGTH } from './examples.ts'
import type { Folded } from './fold-paths.ts'
import { isJson, type Sample } from './sample.ts'
import { isScalar, keysOf, segmentKind, type Source, sourcesOf } from './values.ts'

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
  if (variants === undefined || !(areProven(variants) || isConstant(samples, folded))) return undefined
  const field = namingField(variants)
  return { variants, ...(field !== undefined && { field }), doubts: [] }
}

// What a path without parameters always answered, where a model would make up parts of it anew, such as lists and times.
function isConstant(samples: readonly Sample[], { parameters }: Folded): boolean {
  const texts = new Set(samples.map(({ response }) => canonicalText(response)))
  return (
    parameters.length === 0 &&
    texts.size === 1 &&
    samples.every(({ method }) => method === 'GET') &&
    samples.some(({ response }) => holdsParts(response))
  )
}

function holdsParts(value: unknown): boolean {
  if (typeof value === 'string') return value.length > MAX_LENGTH || madeKind(value) !== undefined
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) && Object.values(value).some(holdsParts)
}

/** Answers that are not JSON, by the media type that most of them have; `undefined` where they are JSON or empty. */
export function findTexts(answered: readonly Sample[], folded: Folded): FixtureAnswers | undefined {
  const bodies = answered.filter(({ response, binary }) => response !== undefined || binary !== undefined)
  const byType = [...groupBy(bodies, ({ mimeType }) => mimeType)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  const [[type, samples] = ['', []], ...others] = byType
  // All of them are of one type.
  if (samples[0] !== undefined && isJson(samples[0])) return undefined
  const small = samples.filter((sample) => textOf(sample).length <= MAX_BYTES)
  const [first] = small
  if (first === undefined) return undefined
  const known = findVariants(small, folded, textOf)
  const isFew = known !== undefined && known.bodies.size <= MAX_TEXTS
  const usual = textOf(first)
  return {
    variants: isFew
      ? known
      : { by: undefined, bodies: new Map(), usual, exchanges: small.length, repeated: 0 },
    model: {
      type: 'string',
      contentMediaType: type,
      ...(first.binary !== undefined && { contentEncoding: 'base64' }),
    },
    doubts: [
      ...others.map(([other]) => `also answered ${other || 'no type'}, which is not simulated`),
      ...(small.length < samples.length ? ['answers over 1 MiB are not simulated'] : []),
      ...(isFew ? [] : ['answers differ for no reason that was found; the first is given']),
    ],
  }
}

function textOf({ response, binary }: Sample): string {
  return binary ?? (typeof response === 'string' ? response : JSON.stringify(response))
}

// An answer that repeats the value it is chosen by can be found by it.
function namingField({ by, bodies }: Variants): string | undefined {
  if (by === undefined) return undefined
  const [first] = bodies.values()
  const found = Object.keys(isObject(first) ? first : {}).filter((name) =>
    [...bodies].every(([value, body]) => {
      const named = isObject(body) ? body[name] : undefined
      return (typeof named === 'string' || typeof named === 'number') && String(named) === value
    }),
  )
  return found.find((name) => name === by.name) ?? found[0]
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
  const areSame = (group: readonly Sample[]): boolean =>
    group.every((sample) => texts.get(sample) === texts.get(group[0] as Sample))
  const variantsBy = (by: Source | undefined, groups: Groups): Variants => {
    const [largest] = [...groups.values()].toSorted((a, b) => b.length - a.length)
    const usual = (by && groups.get(undefined)) ?? largest
    const bodies = [...groups].flatMap(([value, [first]]): [string, unknown][] =>
      value === undefined || first === undefined ? [] : [[value, bodyOf(first)]],
    )
    return {
      by,
      bodies: new Map(bodies),
      usual: usual?.[0] && bodyOf(usual[0]),
      exchanges: samples.length,
      repeated: samples.length - groups.size,
    }
  }
  if (areSame(samples)) return variantsBy(undefined, new Map([[undefined, [...samples]]]))
  const sources = samples.flatMap((sample) => inputsOf(sample, folded).map(([source]) => source))
  const distinct = [...groupBy(sources, (source) => JSON.stringify(source)).values()]
  const [best] = distinct
    .map(([source]) => ({
      source: source as Source,
      groups: groupBy(samples, (sample) => valueIn(sample, source as Source, folded)),
    }))
    .filter(({ groups }) => groups.size > 1 && [...groups.values()].every(areSame))
    // Secrets come as they are, and are known by their pseudonyms alone.
    .filter(
      ({ groups }) =>
        ![...groups.keys()].some((value) => value !== undefined && value.search(PSEUDONYM_TEXT) !== -1),
    )
    .toSorted(
      (a, b) =>
        a.groups.size - b.groups.size ||
        Number(b.source.in === 'path') - Number(a.source.in === 'path') ||
        compareTexts(a.source.name, b.source.name),
    )
  return best && variantsBy(best.source, best.groups)
}

/** Exchanges by the value that chooses; `undefined` where there was none. */
type Groups = ReadonlyMap<string | undefined, readonly Sample[]>

/** Whether variants were seen often enough to be more than chance, or are so unlike that no one model fits them. */
export function areProven({ by, bodies, exchanges, repeated }: Variants): boolean {
  if (by === undefined) return exchanges >= MIN_SAME
  if (bodies.size > MAX_VARIANTS) return false
  if (repeated >= MIN_REPEATED && repeated * 2 >= bodies.size) return true
  const shapes = new Set([...bodies.values()].map((body) => keysOf(body)))
  return shapes.size === bodies.size && [...bodies.keys()].every((value) => segmentKind(value) === 'word')
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

/** A JSON file of recorded answers, and the link that takes a route's answer from it. */
export interface FixtureData {
  readonly document: unknown
  readonly link: Readonly<Record<string, unknown>>
}

/** Answers as a fixture file: the answer itself, a list of answers that name their value, or answers by value. */
export function fixtureData(
  { variants: { by, bodies, usual }, field }: FixtureAnswers,
  path: string,
): FixtureData {
  if (by === undefined)
    return { document: usual, link: { [LINK]: { fromJsonFixture: { path, pointer: '' } } } }
  if (field !== undefined) {
    const fromNestedFixture = { path, pointer: '', where: { [field]: by.name } }
    return { document: [...bodies.values()], link: { [LINK]: { fromNestedFixture } } }
  }
  const usualName = [...bodies].find(([, body]) => body === usual)?.[0]
  const name = usualName ?? freeName(bodies)
  const fromJsonFixture = {
    ...{ path, pointer: escapeKey(name), variantFrom: by.name },
    variants: Object.fromEntries([...bodies.keys()].map((value) => [value, escapeKey(value)])),
  }
  return {
    document: { ...(usualName === undefined && { [name]: usual }), ...Object.fromEntries(bodies) },
    link: { [LINK]: { fromJsonFixture } },
  }
}

// The answer to requests without the field.
function freeName(bodies: ReadonlyMap<string, unknown>): string {
  let name = 'default'
  while (bodies.has(name)) name += '_'
  return name
}

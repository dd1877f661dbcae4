import { isObject } from '../../engine/schema/schema.ts'
import { groupBy, type Mentions, segmentKind } from './values.ts'
import { nameParameters, type Segment } from './names.ts'
import type { Sample } from './sample.ts'

/** Requests that one path template covers. */
export interface Folded {
  /** The host they went to, with its port; `undefined` where hosts are not distinguished. */
  readonly host: string | undefined
  /** Such as `/users/{id}`. */
  readonly path: string
  /** The template's parameters, in order. */
  readonly parameters: readonly string[]
  readonly samples: readonly Sample[]
  /** The values of the parameters in one of the samples. */
  values(sample: Sample): Readonly<Record<string, string>>
  /** The same template with other names for its parameters, which must stay different. */
  rename(change: (name: string) => string): Folded
}

/** Words that differ under one parent are values from this many on, where what is below them is alike. */
const MIN_ALIKE = 4

/**
 * Folds concrete paths into templates. Segments that look like ids are values once two of them were seen in one place
 * or another answer holds them; words are, once answers hold two of them in one field, or four lead to the same.
 * @param host of all the samples, where it matters
 */
export function foldPaths(samples: readonly Sample[], mentions: Mentions, host?: string): readonly Folded[] {
  const folded: Folded[] = []
  const walk = (group: readonly Sample[], depth: number, before: readonly Segment[]): void => {
    const ended = group.filter(({ segments }) => segments.length <= depth)
    if (ended.length > 0) folded.push(foldedOf(host, before, ended))
    const byLiteral = groupBy(
      group.filter(({ segments }) => segments.length > depth),
      ({ segments }) => segments[depth] ?? '',
    )
    for (const { literals, field } of partition(byLiteral, depth, mentions)) {
      const inside = literals.flatMap((literal) => byLiteral.get(literal) ?? [])
      const [only = ''] = literals
      const segment: Segment = field === undefined ? { literal: only } : { field, kind: segmentKind(only) }
      walk(inside, depth + 1, [...before, segment])
    }
  }
  walk(samples, 0, [])
  return folded
}

function foldedOf(
  host: string | undefined,
  segments: readonly Segment[],
  samples: readonly Sample[],
): Folded {
  return named(host, segments, nameParameters(segments), samples)
}

function named(
  host: string | undefined,
  segments: readonly Segment[],
  names: readonly (string | undefined)[],
  samples: readonly Sample[],
): Folded {
  const parts = segments.map((segment, index) =>
    'literal' in segment ? encodeSegment(segment.literal) : `{${names[index] ?? ''}}`,
  )
  return {
    host,
    path: `/${parts.join('/')}`,
    parameters: names.filter((name) => name !== undefined),
    samples,
    values: (sample) =>
      Object.fromEntries(
        names.flatMap((name, index) => (name === undefined ? [] : [[name, sample.segments[index] ?? '']])),
      ),
    rename: (change) =>
      named(
        host,
        segments,
        names.map((name) => (name === undefined ? name : change(name))),
        samples,
      ),
  }
}

// Braces in a literal would read as a parameter.
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|40|24|2C|2B|3D|26|3B)/g, decodeURIComponent)
}

interface Part {
  readonly literals: readonly string[]
  /** The field that the values were seen in, empty where none was; absent for a literal. */
  readonly field?: string
}

function partition(
  byLiteral: ReadonlyMap<string, readonly Sample[]>,
  depth: number,
  mentions: Mentions,
): readonly Part[] {
  const literals = [...byLiteral.keys()]
  const kinds = groupBy(literals, segmentKind)
  const words = kinds.get('word') ?? []
  kinds.delete('word')
  const fieldsOf = (literal: string): ReadonlySet<string> =>
    mentions.fieldsOf(literal, new Set(byLiteral.get(literal)?.map(({ index }) => index)))

  const values: Part[] = []
  const fixed: string[] = []
  const single: string[] = []
  for (const [kind, alike] of kinds) {
    const seen = alike.map(fieldsOf)
    const field = kind === 'number' ? numberField(seen) : sharedField(seen, 1)
    if (alike.length > 1 || field !== undefined) values.push({ literals: alike, field: field ?? '' })
    else single.push(...alike)
  }
  // Words that their own answers repeat in one field are values, however unlike the rest of the answers is.
  const echoed = echoedWords(words, byLiteral)
  if (echoed !== undefined) values.push(echoed)
  const others = words.filter((word) => echoed?.literals.includes(word) !== true)
  for (const alike of groupBy(others, (word) => shapeBelow(byLiteral.get(word) ?? [], depth)).values()) {
    const seen = alike.filter((word) => fieldsOf(word).size > 0)
    const field = sharedField(seen.map(fieldsOf), 2)
    const areAlike = depth > 0 && alike.length >= MIN_ALIKE
    if (field !== undefined && seen.length * 2 > alike.length) values.push({ literals: alike, field })
    else if (areAlike) values.push({ literals: alike, field: '' })
    else fixed.push(...alike)
  }
  // What looks like an id is one where there are others, of whatever form.
  if (values.length > 0 && single.length > 0) values.push({ literals: single, field: '' })
  else fixed.push(...single)
  const isRefused = (word: string): boolean =>
    byLiteral.get(word)?.every(({ status }) => status >= 400) ?? false
  // What never succeeded beside values that did is a value that was refused.
  const refused = values.length > 0 ? fixed.filter(isRefused) : []
  if (refused.length > 0) values.push({ literals: refused, field: '' })
  const names = fixed.filter((literal) => !refused.includes(literal))
  return [...joinValues(values), ...names.map((literal) => ({ literals: [literal] }))]
}

// Values of several forms in one place, such as numbers and slugs, are one parameter.
function joinValues(values: readonly Part[]): readonly Part[] {
  if (values.length < 2) return values
  const field = values.map((part) => part.field).find((name) => name !== '') ?? ''
  return [{ literals: values.flatMap(({ literals }) => literals), field }]
}

// A field that held the most of the values; ids of any one field prove more than chance meetings in many.
function sharedField(sets: readonly ReadonlySet<string>[], least: number): string | undefined {
  const counts = new Map<string, number>()
  for (const set of sets) for (const field of set) counts.set(field, (counts.get(field) ?? 0) + 1)
  const sorted = [...counts].toSorted(
    ([a, most], [b, more]) => more - most || Number(isIdName(b)) - Number(isIdName(a)) || (a < b ? -1 : 1),
  )
  const [best] = sorted
  return best !== undefined && best[1] >= least ? best[0] : undefined
}

// Numbers meet prices and counts by chance: such a field must hold most of them.
function numberField(sets: readonly ReadonlySet<string>[]): string | undefined {
  const field = sharedField(sets, 1)
  if (field === undefined || isIdName(field)) return field
  const times = sets.filter((set) => set.has(field)).length
  return times >= 2 && times * 2 >= sets.length ? field : undefined
}

function isIdName(name: string): boolean {
  return /(^|[a-z_-])(id|uuid|key|slug|name|login|code|number)$/i.test(name)
}

function echoedWords(
  words: readonly string[],
  byLiteral: ReadonlyMap<string, readonly Sample[]>,
): Part | undefined {
  const fields = words.map((word) => {
    const answers = (byLiteral.get(word) ?? []).filter(({ status }) => status < 300)
    const bodies = answers.map(({ response }) => response).filter((body) => isObject(body))
    const names = Object.keys(bodies[0] ?? {}).filter((name) => bodies.every((body) => body[name] === word))
    return new Set(answers.length === bodies.length ? names : [])
  })
  const field = sharedField(fields, 2)
  if (field === undefined) return undefined
  return { literals: words.filter((_, index) => fields[index]?.has(field) === true), field }
}

// What requests below a segment ask and get, so that `/users` and `/orders` are not taken for values of one parameter.
function shapeBelow(samples: readonly Sample[], depth: number): string {
  const answers = samples
    .filter(({ status }) => status < 400)
    .map(({ method, segments, response }) => {
      const below = segments
        .slice(depth + 1)
        .map((segment) => (segmentKind(segment) === 'word' ? segment : '{}'))
      return `${method} ${below.join('/')} ${keysOf(response)}`
    })
  return [...new Set(answers)].toSorted()[0] ?? ''
}

function keysOf(value: unknown): string {
  if (Array.isArray(value)) return `[${keysOf(value[0])}]`
  return isObject(value) ? Object.keys(value).toSorted().slice(0, 3).join(',') : typeof value
}

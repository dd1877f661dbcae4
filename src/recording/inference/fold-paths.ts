import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts, countEach, groupBy } from '../../grouping.ts'
import { nameParameters, type Segment } from './names.ts'
import { isCollection, itemNames } from './item-words.ts'
import type { Sample } from './sample.ts'
import { encodeSegment } from '../../routing/path-template.ts'
import { findDavTree } from '../protocols/webdav.ts'
import {
  chosenWords,
  findMade,
  groupAlike,
  isApiRoot,
  isDrawnIn,
  isIdName,
  rankOfId,
  isReserved,
  type MadePaths,
} from './segment-evidence.ts'
import { withSuffixes } from './suffixes.ts'
import { mayBeDrawn, type Mentions, segmentKind } from './values.ts'

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

/** The requests that a template of a host covers. */
export function samplesAt(all: readonly Folded[], host: Folded['host'], path: string): readonly Sample[] {
  return all.find((each) => each.host === host && each.path === path)?.samples ?? []
}

/** Words that differ under one parent are values from this many on, where what is requested of them is alike. */
const MIN_ALIKE = 4
/** The same where all of it is further below, such as the values of a label in `/label/{name}/values`. */
const MIN_ABOVE = 3

/**
 * Folds concrete paths into templates. Segments that look like ids are values once two of them were seen in one place
 * or another answer holds them; words are, once a request made what they name, answers hold two of them in one field, or
 * four lead to the same.
 * @param host of all the samples, where it matters
 */
export function foldPaths(samples: readonly Sample[], mentions: Mentions, host?: string): readonly Folded[] {
  const byDepth = groupBy(samples, ({ segments }) => segments.length > MAX_SEGMENTS)
  const deep = groupBy(byDepth.get(true) ?? [], ({ segments }) => segments.slice(0, MAX_SEGMENTS).join('/'))
  const trees = [...deep].map(([above, inside]) => treeOf(host, above.split('/'), inside))
  return [...foldAlike(withSuffixes(byDepth.get(false) ?? []), mentions, host), ...trees]
}

/** What is further below is one parameter: no API has as many names in a path. */
const MAX_SEGMENTS = 100

function foldAlike(samples: readonly Sample[], mentions: Mentions, host?: string): readonly Folded[] {
  const made = findMade(samples)
  const tree = findDavTree(samples, made)
  const inTree = tree === undefined ? [] : samples.filter(tree.has)
  const others = tree === undefined ? samples : samples.filter((sample) => !tree.has(sample))
  const first = foldBy(others, { mentions, made, names: new Set() }, host)
  const names = new Set(wordsIn(first))
  const folded = names.size === 0 ? first : foldBy(others, { mentions, made, names }, host)
  return tree === undefined || inTree.length === 0 ? folded : [...folded, treeOf(host, tree.above, inTree)]
}

/** What is known of the whole recording. */
interface Evidence {
  readonly mentions: Mentions
  readonly made: MadePaths
  /** Words that are values in some place, and so in others: `/users/ann` and `/repos/ann/tools`. */
  readonly names: ReadonlySet<string>
}

function foldBy(samples: readonly Sample[], evidence: Evidence, host: string | undefined): readonly Folded[] {
  const folded: Folded[] = []
  const walk = (group: readonly Sample[], depth: number, before: readonly Segment[]): void => {
    const ended = group.filter(({ segments }) => segments.length <= depth)
    for (const own of groupBy(ended, ({ suffix }) => suffix).values())
      folded.push(named(host, before, nameParameters(before), own))
    const further = group.filter(({ segments }) => segments.length > depth)
    const bracketed = groupBy(further, ({ segments }) => inBrackets(segments[depth] ?? '')?.after)
    const byLiteral = groupBy(bracketed.get(undefined) ?? [], ({ segments }) => segments[depth] ?? '')
    for (const [after, inside] of bracketed) {
      const key = inBrackets(inside[0]?.segments[depth] ?? '')?.key ?? ''
      if (after !== undefined)
        walk(inside, depth + 1, [...before, { field: '', kind: segmentKind(key), after }])
    }
    const last = before.at(-1)
    const isNamed = last === undefined || ('literal' in last && isApiRoot(last.literal))
    for (const { literals, field } of partition(byLiteral, { ...evidence, depth, isNamed })) {
      const inside = literals.flatMap((literal) => byLiteral.get(literal) ?? [])
      const [only = ''] = literals
      const segment = field === undefined ? { literal: only } : { field, kind: segmentKind(only) }
      walk(inside, depth + 1, [...before, segment])
    }
  }
  walk(samples, 0, [])
  return folded
}

const IN_BRACKETS =
  /^([A-Za-z_][\w.]*)\((-?\d+(?:\.\d+)?|'.*'|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[A-Za-z_]\w*=.*)\)$/is

// Keys may be in brackets after the name of what has them: `Books(5)`, `Stock(Store='a',Item=7)`.
function inBrackets(segment: string): { readonly after: string; readonly key: string } | undefined {
  const [, after, key] = IN_BRACKETS.exec(segment) ?? []
  return after === undefined || key === undefined ? undefined : { after, key }
}

// All below a path, however deep.
function treeOf(host: string | undefined, above: readonly string[], samples: readonly Sample[]): Folded {
  const path = ['', ...above.map(encodeSegment), '{path*}'].join('/')
  const folded: Folded = { host, path, parameters: [], samples, values: () => ({}), rename: () => folded }
  return folded
}

// The values of parameters that are words.
function wordsIn(folded: readonly Folded[]): readonly string[] {
  const values = folded.flatMap((each) =>
    each.samples.flatMap((sample) => Object.values(each.values(sample))),
  )
  return values.filter((value) => value.length > 1 && segmentKind(value) === 'word')
}

function named(
  host: string | undefined,
  segments: readonly Segment[],
  names: readonly (string | undefined)[],
  samples: readonly Sample[],
): Folded {
  const parts = segments.map((segment, index) => {
    if ('literal' in segment) return encodeSegment(segment.literal)
    const parameter = `{${names[index] ?? ''}}`
    return segment.after === undefined ? parameter : `${segment.after}(${parameter})`
  })
  const valueOf = (segment = '', index: number): string => {
    const template = segments[index]
    const isBracketed = template !== undefined && 'after' in template
    return isBracketed ? (inBrackets(segment)?.key ?? segment) : segment
  }
  return {
    host,
    path: `/${parts.join('/')}${samples[0]?.suffix ?? ''}`,
    parameters: names.filter((name) => name !== undefined),
    samples,
    values: (sample) =>
      Object.fromEntries(
        names.flatMap((name, index) =>
          name === undefined ? [] : [[name, valueOf(sample.segments[index], index)]],
        ),
      ),
    rename: (change) =>
      named(
        host,
        segments,
        names.map((name) => name && change(name)),
        samples,
      ),
  }
}

interface Part {
  readonly literals: readonly string[]
  /** The field that the values were seen in, empty where none was; absent for a literal. */
  readonly field?: string
}

/** What is known of the place that segments stand at. */
interface Place extends Evidence {
  readonly depth: number
  /** Whether names of resources are more likely there than values, as at the beginning of paths. */
  readonly isNamed: boolean
}

function partition(
  byLiteral: ReadonlyMap<string, readonly Sample[]>,
  { depth, mentions, made, names, isNamed }: Place,
): readonly Part[] {
  const literals = [...byLiteral.keys()]
  const fieldsOf = (literal: string): ReadonlySet<string> =>
    mentions.fieldsOf(literal, new Set(byLiteral.get(literal)?.map(({ index }) => index)))
  // Of what is drawn, some has no digit: it is an id where another answer says so.
  const isId = (literal: string): boolean => mayBeDrawn(literal) && [...fieldsOf(literal)].some(isIdName)
  const kinds = groupBy(literals, (literal) => (isId(literal) ? 'hash' : segmentKind(literal)))
  const ofWords = kinds.get('word') ?? []
  kinds.delete('word')
  const isFixed = (word: string): boolean =>
    isReserved(word) && !isDrawnIn(word, byLiteral.get(word)?.[0]?.segments.slice(0, depth) ?? [], made)
  const words = ofWords.filter((word) => !isFixed(word))

  const values: Part[] = []
  const fixed: string[] = ofWords.filter(isFixed)
  const single: string[] = []
  for (const [kind, alike] of kinds) {
    const seen = alike.map(fieldsOf)
    const field = kind === 'number' ? numberField(seen) : sharedField(seen, 1)
    if (alike.length > 1 || field !== undefined) values.push({ literals: alike, field: field ?? '' })
    else for (const word of alike) single.push(word)
  }
  // Words that their own answers repeat in one field are values, however unlike the rest of the answers is.
  const echoed = echoedWords(words, byLiteral)
  if (echoed !== undefined) values.push(echoed)
  const others = words.filter((word) => echoed?.literals.includes(word) !== true)
  const chosen = chosenWords(others, byLiteral, { depth, made, isNamed })
  for (const { words: alike, isAbove } of groupAlike(byLiteral, others, depth)) {
    const seen = alike.map(fieldsOf).filter(({ size }) => size > 0)
    const field = sharedField(seen, 2)
    // Two are enough where another answer holds one of them.
    const least = isAbove ? MIN_ABOVE - Number(seen.length > 0) : MIN_ALIKE
    const areAlike = !isNamed && alike.length >= least
    // What a server says of its own resources are their names.
    const areNames = isNamed && alike.every((word) => isCollection(byLiteral.get(word) ?? [], depth))
    if (field !== undefined && seen.length * 2 > alike.length && !areNames)
      values.push({ literals: alike, field })
    else if (
      areAlike ||
      alike.some((word) => isEncoded(word) || chosen.has(word) || (!isNamed && names.has(word)))
    )
      values.push({ literals: alike, field: '' })
    else for (const word of alike) fixed.push(word)
  }
  if (values.length === 0) return [...fixed, ...single].map((literal) => ({ literals: [literal] }))
  // Beside values, what looks like an id is one of whatever form, and what never succeeded is a value that was refused.
  const isRefused = (literal: string): boolean =>
    !isReserved(literal) && byLiteral.get(literal)?.every(({ status }) => status >= 400) === true
  const field = values.map((part) => part.field).find((name) => name !== '') ?? ''
  // So is what answers hold in the same field, though it was only removed.
  const isRemoved = (literal: string): boolean =>
    field !== '' &&
    byLiteral.get(literal)?.every(({ method }) => method === 'DELETE') === true &&
    fieldsOf(literal).has(field)
  // So is what has the same below it as they have.
  const below = (alike: readonly string[]): ReadonlySet<string> =>
    new Set(alike.flatMap((literal) => restsOf(byLiteral.get(literal) ?? [], depth)))
  const ofValues = below(values.flatMap(({ literals: alike }) => alike))
  const hasSameBelow = (literal: string): boolean => {
    const own = isReserved(literal) ? [] : [...below([literal])]
    return !isNamed && own.length > 0 && own.every((rest) => ofValues.has(rest))
  }
  // So is another name of an item.
  const namesItem = itemNames(
    values.flatMap(({ literals: alike }) => alike.flatMap((each) => byLiteral.get(each) ?? [])),
    depth,
  )
  const isValue = (literal: string): boolean =>
    isRefused(literal) ||
    isRemoved(literal) ||
    hasSameBelow(literal) ||
    namesItem(literal, byLiteral.get(literal) ?? [])
  // Values of several forms in one place, such as numbers and slugs, are one parameter.
  const joined = {
    literals: [...values.flatMap(({ literals }) => literals), ...single, ...fixed.filter(isValue)],
    field,
  }
  const literal = fixed.filter((each) => !isValue(each))
  return [joined, ...literal.map((each) => ({ literals: [each] }))]
}

// What was requested below a segment, by method.
function restsOf(samples: readonly Sample[], depth: number): readonly string[] {
  const further = samples.filter(({ segments }) => segments.length > depth + 1)
  return further.map(({ method, segments }) => `${method} ${segments.slice(depth + 1).join('/')}`)
}

// A slash within a segment was encoded, which only values are.
function isEncoded(segment: string): boolean {
  return segment.includes('/')
}

// A field that held the most of the values; ids of any one field prove more than chance meetings in many.
function sharedField(sets: readonly ReadonlySet<string>[], least: number): string | undefined {
  const [best] = [...countEach(sets.flatMap((set) => [...set]))].toSorted(
    ([a, most], [b, more]) => more - most || rankOfId(a) - rankOfId(b) || compareTexts(a, b),
  )
  return best !== undefined && best[1] >= least ? best[0] : undefined
}

// Numbers meet prices and counts by chance: such a field must hold most of them.
function numberField(sets: readonly ReadonlySet<string>[]): string | undefined {
  const field = sharedField(sets, 1)
  if (field === undefined || isIdName(field)) return field
  const times = sets.filter((set) => set.has(field)).length
  return times >= 2 && times * 2 >= sets.length ? field : undefined
}

function echoedWords(
  words: readonly string[],
  byLiteral: ReadonlyMap<string, readonly Sample[]>,
): Part | undefined {
  const fields = words.map((word) => {
    // What answers a deletion need not have anything of what is gone.
    const answers = (byLiteral.get(word) ?? []).filter(
      ({ status, method }) => status < 300 && method !== 'DELETE',
    )
    const bodies = answers.map(({ response }) => response).filter((body) => isObject(body))
    const names = Object.keys(bodies[0] ?? {}).filter((name) => bodies.every((body) => body[name] === word))
    return new Set(answers.length === bodies.length ? names : [])
  })
  const field = sharedField(fields, 2)
  if (field === undefined) return undefined
  return { literals: words.filter((_, index) => fields[index]?.has(field) === true), field }
}

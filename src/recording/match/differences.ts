import type { BodyValue } from './body-value.ts'
import type { RequestHead } from './match.ts'
import { pointerBelow } from '../../engine/schema/pointer.ts'
import { entryOf } from '../../grouping.ts'
import { shown } from '../../shape/finding.ts'

const MAX_DIFFERENCES = 20
const BEFORE = 20

/** What differs between a request's body and a recorded one, by JSON pointer where both have values. */
export function bodyDifferences(requested: BodyValue, recorded: BodyValue): string[] {
  if ('value' in requested && 'value' in recorded && requested.kind === recorded.kind) {
    const found = [...valueDifferences(requested.value, recorded.value)].map(
      (each) =>
        `body ${each.pointer === '' ? '' : `${each.pointer}: `}${shown(each.recorded)} instead of ${shown(each.requested)}`,
    )
    return firstOf(found, 'body: ')
  }
  if (requested.kind === 'text' && recorded.kind === 'text')
    return requested.text === recorded.text ? [] : [`body: ${textDifference(requested.text, recorded.text)}`]
  const [is, was] = [describe(requested), describe(recorded)]
  if (is !== was) return [`body: ${was} instead of ${is}`]
  return 'sha256' in requested && 'sha256' in recorded && requested.sha256 !== recorded.sha256
    ? [`body: other ${requested.bytes} bytes`]
    : []
}

/** The first of what differs, and how much more there is. */
export function firstOf(differences: readonly string[], of = ''): string[] {
  const left = differences.length - MAX_DIFFERENCES
  return [...differences.slice(0, MAX_DIFFERENCES), ...(left > 0 ? [`${of}${left} more`] : [])]
}

/** A value of a request that is another one than was recorded; one of them may be missing. */
export interface ValueDifference {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string
  readonly requested: unknown
  readonly recorded: unknown
}

/** What differs between two JSON values. */
export function* valueDifferences(
  requested: unknown,
  recorded: unknown,
  pointer = '',
): Generator<ValueDifference> {
  if (isTree(requested) && isTree(recorded) && Array.isArray(requested) === Array.isArray(recorded)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(requested)]))
      yield* valueDifferences(ownOf(requested, name), ownOf(recorded, name), pointerBelow(pointer, name))
  } else if (isTree(requested) || isTree(recorded) || requested !== recorded)
    yield { pointer, requested, recorded }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

function ownOf(tree: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(tree, name) ? tree[name] : undefined
}

function describe(body: BodyValue): string {
  if (body.kind === 'none') return 'nothing'
  if (body.kind === 'omitted') return 'one that was left out'
  if (body.kind === 'bytes') return `${body.bytes} bytes`
  return body.kind === 'text' ? `a text of ${body.text.length} letters` : NAMES[body.kind]
}

const NAMES = { json: 'JSON', form: 'a form', parts: 'a multipart form' }

// Both from a little before the first letter that differs.
function textDifference(requested: string, recorded: string): string {
  let at = 0
  while (requested[at] === recorded[at]) at++
  const [is, was] = [requested, recorded].map((text) => shown(text.slice(Math.max(0, at - BEFORE))))
  return at > BEFORE ? `${was} instead of ${is}, from letter ${at - BEFORE}` : `${was} instead of ${is}`
}

/** What differs between a request and a recorded one, their bodies aside; nothing when they are equal. */
export function headDifferences(requested: RequestHead, recorded: RequestHead): string[] {
  const differences: string[] = []
  const note = (what: string, one: string, other: string): void => {
    if (one !== other) differences.push(`${what} ${one} instead of ${other}`)
  }
  note('method', recorded.method, requested.method)
  if (requested.host !== undefined) note('host', recorded.host ?? '', requested.host)
  note('path', recorded.path, requested.path)
  for (const part of ['query', 'header'] as const) {
    const [was, is] =
      part === 'query'
        ? [valuesByName(recorded.query), valuesByName(requested.query)]
        : [valuesByName(recorded.headers), valuesByName(requested.headers)]
    for (const name of new Set([...is.keys(), ...was.keys()]))
      note(`${part} ${name}:`, textOf(was.get(name)), textOf(is.get(name)))
  }
  return differences
}

/** How far a recorded request is from the one requested; what differs in method or path is farther than anything else. */
export function headDistance(requested: RequestHead, recorded: RequestHead): number {
  const other = headDifferences(
    { ...requested, method: recorded.method, path: recorded.path },
    recorded,
  ).length
  return other + (requested.method === recorded.method ? 0 : 2) + pathDistance(requested.path, recorded.path)
}

function pathDistance(requested: string, recorded: string): number {
  if (requested === recorded) return 0
  const [one, other] = [requested.split('/'), recorded.split('/')]
  const longest = Math.max(one.length, other.length)
  let differing = 0
  for (let at = 0; at < longest; at++) if (one[at] !== other[at]) differing++
  return 1 + differing
}

function valuesByName(pairs: RequestHead['query']): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) entryOf(values, name, () => []).push(value)
  return values
}

function textOf(values: readonly string[] | undefined): string {
  return values === undefined ? 'nothing' : values.join(', ')
}

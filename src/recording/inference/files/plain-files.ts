import { isObject } from '../../../engine/schema/schema.ts'
import { entryOf } from '../../../grouping.ts'
import { nameParameters } from '../names.ts'
import type { Sample } from '../sample.ts'
import { findMade, type MadePaths } from '../segment-evidence.ts'
import type { FileRule } from './file-rule.ts'

/** What the bodies of an exchange are, by a digest of their bytes; absent where there are none. */
export interface Bodies {
  readonly sent?: string
  readonly answered?: string
}

/** In place of the digest of a body that was left out of the recording. */
export const UNKNOWN = 'unknown'

/**
 * Rules for files that are put, read and deleted at their paths: where later GETs answer the bytes that a PUT has sent,
 * and not all of it are JSON objects, which may be items of collections. Those of items, such as `/users/7/avatar`, have
 * rules of their own.
 * @param bodies of samples, by their index
 */
export function plainRules(
  samples: readonly Sample[],
  bodies: (index: number) => Bodies,
): readonly FileRule[] {
  const sentTo = new Set(samples.filter((sample) => isStoring(sample, bodies)).map(segmentsText))
  if (sentTo.size === 0) return []
  const items = itemPathsOf(samples)
  const places = new Map<string, Place>()
  const sent = new Map<string, { readonly bytes: string | undefined; readonly isItem: boolean }>()
  const able = samples.filter((sample) => sentTo.has(segmentsText(sample)))
  for (const sample of able.toSorted((a, b) => a.index - b.index)) {
    const { method, status, segments, body } = sample
    const path = segmentsText(sample)
    const own = bodies(sample.index)
    const template = templateOf(segments, items)
    const key = isOfItems(template) ? JSON.stringify(template) : (segments[0] ?? '')
    const place = entryOf(places, key, () => ({ template, put: [], same: 0, other: 0, plain: 0 }))
    if (isStoring(sample, bodies)) {
      sent.set(path, { bytes: own.sent, isItem: isObject(body) })
      if (own.answered === own.sent && own.sent !== UNKNOWN) place.other++
      place.put.push(sample)
    } else if (method !== 'GET' && status < 300) sent.delete(path)
    else if (status === 200 && sent.has(path)) {
      const before = sent.get(path)
      const isUnknown = [own.answered, before?.bytes].includes(UNKNOWN)
      if (!isUnknown) place[own.answered === before?.bytes ? 'same' : 'other']++
      if (before?.isItem !== true) place.plain++
    }
  }
  const stored = [...places.values()].filter(({ other, plain }) => other === 0 && plain > 0)
  if (stored.reduce((sum, { same }) => sum + same, 0) < 2) return []
  const made = findMade(samples)
  return stored.flatMap(({ put, template }) =>
    isOfItems(template) ? rulesOfItems(template) : rulesBelow(put, made),
  )
}

function isStoring({ method, status, headers, index }: Sample, bodies: (index: number) => Bodies): boolean {
  return method === 'PUT' && status < 300 && bodies(index).sent !== undefined && !('content-range' in headers)
}

function segmentsText({ segments }: Pick<Sample, 'segments'>): string {
  return segments.join('/')
}

/** The segments of a path; `undefined` where one is the id of an item. */
type Template = readonly (string | undefined)[]

/** Where files are: below a folder, or below each item of a collection. */
interface Place {
  readonly template: Template
  readonly put: Sample[]
  /** How many GETs answered what was put, and something else; and how many of them no JSON object. */
  same: number
  other: number
  plain: number
}

// The paths of items: JSON objects that have the last segment of their path in them.
function itemPathsOf(samples: readonly Sample[]): ReadonlySet<string> {
  const isNamed = (value: unknown, id: string | undefined, depth = 0): boolean =>
    isObject(value)
      ? depth < 2 && Object.values(value).some((each) => isNamed(each, id, depth + 1))
      : depth > 0 && (typeof value === 'string' || typeof value === 'number') && String(value) === id
  const named = samples.filter(
    ({ status, response, segments }) => status < 300 && isNamed(response, segments.at(-1)),
  )
  return new Set(named.map(segmentsText))
}

function templateOf(segments: readonly string[], items: ReadonlySet<string>): Template {
  const isItem = (at: number): boolean =>
    at < segments.length - 1 && items.has(segmentsText({ segments: segments.slice(0, at + 1) }))
  return segments.map((segment, at) => (isItem(at) ? undefined : segment))
}

function isOfItems(template: Template): boolean {
  return template.includes(undefined)
}

function rulesOfItems(template: Template): readonly FileRule[] {
  const names = nameParameters(
    template.map((literal) => (literal === undefined ? { field: 'id', kind: 'word' } : { literal })),
  )
  const path = template.map((literal, at) =>
    literal === undefined ? `/{${names[at]}}` : `/${encodeURIComponent(literal)}`,
  )
  return rulesAt(path.join(''), { in: path.slice(0, -1).join(''), key: path.at(-1)?.slice(1) ?? '' })
}

function rulesAt(path: string, place: { readonly in: string; readonly key: string }): readonly FileRule[] {
  return [
    { method: 'PUT', path, options: { action: 'put', ...place } },
    { method: 'GET', path, options: { action: 'get', ...place } },
    { method: 'DELETE', path, options: { action: 'delete', ...place } },
  ]
}

// Below the segments that all files share, and that no client chose.
function rulesBelow(put: readonly Sample[], made: MadePaths): readonly FileRule[] {
  const paths = put.map(({ segments }) => segments)
  const [first = []] = paths
  let depth = 0
  const isChosen = (): boolean => made.has(segmentsText({ segments: first.slice(0, depth + 1) }))
  while (!isChosen() && paths.every((path) => path.length > depth + 1 && path[depth] === first[depth]))
    depth++
  const folder = first
    .slice(0, depth)
    .map((segment) => `/${encodeURIComponent(segment)}`)
    .join('')
  const whole = folder === '' ? '/' : folder
  return [
    ...rulesAt(`${folder}/{path*}`, { in: whole, key: '{path}' }),
    { method: 'GET', path: whole, options: { action: 'list', in: whole, list: { delimiter: '/' } } },
  ]
}

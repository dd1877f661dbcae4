import { isObject } from '../../../engine/schema/schema.ts'
import { entryOf } from '../../../grouping.ts'
import { nameParameters } from '../names.ts'
import type { Sample } from '../sample.ts'
import type { FileRule } from './file-rule.ts'

/** What the bodies of an exchange are, by a digest of their bytes; absent where there are none. */
export interface Bodies {
  readonly sent?: string
  readonly answered?: string
}

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
  const items = itemPathsOf(samples)
  const places = new Map<string, Place>()
  const sent = new Map<string, { readonly bytes: string; readonly isItem: boolean }>()
  for (const sample of samples.toSorted((a, b) => a.index - b.index)) {
    const { method, status, segments, body, headers } = sample
    const path = segments.join('/')
    const own = bodies(sample.index)
    const template = templateOf(segments, items)
    const key = template.some((id) => id) ? JSON.stringify(literalsOf(segments, template)) : segments[0]
    const place = entryOf(places, key ?? '', () => ({ template, put: [], same: 0, other: 0, plain: 0 }))
    if (method === 'PUT' && status < 300 && own.sent !== undefined && !('content-range' in headers)) {
      sent.set(path, { bytes: own.sent, isItem: isObject(body) })
      if (own.answered === own.sent) place.other++
      place.put.push(sample)
    } else if (method !== 'GET' && status < 300) sent.delete(path)
    else if (status === 200 && sent.has(path)) {
      const before = sent.get(path)
      if (own.answered === before?.bytes) place.same++
      else place.other++
      if (before?.isItem !== true) place.plain++
    }
  }
  const stored = [...places.values()].filter(({ other, plain }) => other === 0 && plain > 0)
  if (stored.reduce((sum, { same }) => sum + same, 0) < 2) return []
  return stored.flatMap(({ put, template }) =>
    template.some((id) => id) ? rulesOfItems(put, template) : rulesBelow(put),
  )
}

/** Where files are: below a folder, or below each item of a collection. */
interface Place {
  /** Which segments of its paths are ids of items. */
  readonly template: readonly boolean[]
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
  return new Set(named.map(({ segments }) => segments.join('/')))
}

function templateOf(segments: readonly string[], items: ReadonlySet<string>): readonly boolean[] {
  return segments.map((_, at) => at < segments.length - 1 && items.has(segments.slice(0, at + 1).join('/')))
}

function literalsOf(segments: readonly string[], template: readonly boolean[]): readonly unknown[] {
  return segments.map((segment, at) => template[at] !== true && segment)
}

function rulesOfItems(put: readonly Sample[], template: readonly boolean[]): readonly FileRule[] {
  const segments = put[0]?.segments ?? []
  const names = nameParameters(
    segments.map((literal, at) =>
      template[at] === true ? { field: 'id', kind: 'word' as const } : { literal },
    ),
  )
  const path = segments.map((literal, at) => {
    const name = names[at]
    return name === undefined ? `/${encodeURIComponent(literal)}` : `/{${name}}`
  })
  const place = { in: path.slice(0, -1).join(''), key: path.at(-1)?.slice(1) ?? '' }
  return (['PUT', 'GET', 'DELETE'] as const).map((method) => ({
    ...{ method, path: path.join('') },
    options: { action: ACTIONS[method], ...place },
  }))
}

const ACTIONS = { PUT: 'put', GET: 'get', DELETE: 'delete' } as const

// Below the segments that all files share.
function rulesBelow(put: readonly Sample[]): readonly FileRule[] {
  const paths = put.map(({ segments }) => segments)
  const [first = []] = paths
  let depth = 0
  while (paths.every((path) => path.length > depth + 1 && path[depth] === first[depth])) depth++
  const folder = first
    .slice(0, depth)
    .map((segment) => `/${encodeURIComponent(segment)}`)
    .join('')
  const path = `${folder}/{path*}`
  const place = { in: folder === '' ? '/' : folder, key: '{path}' }
  return [
    { method: 'PUT', path, options: { action: 'put', ...place } },
    { method: 'GET', path, options: { action: 'get', ...place } },
    { method: 'DELETE', path, options: { action: 'delete', ...place } },
    {
      ...{ method: 'GET', path: folder === '' ? '/' : folder },
      options: { action: 'list', in: place.in, list: { delimiter: '/' } },
    },
  ]
}

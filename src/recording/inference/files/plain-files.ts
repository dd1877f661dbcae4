import { isObject } from '../../../engine/schema/schema.ts'
import { groupBy } from '../../../grouping.ts'
import type { Sample } from '../sample.ts'
import type { FileRule } from './file-rule.ts'

/** What the bodies of an exchange are, by a digest of their bytes; absent where there are none. */
export interface Bodies {
  readonly sent?: string
  readonly answered?: string
}

/**
 * Rules for files that are put, read and deleted at their paths: where later GETs answer the bytes that a PUT has sent,
 * and not all of it are JSON objects, which may be items of collections.
 * @param bodies of samples, by their index
 */
export function plainRules(
  samples: readonly Sample[],
  bodies: (index: number) => Bodies,
): readonly FileRule[] {
  const sent = new Map<string, { readonly bytes: string; readonly isItem: boolean }>()
  const put: Sample[] = []
  let [same, other, plain] = [0, 0, 0]
  for (const sample of samples.toSorted((a, b) => a.index - b.index)) {
    const { method, status, segments, body, headers } = sample
    const path = segments.join('/')
    const own = bodies(sample.index)
    if (method === 'PUT' && status < 300 && own.sent !== undefined && !('content-range' in headers)) {
      sent.set(path, { bytes: own.sent, isItem: isObject(body) })
      if (own.answered === own.sent) other++
      put.push(sample)
    } else if (method !== 'GET' && status < 300) sent.delete(path)
    else if (status === 200 && sent.has(path)) {
      const before = sent.get(path)
      if (own.answered === before?.bytes) same++
      else other++
      if (before?.isItem !== true) plain++
    }
  }
  if (same < 2 || other > 0 || plain === 0) return []
  const folders = groupBy(put, ({ segments }) => segments[0] ?? '')
  return [...folders.values()].flatMap(rulesBelow)
}

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

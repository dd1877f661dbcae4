import { elementAt } from '../../shape/parse-xml.ts'
import { type MadePaths, pathOfReference } from '../inference/segment-evidence.ts'
import type { Sample } from '../inference/sample.ts'
import { type Protocol, textOf } from './protocol.ts'

const METHODS = /^(PROPFIND|PROPPATCH|MKCOL|MKCALENDAR|COPY|MOVE|LOCK|UNLOCK|REPORT|ACL|SEARCH)$/
const ROOT = '/*'

/**
 * WebDAV and its extensions (RFC 4918, 3253, 4791, 6352): what a REPORT or SEARCH is for says the root element of its
 * body, and how much a PROPFIND is for its `Depth`.
 */
export const webdav: Protocol = {
  name: 'WebDAV',
  speaks: ({ method }) => METHODS.test(method),
  operations: () => (sample) => {
    const { method, headers, body } = sample
    if (method === 'PROPFIND') {
      const depth = textOf(headers['depth'])
      return depth === undefined
        ? undefined
        : { name: `depth-${depth}`, when: { header: 'depth', equals: depth } }
    }
    const name =
      typeof body === 'string' && /^(REPORT|SEARCH)$/.test(method) ? elementAt(body, ROOT) : undefined
    return name === undefined ? undefined : { name, when: { element: ROOT, equals: name } }
  },
}

/**
 * The tree of files and collections that a server has by WebDAV, in which all names are chosen by clients: the segments
 * above it, and which samples are in it; `undefined` where there is none.
 * @param made the paths of what requests made
 */
export function findDavTree(
  samples: readonly Sample[],
  made: MadePaths,
): { readonly above: readonly string[]; readonly has: (sample: Sample) => boolean } | undefined {
  const own = samples.filter(
    ({ method, status }) => METHODS.test(method) && (status === 207 || status === 201 || status === 204),
  )
  if (!own.some(({ method }) => /^(PROPFIND|MKCOL|MKCALENDAR|COPY|MOVE)$/.test(method))) return undefined
  const paths = own.flatMap(({ segments, headers }) => {
    const destination = pathOfReference(headers['destination'])
    return destination === undefined ? [segments] : [segments, destination.split('/')]
  })
  const [first = []] = paths
  let depth = 0
  while (
    paths.every((path) => path.length > depth && path[depth] === first[depth]) &&
    !made.has(first.slice(0, depth + 1).join('/')) &&
    first[depth] !== ''
  )
    depth++
  const tops = new Set(paths.map((path) => path[depth]))
  for (const path of made) tops.add(path.split('/')[depth])
  return {
    above: first.slice(0, depth),
    has: ({ segments, status }) =>
      segments.slice(0, depth).every((segment, index) => segment === first[index]) &&
      segments.length > depth &&
      segments[depth] !== '' &&
      (tops.has(segments[depth]) || status >= 400),
  }
}

import { invalid } from '../errors.ts'

const LONGEST_PATH = 4096

/**
 * The segments of an absolute path; none for the root. Repeated and trailing slashes do not count.
 * @param scheme what may stand before the path, such as `dbfs:`
 */
export function segmentsOf(path: string, scheme = ''): readonly string[] {
  const plain = scheme !== '' && path.startsWith(scheme) ? path.slice(scheme.length) : path
  if (!plain.startsWith('/')) throw invalid(`Path must be absolute: ${shorten(path)}`)
  if (plain.length > LONGEST_PATH)
    throw invalid(`Path must be at most ${LONGEST_PATH} characters long: ${shorten(path)}`)
  const segments = plain.split('/').filter((segment) => segment !== '')
  if (segments.some((segment) => segment === '.' || segment === '..'))
    throw invalid(`Path must not contain . or .. segments: ${shorten(path)}`)
  return segments
}

/** The path of segments. */
export function pathOf(segments: readonly string[]): string {
  return `/${segments.join('/')}`
}

function shorten(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}

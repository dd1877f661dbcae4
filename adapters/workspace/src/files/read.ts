import type { OperationContext } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'

const MAX_PATH = 4096

/**
 * The segments of an absolute path; none for the root. Repeated and trailing slashes do not count.
 * @param scheme what may stand before the path, such as `dbfs:`
 */
export function segmentsOf(path: string, scheme = ''): readonly string[] {
  const plain = scheme !== '' && path.startsWith(scheme) ? path.slice(scheme.length) : path
  if (!plain.startsWith('/')) throw invalid(`Path must be absolute: ${shorten(path)}`)
  if (plain.length > MAX_PATH)
    throw invalid(`Path must be at most ${MAX_PATH} characters long: ${shorten(path)}`)
  const segments = plain.split('/').filter((segment) => segment !== '')
  if (segments.some((segment) => segment === '.' || segment === '..'))
    throw invalid(`Path must not contain . or .. segments: ${shorten(path)}`)
  return segments
}

export function pathOf(segments: readonly string[]): string {
  return `/${segments.join('/')}`
}

function shorten(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}

/** The bytes of base64 text, also without padding or in its URL form. */
export function bytesOfBase64(text: string, field: string): Buffer {
  if (/^[\w+/-]*={0,2}\s*$/.test(text)) return Buffer.from(text, 'base64')
  throw workspaceError(
    'MALFORMED_REQUEST',
    `Could not parse request object: field ${field} is not valid base64.`,
  )
}

/** The parts of a multipart body by name, byte for byte; `undefined` for a body of another type. */
export async function readForm(
  context: Pick<OperationContext<unknown>, 'headers' | 'bytes'>,
): Promise<ReadonlyMap<string, Buffer> | undefined> {
  const type = context.headers['content-type']
  if (typeof type !== 'string' || !/^multipart\/form-data\b/i.test(type)) return undefined
  const response = new Response(context.bytes, { headers: { 'content-type': type } })
  const form = await response.formData().catch(() => {
    throw workspaceError('MALFORMED_REQUEST', 'Could not parse the multipart body.')
  })
  const parts = new Map<string, Buffer>()
  for (const [name, value] of form)
    parts.set(name, typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer()))
  return parts
}

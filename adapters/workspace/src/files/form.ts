import type { Visit } from 'sim-gateway/adapter'
import { workspaceError } from '../errors.ts'

/** The parts of a multipart body by name, byte for byte; `undefined` for a body of another type. */
export async function readForm(
  visit: Pick<Visit<unknown>, 'headers' | 'bytes'>,
): Promise<ReadonlyMap<string, Buffer> | undefined> {
  const type = visit.headers['content-type']
  if (typeof type !== 'string' || !/^multipart\/form-data\b/i.test(type)) return undefined
  const response = new Response(visit.bytes, { headers: { 'content-type': type } })
  const form = await response.formData().catch(() => {
    throw workspaceError('MALFORMED_REQUEST', 'Could not parse the multipart body.')
  })
  const parts = new Map<string, Buffer>()
  for (const [name, value] of form)
    parts.set(name, typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer()))
  return parts
}

import { readFile } from 'node:fs/promises'
import { StateUnavailable } from '../../errors.ts'
import type { ServerAddress, TlsFiles } from './address.ts'
import { reasonOf } from './reasons.ts'

/**
 * The options of TLS for a server, read at each connection, since certificates are renewed.
 * @throws StateUnavailable where a file cannot be read
 */
export async function readTlsFiles({ text }: ServerAddress, files: TlsFiles = {}): Promise<object> {
  const read = async (path: string): Promise<Buffer> => {
    try {
      return await readFile(path)
    } catch (error) {
      throw new StateUnavailable(`${text}: ${reasonOf(error)}`)
    }
  }
  const { cert, key, cacert } = files
  return {
    ...(cert !== undefined && { cert: await read(cert) }),
    ...(key !== undefined && { key: await read(key) }),
    ...(cacert !== undefined && { ca: await read(cacert) }),
  }
}

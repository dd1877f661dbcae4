import type { Exchange } from '../exchange.ts'

/** Headers that curl writes itself. */
const OWN = /^(host|content-length|connection|accept-encoding|transfer-encoding)$/i

/**
 * A recorded request as a curl command for a POSIX shell. Its secrets are pseudonyms, as in the recording.
 * @param body the request's body, where it has one
 */
export function toCurl({ request }: Exchange, body: string | undefined): string {
  const headers = request.headers.filter(({ name }) => !OWN.test(name))
  const method = request.method === (body === undefined ? 'GET' : 'POST') ? [] : ['-X', request.method]
  const words = [
    'curl',
    ...(request.method === 'HEAD' ? ['--head'] : method),
    request.url,
    ...headers.flatMap(({ name, value }) => ['-H', value === '' ? `${name};` : `${name}: ${value}`]),
    ...(body === undefined ? [] : ['--data-binary', body]),
  ]
  return words.map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

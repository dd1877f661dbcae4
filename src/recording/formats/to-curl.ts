import type { Exchange } from '../files/exchange.ts'

/** Headers that curl writes itself. */
const OWN = /^(host|content-length|connection|accept-encoding|transfer-encoding)$/i

/**
 * A recorded request as a curl command for a POSIX shell. Its secrets are pseudonyms, as in the recording.
 * @param body the request's body, where it has one
 */
export function toCurl({ request }: Exchange, body: string | undefined): string {
  const headers = request.headers.filter(({ name }) => !OWN.test(name))
  const method = request.method === (body === undefined ? 'GET' : 'POST') ? [] : ['-X', request.method]
  const hasType = headers.some(({ name }) => name.toLowerCase() === 'content-type')
  const words = [
    'curl',
    // Brackets and braces are ranges to curl.
    ...(/[[\]{}]/.test(request.url) ? ['--globoff'] : []),
    ...(request.method === 'HEAD' ? ['--head'] : method),
    request.url,
    ...headers.flatMap(({ name, value }) => ['-H', value === '' ? `${name};` : `${name}: ${value}`]),
    // curl would call it a form otherwise, and take a body that begins with @ for the name of a file.
    ...(body === undefined || hasType ? [] : ['-H', 'content-type:']),
    ...(body === undefined ? [] : ['--data-raw', body]),
  ]
  return words.map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

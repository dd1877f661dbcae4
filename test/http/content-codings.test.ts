import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { contentOf, readingError } from '../../src/http/content-codings.ts'
import { readBytes } from '../../src/http/read-body.ts'
import { InputInvalid } from '../../src/errors.ts'

function requestOf(encoding: string | undefined, bytes: Buffer): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  if (encoding !== undefined) request.headers['content-encoding'] = encoding
  request.push(bytes)
  request.push(null)
  return request
}

describe('the content of a request', () => {
  it.for([
    [undefined, Buffer.from('abc')],
    ['', Buffer.from('abc')],
    ['Identity', Buffer.from('abc')],
    ['gzip', gzipSync('abc')],
    [' X-Gzip ', gzipSync('abc')],
  ] as const)('is, in the encoding %j, what was encoded', async ([encoding, bytes]) => {
    expect((await readBytes(contentOf(requestOf(encoding, bytes)))).toString()).toBe('abc')
  })

  it.for(['zstd', 'gzip, br', 'constructor'])('is refused in the encoding %s', (encoding) => {
    expect(() => contentOf(requestOf(encoding, Buffer.from('')))).toThrow('send gzip or deflate or br')
  })

  it('reports its encoding’s mistakes to the client, and of nothing else', async () => {
    const request = requestOf('br', Buffer.from('no'))
    const error = await readBytes(contentOf(request)).catch((reason: unknown) => reason)
    expect(readingError(error, request)).toBeInstanceOf(InputInvalid)
    const other = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    expect(readingError(other, request)).toBe(other)
    expect(readingError('thrown', request)).toBe('thrown')
  })
})

import type { FileOptions } from '../../engine/file-option.ts'
import { conditionsOf } from '../../http/conditions.ts'
import type { Headers } from '../../message.ts'
import type { FileRequest } from './keep-file.ts'

/** A request as it came. */
interface GivenRequest {
  readonly method: string
  /** As it was sent. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** Without the question mark. */
  readonly search: string
  readonly headers: Headers
  readonly bytes: Buffer
}

/** What a request says to stored files. */
export function fileRequest(
  { method, path, params, search, headers: given, bytes }: GivenRequest,
  { ignores = [] }: FileOptions,
): Omit<FileRequest, 'now' | 'newId' | 'made'> {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
  const relevant = Object.entries(headers).filter(([name]) => !ignores.includes(name))
  const isChunked = headers['x-amz-decoded-content-length'] !== undefined
  return {
    method,
    path,
    params,
    query: Object.fromEntries(new URLSearchParams(search)),
    headers: isChunked ? withoutChunked(headers) : headers,
    conditions: conditionsOf(relevant.map(([name, value]) => ({ name, value }))),
    bytes: isChunked ? readSignedChunks(bytes) : bytes,
  }
}

function withoutChunked(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'content-encoding': coding = '', ...others } = headers
  const rest = coding.split(',').filter((each) => !['aws-chunked', ''].includes(each.trim()))
  return rest.length === 0 ? others : { ...others, 'content-encoding': rest.join(',') }
}

/** The bytes of an `aws-chunked` body: chunks with their length in hexadecimal and a signature, then trailers. */
export function readSignedChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.toString('latin1', at, end < 0 ? bytes.length : end), 16)
    if (end < 0 || Number.isNaN(length)) return bytes
    if (length === 0) break
    chunks.push(bytes.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
  return Buffer.concat(chunks)
}

/** Options with where files are, where they do not say it: the last parameter of a path is a file's name. */
export function withPlaces(options: FileOptions, path: string): FileOptions {
  const plain = path.replaceAll('*}', '}')
  const [whole = '', key] = /\/(\{[^{}]+\})$/.exec(plain) ?? []
  const collection = plain.slice(0, plain.length - whole.length) || '/'
  const isWhole = key === undefined || options.action === 'list' || options.action === 'begin'
  const own = isWhole ? { in: plain } : { in: collection, key }
  return { etag: '"{md5}"', ...own, ...options }
}

/**
 * The id that an answer gives an upload: what it calls so, or what the address of the upload ends in.
 * @param location its `Location`, if it has one
 */
export function uploadIdIn(location: string | undefined, body: string): string {
  const [, named] = /<UploadId>([^<]+)</.exec(body) ?? []
  const [path = ''] = (location ?? '').split('?', 1)
  const last = path.split('/').findLast((segment) => segment !== '') ?? ''
  return named ?? decodeURIComponent(last)
}

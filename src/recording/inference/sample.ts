import { createHash } from 'node:crypto'
import { type Content, type Exchange, inlineBytes, type NameValue, type PostData } from '../exchange.ts'
import { type MediaKind, contentKindOf } from '../../media-type.ts'
import { readBody, readExchanges } from '../files/recording-files.ts'

/** One recorded exchange as inference sees it. */
export interface Sample {
  /** Where in the recording, from 0. */
  readonly index: number
  readonly method: string
  /** Scheme and authority. */
  readonly origin: string
  /** The path's segments, percent-decoded, without the empty one of a trailing slash. */
  readonly segments: readonly string[]
  /** A repeated name is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The request body as JSON, a form's fields as texts; absent where there is none or it is neither. */
  readonly body?: unknown
  readonly status: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly mimeType: string
  /** The response body: JSON where it is, else its text; absent where there is none or it is binary. */
  readonly response?: unknown
  /** The response body in base64, where it is binary. */
  readonly binary?: string
  /** Set where a body was too much to be looked into. */
  readonly isCut?: true
}

/**
 * An exchange as a sample.
 * @param bytes the bodies' bytes where they lie in files of their own
 * @param bodies what keeps them
 */
export function sampleOf(
  exchange: Exchange,
  index: number,
  bytes: { readonly request?: Buffer | undefined; readonly response?: Buffer | undefined } = {},
  bodies = createBodies(),
): Sample {
  const { request, response } = exchange
  const url = new URL(request.url)
  const { cut } = bodies
  const body = request.postData && valueOf(request.postData, bytes.request, bodies)
  const { content } = response
  const isBinary = contentKindOf(content.mimeType) === 'binary'
  const answer = valueOf(content, bytes.response, bodies)
  const binary = isBinary ? base64Of(content, bytes.response, bodies) : undefined
  return {
    index,
    method: request.method,
    origin: url.origin,
    segments: url.pathname
      .replace(/(.)\/+$/, '$1')
      .split('/')
      .slice(1)
      .map(decode),
    query: listed(request.queryString),
    headers: joined(request.headers),
    ...(body !== undefined && { body }),
    status: response.status,
    responseHeaders: joined(response.headers),
    mimeType: content.mimeType,
    ...(answer !== undefined && { response: answer }),
    ...(binary !== undefined && { binary }),
    ...(bodies.cut > cut && { isCut: true }),
  }
}

function valueOf(body: Content | PostData, stored: Buffer | undefined, bodies: Bodies): unknown {
  const bytes = inlineBytes(body) ?? stored
  if (bytes === undefined || bytes.length === 0) return undefined
  const kind = contentKindOf(body.mimeType)
  if (kind === 'binary' || kind === 'multipart') return undefined
  const form = kind === 'json' || kind === 'form' || body.mimeType === '' ? kind : 'text'
  return bodies.read(form, bytes, () => read(kind, body.mimeType, bytes.toString('utf8')))
}

function read(kind: MediaKind, mimeType: string, text: string): unknown {
  if (kind === 'form') {
    return listed([...new URLSearchParams(text)].map(([name, value]) => ({ name, value })))
  }
  if (kind !== 'json' && mimeType !== '') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function base64Of(body: Content, stored: Buffer | undefined, bodies: Bodies): string | undefined {
  const bytes = inlineBytes(body) ?? stored
  if (bytes === undefined || bytes.length === 0) return undefined
  return bodies.read('base64', bytes, () => bytes.toString('base64')) as string | undefined
}

/** Whether an answer's body is JSON, or has no type that says otherwise. */
export function isJson({ mimeType }: Sample): boolean {
  return mimeType === '' || contentKindOf(mimeType) === 'json'
}

function listed(pairs: readonly NameValue[]): Record<string, string | string[]> {
  const values = new Map<string, string[]>()
  for (const { name, value } of pairs) values.set(name, [...(values.get(name) ?? []), value])
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]))
}

function joined(headers: readonly NameValue[]): Record<string, string> {
  const values = new Map<string, string>()
  for (const { name, value } of headers) {
    const known = values.get(name.toLowerCase())
    values.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`)
  }
  return Object.fromEntries(values)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Whether an exchange is a request and its answer: what follows a 101 is another protocol's. */
function isAnswered({ response }: Exchange): boolean {
  return response.status !== 101
}

/** Bodies that were read. Equal ones are one value, and once they are too many, no more are kept. */
interface Bodies {
  /**
   * What is made of a body; `undefined` where it is one too many.
   * @param form what it is read as: the same bytes may be JSON here and text there
   */
  read(form: string, bytes: Buffer, make: () => unknown): unknown
  /** How many were not kept. */
  readonly cut: number
}

/** @param most the bytes of different bodies that are kept */
export function createBodies(most = Infinity): Bodies {
  const known = new Map<string, unknown>()
  let [bytesKept, cut] = [0, 0]
  return {
    get cut() {
      return cut
    },
    read(form, bytes, make) {
      const key = `${form} ${createHash('sha256').update(bytes).digest('base64')}`
      if (known.has(key)) return known.get(key)
      if (bytesKept + bytes.length > most) {
        cut++
        return undefined
      }
      bytesKept += bytes.length
      const value = make()
      known.set(key, value)
      return value
    },
  }
}

/**
 * Reads a recording as inference sees it.
 * @param onProgress called after every thousand exchanges with how many were read
 * @param mostBytes of different bodies that are looked into; the others are left out
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function readSamples(
  directory: string,
  onProgress?: (count: number) => void,
  mostBytes = Infinity,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  const bodies = createBodies(mostBytes)
  for await (const sample of eachSample(directory, { onProgress, bodies })) samples.push(sample)
  return samples
}

/** How a recording is read. */
interface Reading {
  /** Called after every thousand exchanges with how many were read. */
  readonly onProgress?: ((count: number) => void) | undefined
  /** What keeps the bodies, where equal ones are to be one. */
  readonly bodies?: Bodies
  /** Which bodies are read that lie in files of their own. */
  readonly isWanted?: (body: Content | PostData) => boolean
}

/**
 * Reads a recording one exchange at a time.
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function* eachSample(
  directory: string,
  { onProgress, bodies, isWanted = () => true }: Reading,
): AsyncGenerator<Sample> {
  const stored = async (body: Content | PostData): Promise<Buffer | undefined> =>
    body._file !== undefined && isWanted(body) ? readBody(directory, body) : undefined
  let count = 0
  for await (const exchange of readExchanges(directory)) {
    if (!isAnswered(exchange)) continue
    const { postData } = exchange.request
    const request = postData && (await stored(postData))
    const response = await stored(exchange.response.content)
    yield sampleOf(exchange, count++, { request, response }, bodies)
    if (count % 1000 === 0) onProgress?.(count)
  }
}

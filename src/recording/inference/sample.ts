import { hash } from 'node:crypto'
import { jsonOf } from '../../data-files/limits.ts'
import { readForm } from '../../engine/bracket-names.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { beginsAsObject, contentKindOf } from '../../media-type.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import { type Content, type Exchange, inlineBytes, type NameValue, type PostData } from '../exchange.ts'
import { readExchanges } from '../files/recording-files.ts'
import { readBody } from '../files/read-body.ts'
import { byName } from '../../grouping.ts'
import { unsigned } from '../match/signed-urls.ts'

/** One recorded exchange as inference sees it. */
export interface Sample {
  /** Where in the recording, from 0. */
  readonly index: number
  readonly method: string
  /** Scheme and authority. */
  readonly origin: string
  /** The path's segments, percent-decoded, without the empty one of a trailing slash. */
  readonly segments: readonly string[]
  /** What of the path says in which form it is answered, such as `.json`, where the segments are without it. */
  readonly suffix?: string
  /** A repeated name is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The request body as JSON, a form's fields as texts, and what names with brackets hold; absent where there is none or it is neither. */
  readonly body?: unknown
  readonly status: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly mimeType: string
  /** The response body: JSON where it is, else its text; absent where there is none or it is binary. */
  readonly response?: unknown
  /** The response body in base64, where it is binary. */
  readonly binary?: string
  /** Set where the answer had no body, and `response` is what a later one showed. */
  readonly isEmpty?: true
  /** The whole list of the collection that was answered in place of the item that is in `response`. */
  readonly listed?: unknown
  /** Set where the request's body was said to be JSON, and was not. */
  readonly isMalformed?: true
  /** Set where the answer was said to be JSON, and was a text, such as a value a line. */
  readonly isText?: true
  /** Set where a body was too much to be looked into. */
  readonly isCut?: true
  /** The user who sent it, as far as is known, and the id of that. */
  readonly user?: Readonly<Record<string, unknown>>
  readonly caller?: string
  /** Which of the gateway's own errors it was refused as, for who sent it. */
  readonly refusedAs?: string
}

/** The path of a request, percent-encoded. */
export function pathOf({ segments, suffix = '' }: Pick<Sample, 'segments' | 'suffix'>): string {
  return `/${segments.map(encodeURIComponent).join('/')}${suffix}`
}

/** The values of those parameters of a path that are whole segments. */
export function valuesInPath(
  path: string,
  { segments }: Pick<Sample, 'segments'>,
): Readonly<Record<string, string>> {
  const parts = path.split('/').slice(1)
  if (parts.length !== segments.length) return {}
  return Object.fromEntries(
    parts.flatMap((part, at): [string, string][] => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
      return name === undefined ? [] : [[name, segments[at] ?? '']]
    }),
  )
}

/** Whether an answer has a body, whatever its type says. */
export function hasBody({ response, binary, isEmpty, isCut }: Sample): boolean {
  return isCut === true || (isEmpty !== true && (response !== undefined || binary !== undefined))
}

/** Whether an answer's body is JSON, or has no type that says otherwise. */
export function isJson({ mimeType, isText }: Sample): boolean {
  return mimeType === '' || (isText !== true && contentKindOf(mimeType) === 'json')
}

/**
 * An exchange as a sample.
 * @param bytes the bodies' bytes where they lie in files of their own
 * @param bodies what keeps them
 */
export function sampleOf(
  { request, response }: Exchange,
  index: number,
  bytes: { readonly request?: Buffer | undefined; readonly response?: Buffer | undefined } = {},
  bodies = createBodies(),
): Sample {
  const url = new URL(request.url)
  const { cut } = bodies
  const { content, status } = response
  const { postData } = request
  const body =
    postData === undefined || formOf(postData) === 'base64'
      ? undefined
      : sentValue(postData, bytes.request, bodies)
  const answer = valueOf(content, bytes.response, bodies)
  const isBinary = formOf(content) === 'base64'
  return {
    index,
    method: request.method,
    origin: url.origin,
    segments: url.pathname
      .replace(/(?<!.\/)(?<=.)\/+$/, '')
      .split('/')
      .slice(1)
      .map(decodeSegment),
    query: byName(unsigned(request.queryString.map(({ name, value }) => [name, value]))),
    headers: joined(request.headers),
    ...(body !== undefined && { body }),
    ...((isMalformed(postData) || isNoJson(postData, undefined, body)) && { isMalformed: true }),
    status,
    responseHeaders: joined(response.headers),
    mimeType: content.mimeType,
    ...(answer !== undefined && (isBinary ? { binary: answer as string } : { response: answer })),
    ...(isNoJson(content, bytes.response, answer) && { isText: true }),
    ...(bodies.cut > cut && { isCut: true }),
  }
}

/** Whether a request's body was said to be JSON, and was not, so that it was not kept. */
export function isMalformed(postData: PostData | undefined): boolean {
  return postData?._omitted?.startsWith('not valid JSON') === true
}

function isNoJson(body: Content | PostData | undefined, stored: Buffer | undefined, value: unknown): boolean {
  if (typeof value !== 'string' || body === undefined || formOf(body) !== 'json') return false
  return (inlineBytes(body) ?? stored)?.toString() === value
}

/** What a body is read as. */
type Form = keyof typeof READERS

const READERS = {
  json(bytes: Buffer): unknown {
    const text = bytes.toString()
    const value = jsonOf(text)
    return value === undefined ? text : value
  },
  form: (bytes: Buffer): unknown => readForm(bytes.toString()),
  text: (bytes: Buffer): unknown => bytes.toString(),
  base64: (bytes: Buffer): unknown => bytes.toString('base64'),
}

function formOf({ mimeType }: Content | PostData): Form | undefined {
  if (mimeType === '') return 'json'
  const kind = contentKindOf(mimeType)
  if (kind === 'json' || kind === 'form') return kind
  if (kind === 'multipart') return undefined
  return kind === 'binary' ? 'base64' : 'text'
}

function valueOf(body: Content | PostData, stored: Buffer | undefined, bodies: Bodies): unknown {
  const bytes = inlineBytes(body) ?? stored
  const form = formOf(body)
  if (form === undefined || bytes === undefined || bytes.length === 0) return undefined
  return bodies.read(form, bytes)
}

// Servers read JSON that is called a form or a text.
function sentValue(body: PostData, stored: Buffer | undefined, bodies: Bodies): unknown {
  const form = formOf(body)
  const bytes = inlineBytes(body) ?? stored
  const isOther = form === 'form' || form === 'text'
  if (bytes === undefined || !isOther || !beginsAsObject(bytes)) return valueOf(body, stored, bodies)
  const value = bodies.read('json', bytes)
  return isObject(value) ? value : valueOf(body, stored, bodies)
}

function joined(headers: readonly NameValue[]): Record<string, string> {
  const values = byName(headers.map(({ name, value }) => [name.toLowerCase(), value]))
  // A header that is not there is looked up by name, too, such as `constructor`.
  return Object.assign(
    Object.create(null) as Record<string, string>,
    Object.fromEntries(Object.entries(values).map(([name, all]) => [name, [all].flat().join(', ')])),
  )
}

/** Bodies that were read. Equal ones are one value, and once they are too many, no more are kept. */
interface Bodies {
  /** What a body says, read in this form; `undefined` where it is one too many. */
  read(form: Form, bytes: Buffer): unknown
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
    read(form, bytes) {
      const key = `${form} ${hash('sha256', bytes, 'base64')}`
      if (known.has(key)) return known.get(key)
      if (bytesKept + bytes.length > most) {
        cut++
        return undefined
      }
      bytesKept += bytes.length
      const value = READERS[form](bytes)
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
    // What follows a 101 is another protocol's.
    if (exchange.response.status === 101) continue
    const { postData } = exchange.request
    const request = postData && (await stored(postData))
    const response = await stored(exchange.response.content)
    yield sampleOf(exchange, count++, { request, response }, bodies)
    if (count % 1000 === 0) onProgress?.(count)
  }
}
